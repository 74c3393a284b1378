/// The address to which a socket of this machine is bound, and by that what it receives.
struct BoundAddress: Hashable {
  private let bytes: [UInt8]
  private let isOnlyWide: Bool

  /// - Parameters:
  ///   - address: the address that it names.
  ///   - isOnlyWide: whether it is one of IPv6 that takes nothing of IPv4 (ipv6(7), IPV6_V6ONLY).
  init(_ address: InternetAddress, isOnlyWide: Bool = false) {
    bytes = address.unmapped.bytes
    self.isOnlyWide = isOnlyWide && bytes.count == 16
  }

  /// True if it is bound to all addresses.
  var isEverywhere: Bool { bytes.allSatisfy { $0 == 0 } }

  /// True if it is one of IPv4.
  var isNarrow: Bool { bytes.count == 4 }

  /// Returns whether it receives what is sent to an address.
  func receives(_ address: InternetAddress) -> Bool {
    let wanted = address.unmapped.bytes
    guard isEverywhere else { return bytes == wanted }
    return bytes.count == wanted.count || bytes.count == 16 && !isOnlyWide
  }

  /// Returns whether two sockets cannot have both addresses at one port, unless they share it.
  func meets(_ other: BoundAddress) -> Bool {
    covers(other) || other.covers(self)
  }

  private func covers(_ other: BoundAddress) -> Bool {
    guard isEverywhere else { return bytes == other.bytes }
    return bytes.count == other.bytes.count || bytes.count == 16 && !isOnlyWide
  }
}
