package import Foundations
internal import OrderedCollections
package import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// The answer of a program that decides: a line of JSON such as `{"error": "EIO"}`, `{"provide":
/// "original"}`, `{"delay": "3s", "constant": 7}`, `{"args": {"2": 16}}`, `{"text": "x"}`.
package struct ChaosAnswer: Sendable, Hashable {
  private static let keys = [
    "args", "base64", "constant", "delay", "error", "exit", "provide", "result", "short", "signal",
    "text",
  ]
  private static let words = ["hang", "kill", "lie", "nil", "original"]

  /// The action for the call.
  package var action = ChaosAction()
  /// Arguments that the call is made with.
  package var arguments: [Int: UInt64] = [:]
  /// The bytes that take the place of the call's own.
  package var bytes: [UInt8]?

  /// True if the call is made with other arguments or other bytes.
  package var editsCall: Bool { !arguments.isEmpty || bytes != nil }
  /// True unless the call is left as it is.
  package var changesCall: Bool { editsCall || !action.changesNothing }

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - line: the answer.
  ///   - moment: when it was asked for.
  ///   - random: where further chance comes from.
  /// - Throws: `PatternError` if it is none.
  package init(
    _ line: String, at moment: ChaosQuestion.Moment, random: SplitMix64
  ) throws(PatternError) {
    guard let value = try? JSONText.parse(line), case .map(let members) = value else {
      throw PatternError(
        "the answer \"\(line.prefix(80))\" is not a JSON object",
        help: "answer with a line such as {\"error\": \"EIO\"}")
    }
    action.random = random
    for (key, value) in members { try take(key, value, at: moment) }
    guard moment == .before, editsCall else { return }
    guard action.changesNothing else {
      throw PatternError(
        "\"args\" and \"text\" cannot be combined with another answer",
        help: "answer with {\"args\": …}, with {\"text\": …} or with both, and nothing else")
    }
  }

  private mutating func take(
    _ key: String, _ value: Value, at moment: ChaosQuestion.Moment
  ) throws(PatternError) {
    let late = ["args", "delay", "provide", "short"]
    if moment == .after, late.contains(key), value != .string("original") {
      throw PatternError(
        "\"\(key)\" is too late: the call was already made",
        help: "ask the program before the call: { exec: { …, at: before } }")
    }
    switch (key, value) {
    case ("error", .string(let name)): action.deed = .fail(try ErrorNumber.named(name))
    case ("constant", .integer(let number)), ("result", .integer(let number)):
      action.deed = .result(number)
    case ("exit", .integer(let code)) where (0...255).contains(code):
      action.deed = .exit(Int32(code))
    case ("short", .integer(let count)) where count > 0:
      action.deed = .short(.bytes(Int(clamping: count)))
    case ("signal", .string(let name)):
      let number = try SignalName.named(name).number
      if moment == .before {
        action.signalsBefore.append(number)
      } else {
        action.signalsAfter.append(number)
      }
    case ("delay", .string(let text)):
      guard let length = try? Nanoseconds(text: text), length >= .zero else {
        throw PatternError("\"\(text)\" is not a delay", help: "write a duration such as 250ms")
      }
      action.delay = length
    case ("args", .map(let members)):
      for (place, argument) in members {
        guard let index = Int(place), (0...5).contains(index), case .integer(let number) = argument
        else {
          throw PatternError(
            "\"\(place)\" in \"args\" is not an argument's index, or its value is not a number",
            help: "answer with { \"args\": { \"2\": 16 } }; arguments count from 0 to 5")
        }
        arguments[index] = UInt64(bitPattern: number)
      }
    case ("text", .string(let text)): bytes = Array(text.utf8)
    case ("base64", .string(let text)):
      guard let decoded = Base64.decoded(text) else {
        throw PatternError("\"base64\" is not valid Base64", help: "answer with \"text\" for UTF-8")
      }
      bytes = decoded
    case ("provide", .string(let word)): try take(word)
    default:
      throw PatternError(
        "\"\(key)\" is not an answer, or does not accept this value",
        help: Suggestion.help(for: key, in: Self.keys, label: "known answers"))
    }
  }

  private mutating func take(_ word: String) throws(PatternError) {
    switch word {
    case "hang": action.deed = .hang
    case "kill": action.deed = .kill(.process)
    case "lie": action.deed = .lie
    case "nil": action.deed = .result(0)
    case "original": break
    default:
      throw PatternError(
        "unknown provider \"\(word)\"",
        help: Suggestion.help(for: word, in: Self.words, label: "providers"))
    }
  }
}
