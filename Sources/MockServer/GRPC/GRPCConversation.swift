internal import Foundations
internal import NIOCore
internal import NIOHTTP1
internal import ScenarioPlan

/// A call of gRPC in which both sides send in turn, as the author's script says.
///
/// Lives on the event loop. Messages of the client that no `expect` waits for yet are kept.
final class GRPCConversation {
  /// The action of a step.
  enum Action {
    case expect((ByteBuffer) -> Mismatch?)
    /// The client has no more messages.
    case expectEnd
    case send(() throws(PreparationError) -> ByteBuffer)
  }

  /// A step, ready to be done.
  struct Step {
    var delay: Nanoseconds
    var action: Action
    var range: SourceRange
  }

  /// The maximum number of messages that may wait for an `expect`.
  private static let maximumWaiting = 4096
  /// FAILED_PRECONDITION: the call does not go as the scenario says.
  private static let mismatchStatus = 9

  /// The stream of the client's messages.
  let feed = BodyStream()
  /// Receives what the client did that the script does not allow.
  var reportMismatch: (String) -> Void = { _ in }
  /// Receives each message, and whether the client sent it.
  var reportMessage: (ByteBuffer, _ isFromClient: Bool) -> Void = { _, _ in }
  /// Waits for the clock.
  var schedule: (Nanoseconds, @escaping () -> Void) -> Void = { _, _ in }

  private let steps: [Step]
  private let trailers: HTTPHeaders
  private var next = 0
  private var reader = GRPCMessageReader()
  private var waiting = CircularBuffer<GRPCMessageReader.Message>()
  private var hasClientEnded = false
  private var isWaitingForClock = false
  private var isDelayOver = false
  private var isOver = false

  init(_ steps: [Step], trailers: HTTPHeaders) {
    self.steps = steps
    self.trailers = trailers
    feed.onChange = { [weak self] in
      guard let self, !feed.isOpen else { return }
      leave()
    }
  }

  // MARK: - The client

  /// Performs the steps before the client's first message.
  func begin() {
    advance()
  }

  /// Receives a part of the request.
  func receive(_ part: RequestFeed.Part) {
    guard !isOver else { return }
    switch part {
    case .bytes(let bytes):
      let messages = reader.read(bytes)
      for message in messages { reportMessage(message.bytes, true) }
      waiting.append(contentsOf: messages)
      guard !reader.isLost, waiting.count <= Self.maximumWaiting else {
        return fail(
          "the client sent more messages than an \"expect\" waits for, or one that is too large")
      }
    case .end: hasClientEnded = true
    case .lost: return leave()
    }
    advance()
  }

  /// The whole of a request that was complete before it was answered.
  func receive(whole body: [UInt8]) {
    receive(.bytes(ByteBuffer(bytes: body)))
    receive(.end([:]))
  }

  private func leave() {
    guard !isOver else { return }
    isOver = true
    guard let step = steps[next...].first(where: \.isExpectation) else { return }
    reportMismatch("the client disconnected before it sent what \(step.range.description) expects")
  }

  // MARK: - The script

  private func advance() {
    while !isOver, !isWaitingForClock {
      guard next < steps.count else {
        isOver = true
        return feed.finish(trailers: trailers)
      }
      let step = steps[next]
      if step.delay > .zero, !isDelayOver { return wait(for: step.delay) }
      guard perform(step) else { return }
      isDelayOver = false
      next += 1
    }
  }

  private func wait(for delay: Nanoseconds) {
    isWaitingForClock = true
    schedule(delay) { [self] in
      isWaitingForClock = false
      isDelayOver = true
      advance()
    }
  }

  /// Returns whether the step is through.
  private func perform(_ step: Step) -> Bool {
    switch step.action {
    case .send(let message):
      do throws(PreparationError) {
        let bytes = try message()
        reportMessage(bytes, false)
        feed.send(GRPCMessageReader.frame(bytes))
        return true
      } catch {
        fail("\(step.range.description): the message cannot be made: \(error.message)")
        return false
      }
    case .expectEnd:
      if !waiting.isEmpty {
        fail(
          "\(step.range.description): expected the end of the client's messages, got another message"
        )
      }
      return hasClientEnded && !isOver
    case .expect(let check):
      guard let message = waiting.popFirst() else {
        if hasClientEnded {
          fail("\(step.range.description): expected a message, but the client sent no more")
        }
        return false
      }
      guard !message.isPacked else {
        fail(
          "\(step.range.description): the client's message is compressed (grpc-encoding), which a script does not"
            + " read: switch the compression of the client off")
        return false
      }
      guard let mismatch = check(message.bytes) else { return true }
      fail("\(step.range.description): \(mismatch.message), got \(mismatch.actual)")
      return false
    }
  }

  private func fail(_ message: String) {
    guard !isOver else { return }
    isOver = true
    reportMismatch(message)
    feed.finish(trailers: [
      "grpc-status": String(Self.mismatchStatus),
      "grpc-message": "not what the scenario expects",
    ])
  }
}

extension GRPCConversation.Step {
  fileprivate var isExpectation: Bool {
    if case .send = action { false } else { true }
  }
}
