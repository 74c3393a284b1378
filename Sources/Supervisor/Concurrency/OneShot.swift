internal import CSupervisor
internal import Glibc
internal import Synchronization

/// A slot in which one thread leaves a value that another one waits for.
final class OneShot<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value?
  }

  /// The time between two calls of what a waiting thread does meanwhile, in milliseconds.
  private static var meanwhileInterval: Int32 { 200 }

  private let state = Mutex(State(value: nil))
  private let bell: Int32

  init() {
    bell = scenario_open_bell(0)
  }

  deinit {
    close(bell)
  }

  /// Stores the value; only the first one counts.
  func leave(_ value: Value) {
    let isFirst = state.withLock { state in
      guard state.value == nil else { return false }
      state.value = value
      return true
    }
    guard isFirst else { return }
    var one: UInt64 = 1
    _ = write(bell, &one, MemoryLayout<UInt64>.size)
  }

  /// Waits for the value.
  func value() -> Value {
    while true {
      if let value = state.withLock({ $0.value }) { return value }
      var count: UInt64 = 0
      _ = read(bell, &count, MemoryLayout<UInt64>.size)
    }
  }

  /// Waits for the value, and calls back several times a second until it is there.
  func value(meanwhile: () -> Void) -> Value {
    while !awaitValue(milliseconds: Self.meanwhileInterval) { meanwhile() }
    return value()
  }

  /// Waits for the value so long; whether it is there.
  func awaitValue(milliseconds: Int32) -> Bool {
    var place = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
    if state.withLock({ $0.value }) == nil { _ = poll(&place, 1, milliseconds) }
    return state.withLock { $0.value != nil }
  }
}
