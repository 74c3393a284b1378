internal import Glibc

/// The names and addresses by which a machine reaches itself.
package enum LocalHost {
  /// Returns whether a host is this machine, as clients read it: a name, or an address in any of the forms of inet_aton(3)
  /// and inet_pton(3), with or without the brackets of a URL.
  package static func isNamed(by host: some StringProtocol) -> Bool {
    var text = host.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    if let address = wideAddress(text) { return isLocal(address) }
    if text.hasSuffix(".") { text.removeLast() }
    // RFC 6761, section 6.3: whatever is below "localhost" stays local.
    if text == "localhost" || text.hasSuffix(".localhost") { return true }
    return address(text).map(isLocal) ?? false
  }

  /// RFC 1122, section 3.2.1.3, and the unspecified address, at which Linux reaches the machine itself.
  private static func isLocal(_ address: UInt32) -> Bool {
    address >> 24 == 127 || address == 0
  }

  /// RFC 4291, sections 2.5.2, 2.5.3 and 2.5.5.2.
  private static func isLocal(_ address: [UInt8]) -> Bool {
    let head = address.prefix(10)
    guard head.allSatisfy({ $0 == 0 }) else { return false }
    let tail = address[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch (address[10], address[11]) {
    case (0, 0): return tail <= 1
    case (0xFF, 0xFF): return isLocal(tail)
    default: return false
    }
  }

  /// Reads an IPv4 address: one to four numbers, decimal, octal behind 0 or hexadecimal behind 0x, of which the last one
  /// fills what is left.
  private static func address(_ text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(number)
    guard (1...4).contains(parts.count) else { return nil }
    var address: UInt32 = 0
    for (index, part) in parts.enumerated() {
      guard let part else { return nil }
      let isLast = index == parts.count - 1
      let room = isLast ? 32 - 8 * UInt64(index) : 8
      guard UInt64(part) < 1 << room else { return nil }
      address = isLast ? address | part : address | part << UInt32(24 - 8 * index)
    }
    return address
  }

  private static func number(_ text: Substring) -> UInt32? {
    guard text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-") else {
      return nil
    }
    if text.hasPrefix("0x") {
      let digits = text.dropFirst(2)
      return digits.hasPrefix("+") || digits.hasPrefix("-") ? nil : UInt32(digits, radix: 16)
    }
    return text.count > 1 && text.hasPrefix("0") ? UInt32(text, radix: 8) : UInt32(text)
  }

  private static func wideAddress(_ text: String) -> [UInt8]? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: &address) { Array($0) }
  }
}
