internal import Foundations
internal import Patterns

/// The parameters of SVCB and HTTPS records (RFC 9460).
enum ServiceParameters {
  /// The keys that have a word, by their numbers (RFC 9460, section 14.3.2, and later ones).
  private static let keys = [
    "mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint", "dohpath",
    "ohttp",
  ]

  /// Returns the parameters in the order of their numbers.
  ///
  /// - Parameter words: `KEY` or `KEY=VALUE`, without quotes.
  static func encoded(_ words: [String]) throws(PatternError) -> [UInt8] {
    var values: [UInt16: [UInt8]] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let key = number(of: name) else {
        throw PatternError(
          "\"\(name)\" is not a parameter of a service",
          help: Suggestion.help(for: name, in: Set(keys), label: "parameters") + ", or key65333")
      }
      let value = try encoded(parts.count > 1 ? String(parts[1]) : nil, of: name)
      guard values.updateValue(value, forKey: key) == nil else {
        throw PatternError("\"\(name)\" is there twice", help: "keep one of them")
      }
    }
    var data: [UInt8] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      data += RecordEncoder.bigEndian(UInt64(key), count: 2)
      data += RecordEncoder.bigEndian(UInt64(value.count), count: 2) + value
    }
    return data
  }

  private static func number(of name: String) -> UInt16? {
    if let index = keys.firstIndex(of: name) { return UInt16(index) }
    guard name.hasPrefix("key") else { return nil }
    return RecordEncoder.number(name.dropFirst(3))
  }

  private static func encoded(_ text: String?, of name: String) throws(PatternError) -> [UInt8] {
    switch name {
    case "no-default-alpn", "ohttp":
      guard text == nil else { throw mistake(text, name, "no value", name) }
      return []
    case "mandatory":
      let numbers = list(text).map { number(of: $0) }
      let known = numbers.compactMap(\.self).sorted()
      guard !known.isEmpty, known.count == numbers.count else {
        throw mistake(text, name, "keys", "mandatory=alpn,port")
      }
      return known.flatMap { RecordEncoder.bigEndian(UInt64($0), count: 2) }
    case "alpn":
      let names = list(text)
      guard !names.isEmpty, names.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
        throw mistake(text, name, "protocols", "alpn=h2,http/1.1")
      }
      return names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    case "port":
      guard let port: UInt16 = text.flatMap({ RecordEncoder.number($0) }) else {
        throw mistake(text, name, "a port", "port=8443")
      }
      return RecordEncoder.bigEndian(UInt64(port), count: 2)
    case "ipv4hint":
      let addresses = list(text).map { RecordEncoder.address($0) }
      guard !addresses.isEmpty, addresses.allSatisfy({ $0 != nil }) else {
        throw mistake(text, name, "IPv4 addresses", "ipv4hint=10.1.2.3")
      }
      return addresses.flatMap { $0 ?? [] }
    case "ipv6hint":
      let addresses = list(text).map { IPv6Literal($0) }
      guard !addresses.isEmpty, addresses.allSatisfy({ $0 != nil }) else {
        throw mistake(text, name, "IPv6 addresses", "ipv6hint=2001:db8::1")
      }
      return addresses.flatMap { $0?.bytes ?? [] }
    case "ech":
      guard let bytes = text.flatMap({ Base64.decoded($0) }) else {
        throw mistake(text, name, "Base64", "ech=AEX+DQA=")
      }
      return bytes
    default: return Array((text ?? "").utf8)
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map(String.init)
  }

  private static func mistake(
    _ text: String?, _ name: String, _ expected: String, _ example: String
  ) -> PatternError {
    PatternError(
      "\"\(text ?? "")\" is not the value of \"\(name)\", which is \(expected)",
      help: "write \(example)")
  }
}
