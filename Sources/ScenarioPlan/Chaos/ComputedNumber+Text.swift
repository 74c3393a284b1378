internal import ScenarioModel

extension ComputedNumber {
  /// The expression as an author may write it.
  var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .argument(let place): "args[\(place)]"
    case .result: "result"
    case .occurrence: "occurrence"
    case .size: "size"
    case .current: "byte"
    case .index: "index"
    case .byte(let address): "byte(\(address.text))"
    case .stored(let address, let count): "\(count == 4 ? "int" : "long")(\(address.text))"
    case .prefix(let sign, let operand): "\(sign)\(operand.operandText)"
    case .binary(let sign, let left, let right):
      "\(left.operandText) \(sign) \(right.operandText)"
    case .choice(let condition, let first, let second):
      "\(condition.operandText) ? \(first.operandText) : \(second.operandText)"
    case .smaller(let left, let right): "min(\(left.text), \(right.text))"
    case .greater(let left, let right): "max(\(left.text), \(right.text))"
    }
  }

  /// The same as a part of another one.
  private var operandText: String {
    switch self {
    case .binary, .choice: "(\(text))"
    case .number(let number) where number < 0: "(\(text))"
    default: text
    }
  }
}

extension PlannedComputation {
  /// The computed values, in words.
  var summary: String {
    var parts: [String] = []
    if let result { parts.append("result = \(result.text)") }
    parts += arguments.map { "argument \($0.index) = \($0.value.text)" }
    if let bytes { parts.append("each byte = \(bytes.text)") }
    return parts.joined(separator: ", ")
  }
}

extension Corruption {
  /// The change of the bytes, in words.
  var summary: String {
    switch self {
    case .flipBits(let count, let place):
      "\(count == 1 ? "1 bit" : "\(count) bits") turned over\(Self.words(of: place, "in"))"
    case .zero(let count, let place):
      "\(count == 1 ? "1 byte" : "\(count) bytes") zero\(Self.words(of: place, "from"))"
    case .truncate(.bytes(let count)): "cut behind \(count == 1 ? "1 byte" : "\(count) bytes")"
    case .truncate(.fraction(let part)): "cut behind \(part) of its bytes"
    }
  }

  private static func words(of place: Int?, _ preposition: String) -> String {
    place.map { " \(preposition) byte \($0)" } ?? ""
  }
}
