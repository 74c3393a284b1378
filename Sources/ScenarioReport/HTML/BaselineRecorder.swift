package import ScenarioEvents

/// Keeps the cases of an earlier run that have passed, to which a page compares those that have not.
package final class BaselineRecorder: EventRecorder {
  private let renderer = FailureRenderer(isColoured: false) { _ in nil }
  private var open: [String: PageCase] = [:]
  /// The cases that have passed, as JSON.
  private(set) var cases: [String: String] = [:]

  /// Creates a recorder of nothing.
  package init() {}

  /// Records one event.
  package func record(_ event: Event) {
    guard let identifier = event.scenario else { return }
    switch event.kind {
    case .caseStarted(let description):
      open[identifier] = PageCase(
        identifier: identifier, description: description, startedAt: event.realTime)
    case .caseFinished(let result):
      guard var ended = open.removeValue(forKey: identifier), result.outcome == .passed else {
        return
      }
      ended.add(event, renderer: renderer)
      ended.close(at: event.realTime, renderer: renderer, folder: nil)
      cases[identifier] = ended.json(reproduces: false)
    default:
      open[identifier]?.add(event, renderer: renderer)
    }
  }

  /// Does nothing: what was recorded is there.
  package func finish() throws(ReportError) {}

  /// The cases with these identifiers as a JSON object.
  func json(of identifiers: [String]) -> String {
    let members = identifiers.sorted().compactMap { identifier in
      cases[identifier].map { "\(PageJSON.text(identifier)):\($0)" }
    }
    return "{\(members.joined(separator: ",\n"))}"
  }
}
