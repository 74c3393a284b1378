internal import NIOCore

/// Holds virtual time for a real host of which it is unknown whether it will answer.
///
/// Time does not move from the client's bytes to the host's, and a little longer, lest it move in
/// the middle of an answer. Lives on the event loop.
final class UpstreamGracePeriod {
  /// Real time that a host has before virtual time moves on without its answer.
  static let thought = TimeAmount.seconds(5)
  /// Real time that the next part of an answer is waited for.
  static let pause = TimeAmount.milliseconds(50)

  private let questions: PendingUpstreamCalls?
  private let loop: any EventLoop
  private var question: PendingUpstreamCall?
  private var end: Scheduled<Void>?

  /// - Parameter questions: the calls that hold virtual time; `nil` if it is not to be held.
  init(questions: PendingUpstreamCalls?, loop: any EventLoop) {
    self.questions = questions
    self.loop = loop
  }

  /// Holds time until bytes come, at most so long.
  func expectAnswer(within length: TimeAmount = UpstreamGracePeriod.thought) {
    guard let questions else { return }
    if question == nil { question = questions.open() }
    end?.cancel()
    let bound = NIOLoopBound(self, eventLoop: loop)
    end = loop.scheduleTask(in: length) { bound.value.stop() }
  }

  /// Releases time.
  func stop() {
    end?.cancel()
    end = nil
    question?.close()
    question = nil
  }
}
