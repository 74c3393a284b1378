internal import Glibc

/// The addresses that are this machine's own.
///
/// Packets to one of them go by the loopback interface, whichever device has it (ip-route(8), table
/// local): a server of the tree is reached there as it is at 127.0.0.1.
package struct MachineAddresses: Sendable {
  private let all: Set<[UInt8]>

  /// Reads them from the machine's interfaces (getifaddrs(3)).
  package init() {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else {
      self.init([])
      return
    }
    defer { freeifaddrs(first) }
    var found: [[UInt8]] = []
    var next = first
    while let entry = next?.pointee {
      if let address = entry.ifa_addr { found += Self.bytes(of: address).map { [$0] } ?? [] }
      next = entry.ifa_next
    }
    self.init(found)
  }

  /// Creates a set.
  ///
  /// - Parameter addresses: the bytes of each in network order, beside those of the loopback network.
  package init(_ addresses: [[UInt8]]) {
    all = Set(addresses)
  }

  /// Returns whether an address is one of them.
  package func contains(_ address: InternetAddress) -> Bool {
    address.isLoopback || all.contains(address.unmapped.bytes)
  }

  private static func bytes(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
        withUnsafeBytes(of: place.pointee.sin_addr) { Array($0) }
      }
    case AF_INET6:
      address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { place in
        withUnsafeBytes(of: place.pointee.sin6_addr) { Array($0) }
      }
    default: nil
    }
  }
}
