internal import Glibc
internal import Synchronization

/// Threads that give the machine's processors something to do, so that others get their turns at other times.
final class BusyProcessors: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let threads = Mutex<[pthread_t]>([])

  /// Starts a thread for each processor.
  init() {
    for _ in 0..<ProcessorCount.available() {
      var thread = pthread_t()
      let box = Unmanaged.passRetained(self)
      let error = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<BusyProcessors>.fromOpaque(argument).takeRetainedValue().turn()
          return nil
        }, box.toOpaque())
      if error == 0 { threads.withLock { $0.append(thread) } } else { box.release() }
    }
  }

  /// Ends, and waits for the end.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    for thread in threads.withLock({ $0 }) { pthread_join(thread, nil) }
  }

  private func turn() {
    while !isOver.load(ordering: .relaxed) {}
  }
}
