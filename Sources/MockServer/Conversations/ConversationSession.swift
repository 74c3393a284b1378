internal import Foundations
internal import NIOCore
internal import ScenarioModel
internal import ScenarioPlan

/// A connection that follows the author's script.
///
/// Bytes of the client that no `expect` waits for yet are kept for the next one.
///
/// Lives on the event loop.
final class ConversationSession {
  /// The action of a step.
  enum Action {
    case expect(([UInt8]) -> Mismatch?, upTo: PieceEnd)
    case expectBytes([UInt8])
    case expectEnd
    case send((_ lastPiece: [UInt8]) throws(PreparationError) -> ByteBuffer)
    case startTLS
    case close(ConnectionEnding)
  }

  /// A step, ready to be done.
  struct Step {
    var delay: Nanoseconds
    var action: Action
    var range: SourceRange
  }

  /// A report of the session.
  enum News {
    /// A piece went over the wire.
    case piece(ByteBuffer, isFromClient: Bool)
    /// The client did not do what the script says.
    case mismatch(String, at: SourceRange)
  }

  /// The commands to the connection.
  struct Line {
    /// Sends bytes.
    var send: (ByteBuffer) -> Void
    /// Begins TLS; ``ConversationSession/becameSecure()`` says that it is there.
    var startTLS: () -> Void
    /// Closes the connection behind what was sent.
    var close: (ConnectionEnding) -> Void
    /// Runs work after a delay in virtual time.
    var schedule: (Nanoseconds, @escaping () -> Void) -> Void
  }

  private let steps: [Step]
  private let line: Line
  private let report: (News) -> Void
  private var input = ConversationInput()
  private var lastPiece: [UInt8] = []
  private var next = 0
  private var isDelayOver = false
  /// True while the clock, or the handshake of TLS, is waited for.
  private var isWaiting = false
  private var isOver = false

  init(_ steps: [Step], line: Line, report: @escaping (News) -> Void) {
    self.steps = steps
    self.line = line
    self.report = report
  }

  // MARK: - Events

  /// The connection is there.
  ///
  /// - Parameter isSecure: whether it begins with TLS.
  func begin(isSecure: Bool) {
    if isSecure { startTLS() } else { advance() }
  }

  /// The handshake of TLS is complete.
  func becameSecure() {
    guard isWaiting else { return }
    isWaiting = false
    advance()
  }

  /// The client has sent bytes.
  func received(_ bytes: ByteBuffer) {
    // Behind the last `expect` the client may say what it likes.
    guard !isOver, steps[next...].contains(where: \.isExpectation) else { return }
    input.append(bytes)
    guard input.count <= 2 * ConversationInput.limit else {
      return fail("\(input.count) bytes came before the script reads them", at: steps[next])
    }
    advance()
  }

  /// The client has closed its side.
  func clientEnded() {
    guard !isOver, !input.isEnded else { return }
    input.end()
    advance()
    closeWhenDone()
  }

  /// The connection is gone.
  func lost() {
    guard !isOver else { return }
    isOver = true
    guard let step = steps[next...].first(where: \.isExpectation) else { return }
    if case .expectEnd = step.action {
      if input.count > 0 { report(.mismatch(surplus, at: step.range)) }
      return
    }
    report(.mismatch(left(input.beginning(Self.shownCount)), at: step.range))
  }

  // MARK: - The script

  private func advance() {
    while !isOver, !isWaiting, next < steps.count {
      let step = steps[next]
      if step.delay > .zero, !isDelayOver { return wait(for: step.delay) }
      guard perform(step) else { return }
      isDelayOver = false
      next += 1
    }
    closeWhenDone()
  }

  /// Closes the connection once both sides have nothing more to say.
  private func closeWhenDone() {
    guard !isOver, !isWaiting, next == steps.count, input.isEnded else { return }
    isOver = true
    line.close(.end)
  }

