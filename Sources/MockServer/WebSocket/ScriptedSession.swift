internal import Foundations
internal import NIOCore
internal import ScenarioPlan

/// A WebSocket session that follows the author's script.
///
/// Messages of the client that no `expect` waits for yet are kept for the next one.
final class ScriptedSession: WebSocketSession {
  /// The action of a step.
  enum Action {
    case expect((WebSocketMessage) -> Mismatch?)
    /// The client has no more messages.
    case expectEnd
    case send(() throws(PreparationError) -> WebSocketMessage)
    case ping(String)
    case close(code: Int, reason: String)
    case leave(AbortMode)
  }

  /// A step, ready to be done.
  struct Step {
    var delay: Nanoseconds
    var action: Action
    var range: SourceRange
  }

  /// A report of the session.
  enum News {
    /// A message went over the wire.
    case message(WebSocketMessage, isFromClient: Bool)
    /// The client did not do what the script says.
    case mismatch(String)
  }

  /// The maximum number of messages that may wait for an `expect`.
  private static let maximumWaiting = 4096
  /// The maximum number of bytes that they may have together.
  private static let maximumWaitingBytes = 64 * 1024 * 1024
  /// RFC 6455, section 7.4.1: a message violates the policy.
  private static let policyViolation = 1008

  /// Receives reports.
  var report: (News) -> Void = { _ in }

  private let steps: [Step]
  private var next = 0
  private var isDelayOver = false
  private var isWaitingForClock = false
  private var waiting = CircularBuffer<WebSocketMessage>()
  private var waitingBytes = 0
  private var isOver = false

  init(_ steps: [Step]) {
    self.steps = steps
  }

  // MARK: - Events

  func opened(_ socket: WebSocket) {
    advance(socket)
  }

  func received(_ message: WebSocketMessage, on socket: WebSocket) {
    report(.message(message, isFromClient: true))
    // Behind the last `expect` the client may say what it likes.
    guard !isOver, steps[next...].contains(where: \.isExpectation) else { return }
    waitingBytes += message.bytes.readableBytes
    guard waiting.count < Self.maximumWaiting, waitingBytes <= Self.maximumWaitingBytes else {
      return fail(
        "\(waiting.count) messages wait for an \"expect\", and another one came", socket)
    }
    waiting.append(message)
    advance(socket)
  }

  func ended(_ ending: WebSocketEnding) {
    guard !isOver else { return }
    isOver = true
    guard let step = steps[next...].first(where: \.isExpectation) else { return }
    if case .expectEnd = step.action {
      // What came while a step before it waited for the clock was never looked at.
      if let message = waiting.first { report(.mismatch(step.surplus(message))) }
      return
    }
    let how =
      switch ending {
      case .closed(let code, _): "closed the WebSocket (\(code))"
      case .lost: "left"
      }
    report(.mismatch("the client \(how) before it sent what \(step.range.description) expects"))
  }

  // MARK: - The script

  private func advance(_ socket: WebSocket) {
    while !isOver, !isWaitingForClock, next < steps.count {
      let step = steps[next]
      if step.delay > .zero, !isDelayOver { return wait(for: step.delay, socket) }
      if case .expect(let check) = step.action {
        guard let message = waiting.popFirst() else { return }
        waitingBytes -= message.bytes.readableBytes
        if let mismatch = check(message) {
          return fail("\(step.range.description): \(mismatch.text)", socket)
        }
      }
      if case .expectEnd = step.action {
        guard let message = waiting.first else { return }
        return fail(step.surplus(message), socket)
      }
      isDelayOver = false
      next += 1
      perform(step, socket)
    }
  }

  private func wait(for delay: Nanoseconds, _ socket: WebSocket) {
    isWaitingForClock = true
    socket.schedule(after: delay) { [self] in
      isWaitingForClock = false
      isDelayOver = true
      advance(socket)
    }
  }

  private func perform(_ step: Step, _ socket: WebSocket) {
    switch step.action {
    case .expect, .expectEnd: break
    case .send(let make):
      do throws(PreparationError) {
        let message = try make()
        report(.message(message, isFromClient: false))
        socket.send(message)
      } catch {
        fail("\(step.range.description): the message cannot be made: \(error.message)", socket)
      }
    case .ping(let text): socket.ping(ByteBuffer(string: text))
    case .close(let code, let reason):
      isOver = true
      socket.close(code: code, reason: reason)
    case .leave(let manner):
      isOver = true
      socket.abandon(manner)
    }
  }

  private func fail(_ message: String, _ socket: WebSocket) {
    isOver = true
    report(.mismatch(message))
    socket.close(code: Self.policyViolation, reason: "not what the scenario expects")
  }
}

extension ScriptedSession.Step {
  /// True if the step waits for a message of the client, or for its end.
  var isExpectation: Bool {
    switch action {
    case .expect, .expectEnd: true
    case .send, .ping, .close, .leave: false
    }
  }

  /// The mismatch of a message that comes in the place of the client's end.
  fileprivate func surplus(_ message: WebSocketMessage) -> String {
    let words =
      switch message {
      case .text(let text): "the message \"\(text.excerpt(limit: 80))\""
      case .binary(let bytes): "a binary message of \(bytes.readableBytes) bytes"
      }
    return "\(range.description): expected the end of the client's messages, got \(words)"
  }
}

extension Mismatch {
  /// The text on one line.
  fileprivate var text: String {
    "\(message), got \(actual)"
  }
}
