internal import Glibc

/// The local addresses that stand for remote ones, so that a program which asks for the other end
/// of a connection gets the address that it meant.
struct RedirectionTable {
  /// The port without a listener at the addresses of `nowhere`: `discard` (RFC 863).
  static let discardPort: UInt16 = 9
  /// The largest number of addresses without a way that are kept apart; further ones share the
  /// last.
  private static let limit = 1 << 16
  /// 127.128.0.0, of which programs use nothing.
  private static let nowhere: UInt32 = 0x7f80_0000

  private var streams: [UInt16: InternetAddress] = [:]
  private var datagrams: [UInt16: InternetAddress] = [:]
  private var discarded: [InternetAddress] = []
  private var discardedIndices: [InternetAddress: Int] = [:]

  /// Records that a port of 127.0.0.1 stands for an address.
  mutating func add(_ address: InternetAddress, port: UInt16, transport: TransportKind) {
    switch transport {
    case .stream: streams[port] = address
    case .datagram: datagrams[port] = address
    }
  }

  /// Returns an address of this machine without a listener, for one that leads nowhere.
  mutating func discard(_ address: InternetAddress) -> InternetAddress {
    let index: Int
    if let known = discardedIndices[address] {
      index = known
    } else if discarded.count < Self.limit {
      index = discarded.count
      discarded.append(address)
      discardedIndices[address] = index
    } else {
      index = Self.limit - 1
    }
    let number = (Self.nowhere + UInt32(index)).bigEndian
    return InternetAddress(
      bytes: withUnsafeBytes(of: number) { Array($0) }, port: Self.discardPort)
  }

  /// Returns the address that an address of this machine stands for; `nil` if it only stands for
  /// itself.
  ///
  /// - Parameters:
  ///   - address: the other end, as the kernel knows it.
  ///   - transport: the socket's; `nil` if it is not known.
  func original(of address: InternetAddress, transport: TransportKind) -> InternetAddress? {
    let local = address.unmapped
    guard local.bytes.count == 4 else { return nil }
    let number = local.bytes.reduce(0) { $0 << 8 | UInt32($1) }
    if number == INADDR_LOOPBACK {
      switch transport {
      case .stream: return streams[local.port]
      case .datagram: return datagrams[local.port]
      }
    }
    guard transport == .datagram, local.port == Self.discardPort, number >= Self.nowhere else {
      return nil
    }
    let index = Int(number - Self.nowhere)
    return index < discarded.count ? discarded[index] : nil
  }

  /// True if the table is empty.
  var isEmpty: Bool { streams.isEmpty && datagrams.isEmpty && discarded.isEmpty }
}
