internal import CSupervisor
internal import Glibc
internal import Synchronization

/// Messages to a supervisor's thread, and the bell that wakes it.
final class Mailbox: Sendable {
  typealias Message = @Sendable (any TargetControl) -> Void

  private let messages = Mutex<[Letter]>([])
  private let closed = Atomic<Bool>(false)
  private let ending = Atomic<Bool>(false)
  /// An eventfd.
  let bell: Int32
  private let place: Int32
  /// The place of the loop while its thread sleeps and nothing can happen.
  let resting = ParkedLoop()

  private struct Letter {
    /// True if it changes nothing.
    let isLook: Bool
    let message: Message
  }

  /// - Parameter isRegistered: whether its bell rings when a tracee stops as well.
  init(isRegistered: Bool = true) throws(LaunchError) {
    bell = scenario_open_bell(1)
    guard bell >= 0 else { throw .failed(operation: "eventfd", errorNumber: errno) }
    guard isRegistered else {
      place = -1
      return
    }
    place = scenario_register_bell(bell)
    guard place >= 0 else {
      Glibc.close(bell)
      throw .failed(operation: "registering the supervisor", errorNumber: EAGAIN)
    }
  }

  deinit {
    if place >= 0 { scenario_unregister_bell(place) }
    Glibc.close(bell)
  }

  /// Posts a message and rings the bell.
  ///
  /// - Parameter isLook: whether it changes nothing.
  func post(isLook: Bool = false, _ message: @escaping Message) {
    let isTaken = messages.withLock { list in
      guard !closed.load(ordering: .relaxed) else { return false }
      list.append(Letter(isLook: isLook, message: message))
      return true
    }
    guard isTaken else { return }
    var one: UInt64 = 1
    _ = write(bell, &one, MemoryLayout<UInt64>.size)
  }

  /// Drops all messages, and those that come from now on: the thread has ended, and what they hold would never be free.
  func close() {
    let dropped = messages.withLock { list in
      closed.store(true, ordering: .relaxed)
      defer { list = [] }
      return list
    }
    // Outside of the lock, as what they hold may post messages when it goes.
    withExtendedLifetime(dropped) {}
  }

  /// Announces the end of all waits for the thread's work; the message with the next work follows.
  func end() {
    ending.store(true, ordering: .releasing)
  }

  /// True if that has been said.
  var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// Removes and returns all messages, in order.
  ///
  /// - Parameter looksOnly: whether to take none that changes anything, nor what came behind it.
  func take(looksOnly: Bool = false) -> [Message] {
    messages.withLock { list in
      let count = looksOnly ? list.prefix(while: \.isLook).count : list.count
      guard count > 0 else { return [] }
      let taken = list.prefix(count).map(\.message)
      list.removeFirst(count)
      return taken
    }
  }

  /// True if there is no message.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// True if a message may change anything.
  var hasActions: Bool { messages.withLock { list in list.contains { !$0.isLook } } }

  /// Empties the bell.
  func silenceBell() {
    var count: UInt64 = 0
    _ = read(bell, &count, MemoryLayout<UInt64>.size)
  }
}
