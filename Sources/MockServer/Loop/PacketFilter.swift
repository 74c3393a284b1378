internal import Glibc
internal import NIOCore

/// Filters of sockets: socket(7), SO_ATTACH_FILTER.
enum PacketFilter {
  /// An instruction of a filter, BPF_RET with BPF_K, which keeps no byte of a packet (`linux/filter.h`).
  private static let drop: UInt64 = 0x06

  /// `struct sock_fprog`: how many instructions, and where they are.
  private struct Program {
    var count: UInt64 = 1
    var address: UInt
  }

  /// Lets a socket lose whatever is sent to it; false if the kernel refuses.
  static func dropAll(on descriptor: Int32) -> Bool {
    var instruction = drop
    return withUnsafeMutableBytes(of: &instruction) { bytes in
      var program = Program(address: UInt(bitPattern: bytes.baseAddress))
      return setsockopt(
        descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program,
        socklen_t(MemoryLayout<Program>.size)) == 0
    }
  }

  /// Lets a channel's socket lose whatever is sent to it.
  static func dropAll(on channel: any Channel) -> EventLoopFuture<Void> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    let instruction = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    instruction.initialize(to: drop)
    let address = UInt(bitPattern: instruction)
    return provider.unsafeSetSocketOption(
      level: .socket, name: .init(rawValue: SO_ATTACH_FILTER), value: Program(address: address)
    ).always { _ in UnsafeMutablePointer<UInt64>(bitPattern: address)?.deallocate() }
  }
}
