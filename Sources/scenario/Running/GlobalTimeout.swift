internal import Glibc
internal import ScenarioModel
internal import Synchronization

/// Does something after a time, on a thread of its own, unless it is called off before.
final class GlobalTimeout: Sendable {
  /// Both ends of a pipe, or -1 where none could be had, and the wait cannot be called off.
  private let bell: (reading: Int32, writing: Int32)

  /// Begins to wait.
  init(_ length: Nanoseconds, _ action: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    // No target gets it: whoever launches one closes everything else.
    if pipe(&ends) != 0 { ends = [-1, -1] }
    bell = (ends[0], ends[1])
    let end = Self.now() + length
    let reading = bell.reading
    let job = Unmanaged.passRetained(
      TimeoutJob {
        while true {
          let rest = end - Self.now()
          guard rest > .zero else { return action() }
          var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
          // A rounded wait would end before its time.
          let milliseconds = Int32(clamping: rest.count / 1_000_000 + 1)
          if poll(&descriptor, 1, milliseconds) > 0 { return }
        }
      })
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<TimeoutJob>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, job.toOpaque())
    if error == 0 { pthread_detach(thread) } else { job.release() }
  }

  /// Calls it off.
  ///
  /// The pipe stays open: the thread may still look at it.
  func callOff() {
    var one: UInt8 = 1
    _ = write(bell.writing, &one, 1)
  }

  private static func now() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
  }
}

/// A closure that a thread is started with.
private final class TimeoutJob {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
