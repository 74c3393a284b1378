internal import Foundations
package import Patterns

/// The values that an expression over a call's arguments may use.
package protocol ComputationScope {
  /// An argument, 0 … 5.
  func argument(_ index: Int) -> Int64
  /// The result of the original call.
  var result: Int64 { get }
  /// The number of the call among those that match, from 1.
  var occurrence: Int64 { get }
  /// The number of bytes that the call transfers; 0 if it transfers none.
  var size: Int64 { get }
  /// The byte of the transfer that is asked about, and its place in it.
  var current: Int64 { get }
  var index: Int64 { get }
  /// A byte of the caller's memory; 0 where nothing is mapped.
  func byte(at address: UInt64) -> Int64
}

extension ComputationScope {
  /// Outside of `bytes:` there is none.
  package var current: Int64 { 0 }
  /// Outside of `bytes:` there is none.
  package var index: Int64 { 0 }

  /// A number of so many bytes in the caller's memory, the lowest one first, with its sign.
  func number(at address: UInt64, ofBytes count: Int) -> Int64 {
    var bits: UInt64 = 0
    for index in 0..<count {
      bits |= UInt64(truncatingIfNeeded: byte(at: address &+ UInt64(index))) << UInt64(8 * index)
    }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }
}

/// An expression over whole numbers: `args[2] / 2`, `min(result, 10)`.
///
/// Numbers have 64 bits and wrap; what is divided by zero is 0.
package indirect enum ComputedNumber: Sendable, Hashable, Codable {
  /// A number written out.
  case number(Int64)
  /// `args[N]`
  case argument(Int)
  /// `result`
  case result
  /// `occurrence`
  case occurrence
  /// `size`
  case size
  /// `byte`, in `bytes:` alone
  case current
  /// `index`, in `bytes:` alone
  case index
  /// `byte(ADDRESS)`
  case byte(ComputedNumber)
  /// `int(ADDRESS)` with 4 bytes, `long(ADDRESS)` with 8
  case stored(ComputedNumber, bytes: Int)
  /// `-x`, `~x`, `!x`
  case prefix(String, ComputedNumber)
  /// An operation on two operands.
  case binary(String, ComputedNumber, ComputedNumber)
  /// `CONDITION ? A : B`
  case choice(ComputedNumber, ComputedNumber, ComputedNumber)
  /// `min(a, b)`
  case smaller(ComputedNumber, ComputedNumber)
  /// `max(a, b)`
  case greater(ComputedNumber, ComputedNumber)

  /// The value.
  package func value(in scope: some ComputationScope) -> Int64 {
    switch self {
    case .number(let number): return number
    case .argument(let index): return scope.argument(index)
    case .result: return scope.result
    case .occurrence: return scope.occurrence
    case .size: return scope.size
    case .current: return scope.current
    case .index: return scope.index
    case .stored(let address, let count):
      return scope.number(at: UInt64(bitPattern: address.value(in: scope)), ofBytes: count)
    case .byte(let address):
      return scope.byte(at: UInt64(bitPattern: address.value(in: scope)))
    case .prefix(let sign, let operand):
      let value = operand.value(in: scope)
      switch sign {
      case "-": return 0 &- value
      case "~": return ~value
      default: return value == 0 ? 1 : 0
      }
    case .binary("&&", let left, let right):
      return left.value(in: scope) != 0 && right.value(in: scope) != 0 ? 1 : 0
    case .binary("||", let left, let right):
      return left.value(in: scope) != 0 || right.value(in: scope) != 0 ? 1 : 0
    case .binary(let sign, let left, let right):
      return Self.apply(sign, left.value(in: scope), right.value(in: scope))
    case .choice(let condition, let first, let second):
      return condition.value(in: scope) != 0 ? first.value(in: scope) : second.value(in: scope)
    case .smaller(let left, let right):
      return min(left.value(in: scope), right.value(in: scope))
    case .greater(let left, let right):
      return max(left.value(in: scope), right.value(in: scope))
    }
  }

  private static func apply(_ sign: String, _ left: Int64, _ right: Int64) -> Int64 {
    switch sign {
    case "+": left &+ right
    case "-": left &- right
    case "*": left &* right
    case "/": right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
    case "%": right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
    case "&": left & right
    case "|": left | right
    case "^": left ^ right
    case "<<": left << max(0, right)
    case ">>": left >> max(0, right)
    case "==": left == right ? 1 : 0
    case "!=": left != right ? 1 : 0
    case "<": left < right ? 1 : 0
    case "<=": left <= right ? 1 : 0
    case ">": left > right ? 1 : 0
    default: left >= right ? 1 : 0
    }
  }

  /// True if it asks for one byte of a transfer.
  package var needsByte: Bool {
    switch self {
    case .current, .index: true
    case .number, .argument, .occurrence, .size, .result: false
    case .byte(let operand), .prefix(_, let operand), .stored(let operand, _):
      operand.needsByte
    case .binary(_, let left, let right), .smaller(let left, let right),
      .greater(let left, let right):
      left.needsByte || right.needsByte
    case .choice(let condition, let first, let second):
      condition.needsByte || first.needsByte || second.needsByte
    }
  }

  /// True if it asks for the original's result.
  package var needsResult: Bool {
    switch self {
    case .result: true
    case .number, .argument, .occurrence, .size, .current, .index: false
    case .byte(let operand), .prefix(_, let operand), .stored(let operand, _):
      operand.needsResult
    case .binary(_, let left, let right), .smaller(let left, let right),
      .greater(let left, let right):
      left.needsResult || right.needsResult
    case .choice(let condition, let first, let second):
      condition.needsResult || first.needsResult || second.needsResult
    }
  }
}

