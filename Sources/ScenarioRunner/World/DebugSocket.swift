internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import Supervisor

/// A socket by which a debugger connects to a target of a paused environment, in the run's folder,
/// which only its owner can open, for `target remote` of gdb.
final class DebugSocket {
  /// Its path.
  let path: String
  private let supervisor: any CaseSupervisor
  private let target: TargetNumber
  private let listener: Int32
  private var connection: Int32 = -1
  private var session: DebugSession?
  private var reader = RemotePacketReader()
  /// True if all threads have been seen stopped since the debugger connected.
  private var hasBegun = false

  /// - Parameter path: where it is to be; no longer than an address holds (unix(7)).
  init(
    path: String, _ supervisor: any CaseSupervisor, _ target: TargetNumber
  ) throws(Failure) {
    self.path = path
    self.supervisor = supervisor
    self.target = target
    listener = try LocalSocket.listen(at: path, SOCK_STREAM)
  }

  /// True if a debugger waits for the reason of a stop.
  var awaitsStop: Bool { session?.isRunning ?? false || connection >= 0 && !hasBegun }

  /// The descriptor and event to poll for.
  var pollDescriptor: pollfd {
    pollfd(fd: connection < 0 ? listener : connection, events: Int16(POLLIN), revents: 0)
  }

  /// Handles what has come from the debugger, and answers.
  func serve() {
    if connection < 0 { accept() }
    guard connection >= 0 else { return }
    guard beginWhenStopped() else { return }
    var buffer = [UInt8](repeating: 0, count: RemotePacketReader.limit)
    let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return end() }
    for input in reader.take(buffer[..<max(0, count)]) {
      switch input {
      case .interrupt: session?.interrupt()
      case .garbled: send(Array("-".utf8))
      case .packet(let packet): answer(packet)
      }
      if session?.isOver ?? true { return end() }
    }
    if let report = session?.report() { send(RemotePacket.frame(report)) }
  }

  private func answer(_ packet: [UInt8]) {
    if !(session?.omitsAcknowledgements ?? true) { send(Array("+".utf8)) }
    if let answer = session?.answer(packet) { send(RemotePacket.frame(answer)) }
  }

  private func accept() {
    connection = LocalSocket.accept(listener)
    guard connection >= 0 else { return }
    guard let process = supervisor.debug(target) else {
      Glibc.close(connection)
      connection = -1
      return
    }
    debugged = process
    reader = RemotePacketReader()
    hasBegun = false
  }

  private var debugged: (any DebugTarget)?

  /// Answers a debugger as soon as all threads are stopped, and returns whether the session has
  /// begun.
  private func beginWhenStopped() -> Bool {
    guard !hasBegun, let debugged else { return hasBegun }
    guard debugged.stopReason() != nil else { return false }
    session = DebugSession(debugged)
    hasBegun = true
    return true
  }

  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The debugger has gone, or is to go: the target runs on.
  private func end() {
    guard connection >= 0 else { return }
    if !(session?.isOver ?? false) { debugged?.detach() }
    Glibc.close(connection)
    connection = -1
    session = nil
    debugged = nil
  }

  /// Closes the socket and ends debugging.
  func close() {
    end()
    unlink(path)
    Glibc.close(listener)
  }
}
