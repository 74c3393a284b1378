/// Host names as clients send them: in a Host header, or as a server name.
enum HostName {
  /// The longest name (RFC 1035, section 2.3.4, without the root).
  static let maximumLength = 253

  /// The name in lower case and without a final dot; `nil` if it is not one.
  static func normalized(_ text: some StringProtocol) -> String? {
    var name = text.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    guard (1...maximumLength).contains(name.utf8.count), !name.hasPrefix("."),
      name.utf8.allSatisfy(isAllowed)
    else { return nil }
    return name
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      return true
    default:
      return false
    }
  }
}