/// Reads the text of `compute:`.
package struct ComputedNumberParser {
  private static let help =
    "an expression has numbers, args[0] to args[5], result, size, occurrence, byte(ADDRESS), "
    + "int(ADDRESS), long(ADDRESS), min(A, B), max(A, B) and the operators of C"
  private static let depthLimit = 64

  /// The operators by how tightly they bind, the loosest first.
  private static let levels: [[String]] = [
    ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<=", ">=", "<", ">"], ["<<", ">>"],
    ["+", "-"], ["*", "/", "%"],
  ]

  private let bytes: [UInt8]
  private let text: String
  private var position = 0
  private var depth = 0

  private init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Reads an expression.
  ///
  /// - Throws: `PatternError` with what stands in the way.
  package static func parse(_ text: String) throws(PatternError) -> ComputedNumber {
    var parser = ComputedNumberParser(text)
    let number = try parser.parseChoice()
    parser.skipSpace()
    guard parser.position == parser.bytes.count else { throw parser.unexpected() }
    return number
  }

  private mutating func parseChoice() throws(PatternError) -> ComputedNumber {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw PatternError(
        "the expression nests deeper than \(Self.depthLimit)", help: "write it more simply")
    }
    let condition = try parseBinary(level: 0)
    guard take("?") else { return condition }
    let first = try parseChoice()
    guard take(":") else { throw unexpected() }
    return .choice(condition, first, try parseChoice())
  }

  private mutating func parseBinary(level: Int) throws(PatternError) -> ComputedNumber {
    guard level < Self.levels.count else { return try parsePrefix() }
    var left = try parseBinary(level: level + 1)
    while let sign = takeOperator(of: level) {
      left = .binary(sign, left, try parseBinary(level: level + 1))
    }
    return left
  }

  /// An operator of that level and not the beginning of another one.
  private mutating func takeOperator(of level: Int) -> String? {
    skipSpace()
    let candidates = Self.levels.joined().filter { starts(with: $0) }
    guard let longest = candidates.max(by: { $0.utf8.count < $1.utf8.count }),
      Self.levels[level].contains(longest)
    else { return nil }
    position += longest.utf8.count
    return longest
  }

  private mutating func parsePrefix() throws(PatternError) -> ComputedNumber {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw PatternError(
        "the expression nests deeper than \(Self.depthLimit)", help: "write it more simply")
    }
    for sign in ["-", "~", "!"] where take(sign) {
      return .prefix(sign, try parsePrefix())
    }
    if take("(") {
      let inner = try parseChoice()
      guard take(")") else { throw unexpected() }
      return inner
    }
    skipSpace()
    let word = takeWord()
    guard let first = word.utf8.first else { throw unexpected() }
    if first < 0x3A { return .number(try number(word)) }
    return try parseName(word)
  }

  private func number(_ word: String) throws(PatternError) -> Int64 {
    let isHexadecimal = word.hasPrefix("0x")
    guard
      let number = isHexadecimal
        ? UInt64(word.dropFirst(2), radix: 16).map({ Int64(bitPattern: $0) }) : Int64(word)
    else {
      throw PatternError("\"\(word)\" is not a number", help: "write numbers as 12 or 0x0c")
    }
    return number
  }

  private mutating func parseName(_ word: String) throws(PatternError) -> ComputedNumber {
    switch word {
    case "result": return .result
    case "occurrence": return .occurrence
    case "size": return .size
    case "index": return .index
    case "args":
      guard take("[") else { throw unexpected() }
      skipSpace()
      let index = takeWord()
      guard let place = Int(index), (0...5).contains(place) else {
        throw PatternError(
          "\"\(index)\" is not the index of an argument", help: "write an index from 0 to 5")
      }
      guard take("]") else { throw unexpected() }
      return .argument(place)
    case "byte" where !takes("("): return .current
    case "byte", "int", "long":
      guard take("(") else { throw unexpected() }
      let address = try parseChoice()
      guard take(")") else { throw unexpected() }
      return word == "byte" ? .byte(address) : .stored(address, bytes: word == "int" ? 4 : 8)
    case "min", "max":
      guard take("(") else { throw unexpected() }
      let left = try parseChoice()
      guard take(",") else { throw unexpected() }
      let right = try parseChoice()
      guard take(")") else { throw unexpected() }
      return word == "min" ? .smaller(left, right) : .greater(left, right)
    default:
      throw PatternError(
        "unknown name \"\(word)\" in \"compute\"",
        help: Suggestion.help(
          for: word,
          in: [
            "args", "byte", "index", "int", "long", "max", "min", "occurrence", "result", "size",
          ],
          label: "known names"))
    }
  }

  // MARK: - Characters

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private func starts(with sign: String) -> Bool {
    bytes[position...].starts(with: sign.utf8)
  }

  private mutating func take(_ sign: String) -> Bool {
    skipSpace()
    guard starts(with: sign) else { return false }
    // `!` is not the beginning of `!=`.
    if sign == "!", starts(with: "!=") { return false }
    position += sign.utf8.count
    return true
  }

  /// Returns whether a sign comes next.
  private mutating func takes(_ sign: String) -> Bool {
    skipSpace()
    return starts(with: sign)
  }

  private mutating func takeWord() -> String {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      let isDigit = (0x30...0x39).contains(byte)
      let isLetter = (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
      guard isDigit || isLetter else { break }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func unexpected() -> PatternError {
    guard position < bytes.count else {
      return PatternError("the expression \"\(text)\" ends too early", help: Self.help)
    }
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    return PatternError(
      "unexpected \"\(rest.prefix(1))\" in \"\(text)\"", help: Self.help)
  }
}
