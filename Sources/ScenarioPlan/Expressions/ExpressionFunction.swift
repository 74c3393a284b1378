package import Foundations
package import Patterns

/// A function of the language: what it takes, and what it gives.
package enum ExpressionFunction: String, CaseIterable, Sendable {
  case lower, upper, trim, replace, split, join, pad, len, length, substr, format, json
  case parse_json, base64, hex, sha256, url_encode, int, float, string, bool, min, max, abs, round
  case floor, sum, keys, values, add_time, format_time, uuid5, `case`, coalesce, `default`

  /// What a function takes and gives.
  package struct Signature {
    /// The kinds of the arguments, in order.
    var arguments: [ValueKinds]
    /// How many of them must be there.
    var required: Int
    /// The kinds of what may follow; `nil` if nothing may.
    var more: ValueKinds?
    /// What it gives.
    package var result: ValueKinds
    /// How a call reads.
    package var usage: String
  }

  /// True if only those arguments are asked that decide.
  package var isLazy: Bool { self == .case || self == .coalesce || self == .default }

  /// What the function takes and gives.
  package var signature: Signature {
    switch self {
    case .lower, .upper, .trim, .sha256, .url_encode, .base64:
      signed([.text], .text, "\(rawValue)(text)")
    case .replace: signed([.text, .text, .text], .text, "replace(text, old, new)")
    case .split: signed([.text, .text], .list, "split(text, separator)")
    case .join: signed([.list, .text], .text, "join(list, separator)")
    case .pad: signed([[.text, .integer], .integer, .text], .text, "pad(x, width, fill)", 2)
    case .len, .length: signed([[.text, .list, .map]], .integer, "\(rawValue)(x)")
    case .substr: signed([.text, .integer, .integer], .text, "substr(text, start, length)", 2)
    case .format:
      signed([.text], .text, "format('{0} of {1}', a, b)", more: .inText)
    case .json: signed([.any], .text, "json(x)")
    case .parse_json: signed([.text], .any, "parse_json(text)")
    case .hex: signed([[.text, .integer]], .text, "hex(x)")
    case .int: signed([[.text, .integer, .fraction]], .integer, "int(x)")
    case .float: signed([[.text, .integer, .fraction]], .fraction, "float(x)")
    case .string: signed([.inText], .text, "string(x)")
    case .bool: signed([[.text, .bool]], .bool, "bool(x)")
    case .min, .max:
      signed([[.integer, .fraction, .list]], .number, "\(rawValue)(a, b)", more: .number)
    case .abs: signed([.number], .number, "abs(x)")
    case .round: signed([.number, .integer], .number, "round(x, digits)", 1)
    case .floor: signed([.number], .integer, "floor(x)")
    case .sum: signed([.list], .number, "sum(list)")
    case .keys, .values: signed([.map], .list, "\(rawValue)(map)")
    case .add_time: signed([.text, .text], .text, "add_time(instant, '1h30m')")
    case .format_time: signed([.text, .text], .text, "format_time(instant, '%Y-%m-%d')")
    case .uuid5: signed([.text, .text], .text, "uuid5('dns', name)")
    case .case: signed([.bool, .any, .any], .any, "case(condition, value, default)", more: .any)
    case .coalesce: signed([.any], .any, "coalesce(a, b)", more: .any)
    case .default: signed([.any, .any], .any, "default(x, otherwise)")
    }
  }

  private func signed(
    _ arguments: [ValueKinds], _ result: ValueKinds, _ usage: String, _ required: Int? = nil,
    more: ValueKinds? = nil
  ) -> Signature {
    Signature(
      arguments: arguments, required: required ?? arguments.count, more: more, result: result,
      usage: usage)
  }

  /// What is wrong with a number of arguments; `nil` if nothing is.
  package func mistake(argumentCount count: Int) -> PatternError? {
    let signature = signature
    let most = signature.more == nil ? signature.arguments.count : Int.max
    let isPaired = self != .case || count % 2 == 1
    guard count < signature.required || count > most || !isPaired else { return nil }
    let wanted =
      if self == .case {
        "pairs of a condition and a value, and a default"
      } else if most == Int.max {
        "at least \(Self.counted(signature.required))"
      } else if most == signature.required {
        Self.counted(most)
      } else {
        "\(signature.required) to \(Self.counted(most))"
      }
    return PatternError(
      "\(rawValue)() takes \(wanted), not \(count)", help: "write \(signature.usage)")
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "one argument" : "\(count) arguments"
  }

  /// The kinds that an argument may have.
  package func kinds(ofArgument index: Int, of count: Int) -> ValueKinds {
    // The last argument of case() is no condition.
    if self == .case { return index % 2 == 0 && index < count - 1 ? .bool : .any }
    let signature = signature
    return index < signature.arguments.count
      ? signature.arguments[index] : signature.more ?? .any
  }

  /// The error for an argument of a kind that the function does not take.
  package func mismatch(_ kinds: ValueKinds, argument index: Int, of count: Int) -> PatternError {
    PatternError(
      "\(rawValue)() cannot take \(kinds.described)",
      help: "hand it \(self.kinds(ofArgument: index, of: count).described): \(signature.usage)")
  }

  /// The diagnostic for a function that does not exist.
  package static func unknown(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "unknown function \"\(name.value)\"", code: .unknownFunction, at: name.range,
      help: Suggestion.help(
        for: name.value, in: allCases.filter { $0 != .length }.map(\.rawValue),
        label: "known functions"))
  }

  /// What the function gives, all arguments known and of the kinds that it takes.
  package func callAsFunction(_ arguments: [Value]) throws(PatternError) -> Value {
    let value = try call(arguments)
    // Those that only write their argument in another way make a few times as much of it.
    if !isLazy, self != .case, case .string(let text) = value {
      try ExpressionText.check(text.utf8.count, "\(rawValue)()")
    }
    return value
  }

  private func call(_ arguments: [Value]) throws(PatternError) -> Value {
    if let mistake = mistake(argumentCount: arguments.count) { throw mistake }
    for (index, argument) in arguments.enumerated()
    where kinds(ofArgument: index, of: arguments.count).isDisjoint(with: argument.kinds) {
      throw mismatch(argument.kinds, argument: index, of: arguments.count)
    }
    switch self {
    case .case:
      for index in stride(from: 0, to: arguments.count - 1, by: 2)
      where arguments[index] == .bool(true) {
        return arguments[index + 1]
      }
      return arguments[arguments.count - 1]
    case .coalesce, .default: return arguments.first { $0 != .null } ?? .null
    case .lower, .upper, .trim, .replace, .split, .join, .pad, .len, .length, .substr, .format:
      return try text(arguments)
    case .json, .parse_json, .base64, .hex, .sha256, .url_encode, .uuid5, .keys, .values:
      return try encoding(arguments)
    case .int, .float, .string, .bool, .min, .max, .abs, .round, .floor, .sum:
      return try number(arguments)
    case .add_time, .format_time: return try time(arguments)
    }
  }
}
