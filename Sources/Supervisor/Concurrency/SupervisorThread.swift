internal import Glibc

/// A plain POSIX thread that runs one closure.
final class SupervisorThread: Sendable {
  private let identifier: pthread_t

  /// Starts the thread.
  ///
  /// - Parameter isJoined: whether `join` will be called.
  init(isJoined: Bool = true, _ body: @escaping @Sendable () -> Void) throws(LaunchError) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(body))
    let error = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      box.release()
      throw .failed(operation: "pthread_create", errorNumber: error)
    }
    identifier = thread
    if !isJoined { pthread_detach(thread) }
  }

  /// Waits until the closure has returned.
  func join() {
    pthread_join(identifier, nil)
  }

  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
