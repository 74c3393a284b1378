/// The place of the socket addresses of a call that connects or sends.
enum AddressedCall {
  /// connect(2), sendto(2): the address is an argument, its length the next one.
  case argument(Int)
  /// The address's place and length are in a `struct msghdr`, for sendmsg(2).
  case message(UInt64)
  /// The places and lengths are in each of so many messages, for sendmmsg(2).
  case messages(UInt64, count: Int)

  /// The sizes of `struct msghdr` and `struct mmsghdr`, in bytes (recvmsg(2), recvmmsg(2)).
  static let messageLength = 56
  static let vectorElementLength: UInt64 = 64
  /// The largest number of messages that the kernel accepts (UIO_MAXIOV).
  private static let mostMessages: UInt64 = 1_024

  /// Reads a call at its entry; `nil` for one that names no address.
  init?(_ registers: Registers) {
    switch registers.systemCall {
    case SystemCallNumber.connect:
      self = .argument(1)
    case SystemCallNumber.sendto:
      guard registers[argument: 4] != 0 else { return nil }
      self = .argument(4)
    case SystemCallNumber.sendmsg:
      self = .message(registers[argument: 1])
    case SystemCallNumber.sendmmsg:
      let count = UInt64(UInt32(truncatingIfNeeded: registers[argument: 2]))
      self = .messages(registers[argument: 1], count: Int(min(count, Self.mostMessages)))
    default:
      return nil
    }
  }
}

/// The place and length of an address in a `struct msghdr`.
struct MessageName: BitwiseCopyable, Equatable {
  /// The address in memory of the socket address; 0 if there is none.
  var address: UInt64
  /// Its length in bytes, a C int.
  var length: UInt32

  /// Reads it; `nil` if the structure cannot be read.
  init?(ofMessage message: UInt64, _ memory: TargetMemory) {
    guard let address = memory.read(UInt64.self, at: message),
      let length = memory.read(UInt32.self, at: message &+ 8)
    else { return nil }
    self.address = address
    self.length = length
  }

  /// Creates one.
  init(address: UInt64, length: UInt32) {
    self.address = address
    self.length = length
  }

  /// Writes it into a structure; the bytes between its fields and the next ones stay.
  func write(toMessage message: UInt64, _ memory: TargetMemory) {
    memory.write(address, at: message)
    memory.write(length, at: message &+ 8)
  }
}
