internal import Glibc

/// A socket address in the target's memory, of the families that matter here.
enum SocketAddress: Equatable {
  /// AF_INET, AF_INET6; `isWide` says that it is written as the latter.
  case internet(InternetAddress)
  /// AF_UNIX with a path.
  case local(path: String)
  /// Another family, which this machine's network knows nothing of.
  case foreign

  /// The size of an address of IPv4, in bytes.
  static let shortLength = 16
  /// The largest size of an address, in bytes (`struct sockaddr_storage`).
  static let maximumLength = 128

  /// Reads an address; `nil` for what leads nowhere, and for what the kernel refuses.
  ///
  /// - Parameter isDestination: whether datagrams are sent there: AF_UNSPEC stands for AF_INET then, where
  ///   connect(2) takes it for "disconnect".
  init?(memory: TargetMemory, address: UInt64, length: UInt64, isDestination: Bool = false) {
    // The kernel's lengths are C ints.
    let length = min(UInt64(UInt32(truncatingIfNeeded: length)), UInt64(Self.maximumLength))
    self.init(bytes: memory.readBytes(Int(length), at: address), isDestination: isDestination)
  }

  /// Reads an address from its bytes.
  init?(bytes: [UInt8], isDestination: Bool) {
    guard bytes.count >= 2 else { return nil }
    switch Int32(UInt16(bytes[0]) | UInt16(bytes[1]) << 8) {
    case AF_INET where bytes.count >= Self.shortLength,
      AF_UNSPEC where isDestination && bytes.count >= Self.shortLength:
      self = .internet(
        InternetAddress(bytes: Array(bytes[4..<8]), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3])))
    case AF_INET6 where bytes.count >= 24:
      self = .internet(
        InternetAddress(
          bytes: Array(bytes[8..<24]), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3])))
    case AF_INET, AF_INET6, AF_UNSPEC, AF_NETLINK:
      return nil
    case AF_UNIX:
      // unix(7): an abstract name begins with a zero byte, and is not a path.
      let path = bytes[2...].prefix { $0 != 0 }
      guard !path.isEmpty else { return nil }
      self = .local(path: String(decoding: path, as: UTF8.self))
    default:
      self = .foreign
    }
  }

  /// The bytes of an address of this machine, in this address's own family.
  func bytes(of local: InternetAddress) -> [UInt8] {
    guard case .internet(let internet) = self else { return [] }
    return local.socketBytes(isWide: internet.bytes.count == 16)
  }
}
