internal import CSupervisor
internal import Glibc

/// A socket of a target whose other end answers no more.
final class AbandonedSocket: Sendable {
  /// For how long the kernel is waited for at most: it looks once in a second, but at a SYN whenever it sends that
  /// again, and the longest wait for this is that of 64 seconds.
  static let patience = Duration.seconds(70)
  /// For how long it is waited for at once, in milliseconds.
  private static let look: Int32 = 10

  private let socket: SocketCopy

  /// Asks the kernel to give up a socket; `nil` if there is none with these addresses.
  init?(local: InternetAddress, remote: InternetAddress, among kernel: any TraceKernel) {
    guard let socket = Self.find(local, remote, among: kernel) else { return nil }
    self.socket = socket
    // tcp(7): one probe a second, and an end to what is not acknowledged within a millisecond.
    for (name, value) in [(TCP_KEEPIDLE, 1), (TCP_KEEPINTVL, 1), (TCP_KEEPCNT, 1)] {
      socket.set(Int32(IPPROTO_TCP), name, to: Int32(value))
    }
    socket.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 1)
    socket.set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
  }

  deinit { socket.end() }

  /// Waits a little, and returns whether the kernel has given it up.
  func isOver() -> Bool {
    var entry = pollfd(fd: socket.descriptor, events: 0, revents: 0)
    return poll(&entry, 1, Self.look) > 0
  }

  private static func find(
    _ local: InternetAddress, _ remote: InternetAddress, among kernel: any TraceKernel
  ) -> SocketCopy? {
    let inode = ConnectionList().read(asksProgress: false).first {
      $0.local.internet.unmapped == local && $0.remote.internet.unmapped == remote
    }?.inode
    guard let inode, inode > 0 else { return nil }
    for tracee in kernel.tracees.values {
      let folder = "/proc/\(tracee.identifier.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)"),
          case .socket(inode) = OpenDescriptor(link: link)
        else { continue }
        let copy = SocketCopy(kernel.copyDescriptor(number, of: tracee))
        if copy.inode == inode { return copy }
        copy.end()
      }
    }
    return nil
  }
}
