internal import Glibc

/// A thread that nobody waits for.
enum DetachedThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs something on a thread of its own.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(run))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    if error == 0 { pthread_detach(thread) } else { box.release() }
    return error == 0
  }
}
