internal import OrderedCollections
internal import ScenarioModel

/// What a program that decides is asked, and what it answers: a line of JSON each.
public enum ChaosAnswer {
  private static let keys = ["constant", "delay", "error", "exit", "provide", "short", "signal"]
  private static let words = ["hang", "kill", "lie", "nil", "original"]

  /// The question about a call.
  public static func question(
    entry: String, occurrence: Int, call: String, arguments: [UInt64], subject: String?,
    process: Int, thread: Int
  ) -> String {
    var question: OrderedDictionary<String, Value> = [
      "entry": .string(entry), "occurrence": .integer(Int64(occurrence)), "call": .string(call),
      "args": .list(arguments.map { .integer(Int64(bitPattern: $0)) }),
      "process": .integer(Int64(process)), "thread": .integer(Int64(thread)),
    ]
    if let subject { question["subject"] = .string(subject) }
    return Value.map(question).jsonText()
  }

  /// Reads an answer: `{"error": "EIO"}`, `{"provide": "original"}`, `{"delay": "3s", "constant": 7}`.
  ///
  /// - Throws: `PatternError` if it is none.
  public static func action(
    _ line: String, random: SplitMix64
  ) throws(PatternError) -> ChaosAction {
    guard let value = try? JSONText.parse(line), case .map(let members) = value else {
      throw PatternError(
        "the answer \"\(line.prefix(80))\" is not an object of JSON",
        help: "answer with a line such as {\"error\": \"EIO\"}")
    }
    var action = ChaosAction()
    action.random = random
    for (key, value) in members { try take(key, value, into: &action) }
    return action
  }

  private static func take(
    _ key: String, _ value: Value, into action: inout ChaosAction
  ) throws(PatternError) {
    switch (key, value) {
    case ("error", .string(let name)): action.deed = .fail(try ErrorNumber.named(name))
    case ("constant", .integer(let number)): action.deed = .result(number)
    case ("exit", .integer(let code)) where (0...255).contains(code):
      action.deed = .exit(Int32(code))
    case ("short", .integer(let count)) where count > 0:
      action.deed = .short(.bytes(Int(clamping: count)))
    case ("signal", .string(let name)):
      action.signalsBefore.append(try SignalName.named(name).number)
    case ("delay", .string(let text)):
      guard let length = try? Nanoseconds(text: text), length >= .zero else {
        throw PatternError("\"\(text)\" is not a delay", help: "write a duration such as 250ms")
      }
      action.delay = length
    case ("provide", .string(let word)):
      switch word {
      case "hang": action.deed = .hang
      case "kill": action.deed = .kill(.process)
      case "lie": action.deed = .lie
      case "nil": action.deed = .result(0)
      case "original": break
      default:
        throw PatternError(
          "unknown provider \"\(word)\"",
          help: Suggestion.help(for: word, in: words, label: "providers"))
      }
    default:
      throw PatternError(
        "\"\(key)\" is no answer, or has no such value",
        help: Suggestion.help(for: key, in: keys, label: "known answers"))
    }
  }
}
