internal import Glibc
internal import ScenarioEvents

/// Sockets with paths that only their owner can open (unix(7)).
enum LocalSocket {
  /// The longest path that an address can hold.
  private static let longestPath = 107

  /// Listens at a path; the descriptor, from which nothing is waited for.
  static func listen(at path: String, _ type: __socket_type) throws(Failure) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.system("cannot create a socket for \"\(path)\"") }
    unlink(path)
    // The file gets its mode from the socket (unix(7)): a chmod afterwards leaves a moment in
    // which others find it open.
    guard fchmod(descriptor, 0o600) == 0, with(path, { bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, 8) == 0
    else {
      let failure = Failure.system("cannot listen at \"\(path)\"")
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Connects to a path; negative if no process listens there.
  static func connect(to path: String, _ type: __socket_type) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    guard with(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// Accepts a connection; negative if there is none.
  static func accept(_ listener: Int32) -> Int32 {
    let connection = Glibc.accept(listener, nil, nil)
    if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
    return connection
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    guard path.utf8.count <= longestPath else {
      errno = ENAMETOOLONG
      return -1
    }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + 1)
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
