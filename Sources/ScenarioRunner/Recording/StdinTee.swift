internal import Glibc
internal import Synchronization

/// Hands the bytes of a descriptor of the runner's to a target as they come, and keeps those that
/// the target has read.
///
/// The target's end does not wait for theirs: a target that reads nothing ends although more may
/// come.
package final class StdinTee: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// The number of bytes that have gone into the pipe.
    var written = 0
    var isFinished = false
    var thread: pthread_t?
  }

  /// FIONREAD of `asm-generic/ioctls.h`.
  private static let unread: UInt = 0x541B
  private static let chunk = 16_384

  private let source: Int32
  private let limit: Int
  /// The target reads from the one end, and a thread writes to the other.
  private let pipeEnds: (read: Int32, write: Int32)
  /// The pipe whose end makes the thread end.
  private let bell: (read: Int32, write: Int32)
  private let state = Mutex(State())

  /// Prepares to hand on; `nil` if no pipe can be had.
  ///
  /// - Parameter limit: So many bytes are kept at most.
  package init?(from source: Int32, limit: Int) {
    func open() -> (read: Int32, write: Int32)? {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
    guard let pipeEnds = open() else { return nil }
    guard let bell = open() else {
      close(pipeEnds.read)
      close(pipeEnds.write)
      return nil
    }
    _ = fcntl(pipeEnds.write, F_SETFL, O_NONBLOCK)
    self.source = source
    self.limit = limit
    self.pipeEnds = pipeEnds
    self.bell = bell
  }

  deinit {
    close(pipeEnds.read)
    close(bell.read)
  }

  /// The bytes that the target has read, once it has ended; `nil` if they exceed the limit.
  package var bytes: [UInt8]? {
    let (bytes, written) = state.withLock { ($0.bytes, $0.written) }
    var rest: Int32 = 0
    _ = ioctl(pipeEnds.read, Self.unread, &rest)
    let count = written - Int(rest)
    return count > limit ? nil : Array(bytes.prefix(max(0, count)))
  }

  /// Starts to hand on bytes.
  ///
  /// - Returns: The descriptor that the target reads.
  func start() -> Int32 {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<StdinTee>.fromOpaque(argument).takeRetainedValue().pass() }
        return nil
      }, box.toOpaque())
    if error == 0 { state.withLock { $0.thread = thread } } else { box.release() }
    return pipeEnds.read
  }

  /// Hands on no more.
  func finish() {
    let (wasFinished, thread) = state.withLock { state in
      defer { state.isFinished = true }
      return (state.isFinished, state.thread)
    }
    guard !wasFinished else { return }
    close(bell.write)
    if let thread { pthread_join(thread, nil) } else { close(pipeEnds.write) }
  }

  // MARK: - The thread

  private func pass() {
    defer { close(pipeEnds.write) }
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while isReady(source, POLLIN) {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, write(buffer[..<count]) else { return }
    }
  }

  /// Writes bytes as the target reads them; returns false if it has ended.
  private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    state.withLock { state in
      if state.bytes.count <= limit { state.bytes += bytes }
    }
    while !rest.isEmpty {
      guard isReady(pipeEnds.write, POLLOUT) else { return false }
      let count = rest.withUnsafeBytes { Glibc.write(pipeEnds.write, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      state.withLock { $0.written += count }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until a descriptor is ready; false if the reader is gone.
  private func isReady(_ descriptor: Int32, _ events: Int32) -> Bool {
    var wanted = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&wanted, 2, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return wanted[1].revents == 0
  }
}
