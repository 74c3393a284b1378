internal import Foundations
internal import Glibc
internal import MockServer
internal import ScenarioEvents
internal import ScenarioModel
internal import Synchronization

/// The socket on which a target reports that it is ready (sd_notify(3)): datagrams of lines,
/// `READY=1` among them.
///
/// A thread empties it for as long as it is open, so that no sender has to wait; descriptors that
/// came along are closed then, which is what a sender of `BARRIER=1` waits for. Virtual time does
/// not move before it has taken what is there.
final class NotifySocket: Sendable {
  /// The value of NOTIFY_SOCKET: a path, or `@` and a name in the abstract namespace.
  let address: String
  private let descriptor: Int32
  private let state = Mutex(State())
  private let now: @Sendable () -> Nanoseconds
  private let reader = Atomic<Int32>(0)

  /// The messages of the target since it was started.
  private struct State {
    var isReady = false
    var status: String?
    var watchdog = WatchdogRecord()
  }

  /// The longest path that an address can hold (unix(7)).
  private static let longestPath = 107

  /// Opens the socket; a path that is too long gives way to an abstract name.
  ///
  /// - Parameter now: virtual time since the scenario's start.
  init(
    path: String, kind: NotifySocketKind, now: @escaping @Sendable () -> Nanoseconds
  ) throws(Failure) {
    self.now = now
    let isAbstract = kind == .abstract || path.utf8.count > Self.longestPath
    address = isAbstract ? "@scenario" + String(path.suffix(90)) : path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.system("cannot create a socket for NOTIFY_SOCKET") }
    if !isAbstract { unlink(path) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name ends where the address does.
    let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    let error = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length))
      }
    }
    guard error == 0 else {
      let failure = Failure.system("cannot bind NOTIFY_SOCKET to \"\(address)\"")
      Glibc.close(descriptor)
      throw failure
    }
    startReading()
  }

  /// The thread that empties it, by its number; -1 if that is not to be had.
  var thread: Int32 { reader.load(ordering: .acquiring) }

  /// True if the target has reported that it is ready.
  var isReady: Bool { state.withLock { $0.isReady } }

  /// The target's signs of life.
  var watchdog: WatchdogRecord { state.withLock { $0.watchdog } }

  /// The last status that the target sent (`STATUS=`).
  var status: String? { state.withLock { $0.status } }

  /// Takes note that the target was asked to end: from then on it need not say that it lives.
  func expectEnd() {
    take()
    let instant = now()
    state.withLock { $0.watchdog.expectEnd(at: instant) }
  }

  /// Forgets what was reported before the target is started again.
  func reset() {
    take()
    state.withLock { $0 = State() }
  }

  /// Ends the thread, which closes the socket.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    if !address.hasPrefix("@") { unlink(address) }
  }

  /// Receives the datagrams that are there; false if no more can come.
  @discardableResult
  private func take() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while true {
      // No room is given for descriptors, which the kernel therefore closes.
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      // An empty datagram; or the socket was shut down, which poll(2) tells.
      if count == 0 { return true }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      let instant = now()
      state.withLock { state in
        for line in text.split(separator: "\n") {
          if line == "READY=1" { state.isReady = true }
          state.watchdog.take(line, at: instant)
          if line.hasPrefix("STATUS=") { state.status = String(line.dropFirst("STATUS=".count)) }
        }
      }
    }
  }

  private func startReading() {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let socket = Unmanaged<NotifySocket>.fromOpaque(argument).takeRetainedValue()
        socket.reader.store((try? KernelThread.currentIdentifier()) ?? -1, ordering: .releasing)
        var wanted = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&wanted, 1, -1) >= 0 || errno == EINTR {
          guard wanted.revents & Int16(POLLHUP | POLLNVAL) == 0, socket.take() else { break }
        }
        Glibc.close(socket.descriptor)
        return nil
      }, box.toOpaque())
    guard error == 0 else { return box.release() }
    pthread_detach(thread)
    // It has nothing to do before it has said who it is.
    while reader.load(ordering: .acquiring) == 0 { sched_yield() }
  }
}
