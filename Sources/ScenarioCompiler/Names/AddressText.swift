internal import Patterns

/// Addresses as text.
enum AddressText {
  /// Returns whether it is an IPv4 address in dotted decimal.
  static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns the mistake in a host that can only be meant as an IPv4 address: no name ends with a
  /// number (RFC 3696, section 2).
  static func mistake(in host: String) -> PatternError? {
    guard !host.contains("*"), !isIPv4(host), let last = host.split(separator: ".").last,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return PatternError(
      "\"\(host)\" is not an address",
      help: "write four numbers from 0 to 255, as in 10.0.0.3")
  }
}
