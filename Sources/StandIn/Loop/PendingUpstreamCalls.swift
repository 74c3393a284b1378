import Synchronization

/// How many questions to real hosts are open: while there are any, virtual time stands still.
public final class PendingUpstreamCalls: Sendable {
  private let count = Atomic<Int>(0)

  init() {}

  /// Whether any is open; may be asked from any thread.
  public var hasAny: Bool { count.load(ordering: .acquiring) > 0 }

  /// Opens one.
  func open() -> PendingUpstreamCall {
    count.add(1, ordering: .acquiringAndReleasing)
    return PendingUpstreamCall(self)
  }

  fileprivate func close() {
    count.subtract(1, ordering: .acquiringAndReleasing)
  }
}

/// One question, which is closed once, at the latest when nobody holds it any more.
///
/// Lives on the event loop.
final class PendingUpstreamCall {
  private let questions: PendingUpstreamCalls
  private var isOpen = true

  fileprivate init(_ questions: PendingUpstreamCalls) {
    self.questions = questions
  }

  deinit {
    close()
  }

  func close() {
    if isOpen { questions.close() }
    isOpen = false
  }
}
