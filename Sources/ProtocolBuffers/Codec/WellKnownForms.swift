internal import Foundations
internal import OrderedCollections

/// The texts that times and lists of fields are in JSON.
enum WellKnownForms {
  /// The largest duration in seconds, about 10,000 years (google/protobuf/duration.proto).
  private static let durationLimit: Int64 = 315_576_000_000
  private static let nanosecondLimit: Int64 = 999_999_999

  // MARK: - Times

  /// The text of a timestamp; `nil` outside the years 0001 to 9999.
  static func timestamp(seconds: Int64, nanoseconds: Int64) -> String? {
    guard (0...nanosecondLimit).contains(nanoseconds) else { return nil }
    let text = WallInstant(seconds: seconds, nanoseconds: 0).description
    guard !text.hasPrefix("@") else { return nil }
    return text.dropLast() + fraction(nanoseconds) + "Z"
  }

  static func timestamp(of value: Value) throws(MessageProblem) -> (Int64, Int64) {
    let help = "write RFC 3339, such as 2026-03-01T09:00:00Z"
    guard case .string(let text) = value, text.uppercased().contains("T"),
      text.uppercased().hasSuffix("Z") || text.suffix(6).contains(where: { "+-".contains($0) }),
      !text.hasPrefix("@"), let instant = try? WallInstant(text: text)
    else {
      throw MessageProblem("expected a timestamp, got \(value.excerpt())", help: help)
    }
    return (instant.seconds, Int64(instant.nanoseconds))
  }

  /// Three, six or nine digits, or none.
  private static func fraction(_ nanoseconds: Int64) -> String {
    guard nanoseconds != 0 else { return "" }
    var digits = String(nanoseconds)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.hasSuffix("000") { digits.removeLast(3) }
    return "." + digits
  }

  /// The text of a duration; `nil` if it is out of range.
  static func duration(seconds: Int64, nanoseconds: Int64) -> String? {
    guard abs(nanoseconds) <= nanosecondLimit, seconds.magnitude <= UInt64(durationLimit),
      seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0)
    else { return nil }
    let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude)\(fraction(abs(nanoseconds)))s"
  }

  static func duration(of value: Value) throws(MessageProblem) -> (Int64, Int64) {
    let problem = MessageProblem(
      "expected a duration, got \(value.excerpt())",
      help: "write seconds with an \"s\", such as 1.5s")
    guard case .string(let text) = value, text.hasSuffix("s") else { throw problem }
    var digits = text.dropLast()
    let isNegative = digits.hasPrefix("-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard let whole = parts.first, isDigits(whole), let seconds = Int64(whole),
      seconds <= durationLimit, parts.count == 1 || isDigits(parts[1]), fraction.count <= 9,
      let nanoseconds = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
    else { throw problem }
    return isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds)
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { ProtoLexer.isDigit($0) }
  }

  // MARK: - Field masks

  static func fieldMask(_ paths: [Value]) -> String {
    paths.map { path in
      guard case .string(let text) = path else { return "" }
      return ProtoParser.camelCase(text)
    }.joined(separator: ",")
  }

  static func paths(ofFieldMask value: Value) throws(MessageProblem) -> [String] {
    guard case .string(let text) = value, !text.contains("_") else {
      throw MessageProblem(
        "expected a field mask, got \(value.excerpt())",
        help:
          "write paths in camel case with commas between them, such as \"name,user.displayName\"")
    }
    if text.isEmpty { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { path in
      var name = ""
      for letter in path {
        name += letter.isASCII && letter.isUppercase ? "_" + letter.lowercased() : String(letter)
      }
      return name
    }
  }
}

extension MessageDecoder {
  /// The form in JSON of a message that has one of its own.
  func wellKnown(
    _ known: WellKnownType, _ members: OrderedDictionary<String, Value>, _ type: MessageType,
    at offset: Int, _ depth: Int
  ) throws(WireProblem) -> Value {
    func integer(_ key: String) -> Int64 {
      switch members[key] {
      case .integer(let integer)?: integer
      case .string(let text)?: Int64(text) ?? 0
      default: 0
      }
    }
    func failure(_ reason: String) -> WireProblem {
      WireProblem(message: type.fullName, offset: offset, reason: reason)
    }
    switch known {
    case .timestamp:
      guard
        let text = WellKnownForms.timestamp(
          seconds: integer("seconds"), nanoseconds: integer("nanos"))
      else { throw failure("the timestamp is outside the years 0001 to 9999") }
      return .string(text)
    case .duration:
      guard
        let text = WellKnownForms.duration(
          seconds: integer("seconds"), nanoseconds: integer("nanos"))
      else { throw failure("the duration is out of range") }
      return .string(text)
    case .fieldMask:
      guard case .list(let paths)? = members["paths"] else { return .string("") }
      return .string(WellKnownForms.fieldMask(paths))
    case .any: return try any(members, failure, depth)
    case .structure, .value, .list: return .map(members)
    default: return members["value"] ?? .null
    }
  }

  private func any(
    _ members: OrderedDictionary<String, Value>, _ failure: (String) -> WireProblem, _ depth: Int
  ) throws(WireProblem) -> Value {
    guard case .string(let url)? = members["typeUrl"], !url.isEmpty else { return .map([:]) }
    guard case .string(let text)? = members["value"], let bytes = Base64.decoded(text) else {
      throw failure("there is no value")
    }
    let name = url.split(separator: "/").last.map(String.init) ?? url
    guard let index = pool.messageIndices[name] else {
      throw failure("the type \"\(name)\" is in none of the files")
    }
    let value = try decode(bytes, 0..<bytes.count, as: index, depth: depth + 1)
    var result: OrderedDictionary<String, Value> = ["@type": .string(url)]
    if pool.messages[index].wellKnown == nil, case .map(let inner) = value {
      for (key, value) in inner { result[key] = value }
    } else {
      result["value"] = value
    }
    return .map(result)
  }
}
