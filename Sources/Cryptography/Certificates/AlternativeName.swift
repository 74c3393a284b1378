/// A name for which a certificate vouches (RFC 5280, section 4.2.1.6).
package enum AlternativeName: Hashable, Sendable {
  /// A host name, in ASCII.
  case host(String)
  /// An IPv4 or IPv6 address: 4 or 16 bytes in network order.
  case address([UInt8])

  func value() throws(CryptographyError) -> DERValue {
    switch self {
    case .host(let name):
      guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII(name: name) }
      return .implicit(2, Array(name.utf8))
    case .address(let bytes): return .implicit(7, bytes)
    }
  }
}