  private func wait(for delay: Nanoseconds) {
    isWaiting = true
    line.schedule(delay) { [self] in
      isWaiting = false
      isDelayOver = true
      advance()
    }
  }

  /// Does a step; false if it is not done yet, or the connection is over.
  private func perform(_ step: Step) -> Bool {
    switch step.action {
    case .expect(let check, let end):
      guard let piece = taken(input.read(upTo: end), at: step) else { return false }
      lastPiece = piece
      guard let mismatch = check(piece) else { return true }
      fail("\(mismatch.message), got \(mismatch.actual)" + Self.advice(for: piece), at: step)
    case .expectBytes(let wanted):
      guard let piece = taken(input.read(wanted), at: step, wanted: wanted.count) else {
        return false
      }
      lastPiece = piece
      return true
    case .expectEnd:
      guard input.count > 0 else { return input.isEnded }
      fail(surplus, at: step)
    case .send(let make):
      do throws(PreparationError) {
        let bytes = try make(lastPiece)
        report(.piece(bytes, isFromClient: false))
        line.send(bytes)
        return true
      } catch {
        fail("what is sent cannot be made: \(error.message)", at: step)
      }
    case .startTLS:
      guard input.count == 0 else {
        fail(
          "the client sent \(input.count) bytes before TLS could begin:"
            + " \(Self.shown(input.beginning(Self.shownCount)))", at: step)
        return false
      }
      startTLS()
      return true
    case .close(let ending):
      isOver = true
      line.close(ending)
    }
    return false
  }

  private func startTLS() {
    isWaiting = true
    line.startTLS()
  }

  /// The piece that was read; `nil` if it has not come, or never will.
  private func taken(
    _ reading: ConversationInput.Reading, at step: Step, wanted: Int? = nil
  ) -> [UInt8]? {
    switch reading {
    case .piece(let bytes):
      report(.piece(ByteBuffer(bytes: bytes), isFromClient: true))
      return bytes
    case .incomplete: break
    case .ended(let bytes): fail(left(bytes), at: step)
    case .tooLong:
      fail("\(ConversationInput.limit) bytes came, and not the end of the piece", at: step)
    case .different(let place):
      let came = input.beginning(place + Self.shownCount).dropFirst(place)
      fail(
        "expected \(wanted ?? 0) bytes, got others from byte \(place + 1) on:"
          + " \(Self.shown(Array(came)))", at: step)
    }
    return nil
  }

  // MARK: - Mismatches

  /// The maximum number of bytes that messages show.
  private static let shownCount = 80

  private func left(_ bytes: [UInt8]) -> String {
    "the client closed the connection before it sent what is expected here"
      + (bytes.isEmpty ? "" : ", after \(Self.shown(bytes))") + Self.advice(for: bytes)
  }

  /// The advice for a client whose bytes are the beginning of TLS: a record of its handshake (RFC 8446, section 5.1).
  private static func advice(for bytes: [UInt8]) -> String {
    guard bytes.starts(with: [0x16, 3]) else { return "" }
    return "; the client begins with TLS: write \"tls: true\" in the entry, or \"starttls:\" where"
      + " TLS begins"
  }

  private var surplus: String {
    "expected the end of what the client says, got"
      + " \(Self.shown(input.beginning(Self.shownCount)))"
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    let beginning = bytes.prefix(shownCount)
    if let text = String(validating: beginning, as: UTF8.self) {
      return Value.string(text).excerpt(limit: shownCount)
    }
    return "the bytes " + beginning.prefix(16).map { String($0, radix: 16) }.joined(separator: " ")
  }

  private func fail(_ message: String, at step: Step) {
    isOver = true
    report(.mismatch(message, at: step.range))
    line.close(.end)
  }
}

extension ConversationSession.Step {
  /// True if the step waits for the client.
  fileprivate var isExpectation: Bool {
    switch action {
    case .expect, .expectBytes, .expectEnd: true
    case .send, .startTLS, .close: false
    }
  }
}
