internal import CNIOLinux
import Glibc

/// Addresses written as text.
enum AddressLiteral {
  /// The bytes of an IPv4 or IPv6 address in network order; `nil` if the text is not an address.
  static func bytes(of text: String) -> [UInt8]? {
    if let address = IPv4Address(text) { return address.bytes }
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: &address) { Array($0) }
  }
}
