internal import CSupervisor
internal import Glibc

/// A socket of a target whose other end answers no more.
struct AbandonedSocket {
  /// For how long the kernel is waited for at most, in milliseconds: it looks once in a second.
  private static let patience: Int32 = 5_000

  let local: InternetAddress
  let remote: InternetAddress

  func end(among kernel: any TraceKernel) {
    guard let socket = find(among: kernel) else { return }
    defer { socket.end() }
    // tcp(7): one probe a second, and an end to what is not acknowledged within a millisecond.
    for (name, value) in [(TCP_KEEPIDLE, 1), (TCP_KEEPINTVL, 1), (TCP_KEEPCNT, 1)] {
      socket.set(Int32(IPPROTO_TCP), name, to: Int32(value))
    }
    socket.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 1)
    socket.set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
    var entry = pollfd(fd: socket.descriptor, events: 0, revents: 0)
    poll(&entry, 1, Self.patience)
  }

  private func find(among kernel: any TraceKernel) -> SocketCopy? {
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
