internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan
internal import Synchronization

/// A search for a regular expression that may take longer than anybody wants to wait.
///
/// A search cannot be stopped; it runs on a thread of its own, which is left behind if it takes too long.
final class BoundedSearch: Sendable {
  private let expression: RegularExpression
  private let bytes: [UInt8]
  private let found = Mutex<Bool?>(nil)

  /// Rung when the search has ended; negative if the system has no descriptors left.
  private let bell: (read: Int32, write: Int32)

  init(_ expression: RegularExpression, in bytes: [UInt8]) {
    self.expression = expression
    self.bytes = bytes
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    bell = (ends[0], ends[1])
  }

  deinit {
    for end in [bell.read, bell.write] where end >= 0 { close(end) }
  }

  /// Whether the expression is found; `nil` if that is not known at the deadline.
  ///
  /// - Parameter deadline: the bound, on the kernel's CLOCK_MONOTONIC.
  func result(before deadline: Nanoseconds) -> Bool? {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BoundedSearch>.fromOpaque(argument).takeRetainedValue().search()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      box.release()
      return nil
    }
    pthread_detach(thread)
    while true {
      let rest = deadline - RealTime.monotonic()
      var end = pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)
      let milliseconds = Int32(clamping: max(0, rest.count / 1_000_000) + 1)
      if poll(&end, 1, milliseconds) > 0 { return found.withLock { $0 } }
      if rest <= .zero { return nil }
    }
  }

  private func search() {
    let isFound = expression.isFound(in: String(decoding: bytes, as: UTF8.self))
    found.withLock { $0 = isFound }
    var byte: UInt8 = 0
    _ = write(bell.write, &byte, 1)
  }
}
