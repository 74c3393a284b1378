internal import FoundationEssentials
internal import Foundations
internal import ScenarioEvents

/// Removes secrets from events, whatever kind they are of and wherever in them they are.
///
/// An event is searched in its published form, so that a kind or a field that is added later is no
/// way around.
final class EventRedactor {
  private let redactor: SecretRedactor
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()
  /// The replacements of identifiers with a secret: two that differ in nothing else stay two.
  private var identifiers: [String: String] = [:]
  private var taken: Set<String> = []

  init(_ redactor: SecretRedactor) {
    self.redactor = redactor
  }

  /// The event without secrets.
  func redacted(_ event: Event) -> Event {
    guard !redactor.isEmpty else { return event }
    do {
      let (marked, marks) = event.markingCuts()
      let bytes = Array(try encoder.encode(marked))
      let rewriter = JSONStringRewriter { [self] text, key in
        switch key {
        // Words of the format, not of the run.
        case "event", "outcome", "category", "kind", "end", "state": text
        case "scenario": identifier(text)
        default: redactor.redacted(text)
        }
      }
      guard let changed = rewriter.rewritten(bytes) else { return event }
      let result = try decoder.decode(Event.self, from: Data(changed))
      return result.without(marks: marks)
    } catch {
      // Rather nothing than a secret.
      return Event(
        realTime: event.realTime, virtualTime: event.virtualTime,
        scenario: event.scenario.map(identifier),
        kind: .warning("an event is not shown because it contains a secret", range: nil))
    }
  }

  private func identifier(_ text: String) -> String {
    if let known = identifiers[text] { return known }
    let base = redactor.redacted(text)
    var name = base
    var number = 1
    while !taken.insert(name).inserted {
      number += 1
      name = "\(base) #\(number)"
    }
    identifiers[text] = name
    return name
  }
}
