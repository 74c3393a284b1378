internal import Foundations
internal import NIOCore
internal import NIOHTTP1

/// Writes a reply to a connection as its protocol has it.
protocol ReplyWire: AnyObject {
  /// True if the connection takes more without keeping it in memory.
  var isWritable: Bool { get }
  /// Writes the head, with the fields of the framing.
  func sendHead(_ reply: PreparedReply, isWhole: Bool)
  /// Writes a piece of the body.
  func sendBody(_ part: ByteBuffer)
  /// Writes bytes past every framing.
  func sendRaw(_ bytes: ByteBuffer)
  /// Writes the end of the message.
  func finish(trailers: HTTPHeaders)
  /// Abandons the message without its end.
  func abandon(_ manner: AbortMode)
  /// Hands what was written to the kernel.
  func flush()
}

/// One reply on its way over a connection.
///
/// Lives on the event loop. The owner calls `begin()` when the reply's time has come, `proceed()` when the
/// connection takes more, and `cancel()` when the client has left.
final class ReplyWriter {
  /// The part of a body that is written at once, in bytes.
  private static let pieceLength = 128 * 1024

  /// Receives the reason why a reply broke off; for the report.
  typealias Breakdown = (_ message: String) -> Void

  private let reply: PreparedReply
  private let isHeadRequest: Bool
  private let schedule: (Nanoseconds, @escaping () -> Void) -> Void
  private let breakdown: Breakdown
  private let sent: (ByteBuffer) -> Void
  private var content: ReplyContent
  private var wire: (any ReplyWire)?
  private var nextStep = 0
  private var isPumping = false
  private var hangs = false

  /// - Parameter sent: sees the pieces of a body that is made piece by piece.
  init(
    _ reply: PreparedReply, isHeadRequest: Bool, wire: any ReplyWire,
    schedule: @escaping (Nanoseconds, @escaping () -> Void) -> Void,
    breakdown: @escaping Breakdown, sent: @escaping (ByteBuffer) -> Void
  ) {
    self.reply = reply
    self.isHeadRequest = isHeadRequest
    self.schedule = schedule
    self.breakdown = breakdown
    self.sent = sent
    self.wire = wire
    content = reply.content
    if case .conversation(let conversation) = content { content = .feed(conversation.feed) }
  }

  /// True if the method and the status allow a body.
  private var sendsBody: Bool { !isHeadRequest && reply.mayHaveBody }

  /// True if everything that is to come is there: no step waits for its time.
  var isSending: Bool {
    switch content {
    case .body, .feed, .conversation, .webSocket, .tunnel: true
    case .script: false
    }
  }

  /// True if a body's length is not known at its beginning; messages of a conversation are reported elsewhere.
  private var isInPieces: Bool {
    switch reply.content {
    case .script: reply.beginsWithHead
    case .feed(let feed): feed.length == nil
    case .body, .conversation, .webSocket, .tunnel: false
    }
  }

  /// Sends the head and what is due.
  func begin() {
    guard let wire else { return }
    guard sendsBody else {
      if reply.beginsWithHead {
        if case .feed(let feed) = content { feed.disconnect() }
        wire.sendHead(reply, isWhole: true)
        return finish(trailers: [:])
      }
      return performSteps()
    }
    switch content {
    case .body(let source):
      wire.sendHead(reply, isWhole: source.length == 0 && reply.trailers.isEmpty)
      pump()
    case .script:
      if reply.beginsWithHead {
        wire.sendHead(reply, isWhole: false)
        wire.flush()
      }
      performSteps()
    case .feed(let feed):
      wire.sendHead(reply, isWhole: false)
      wire.flush()
      feed.connect { [weak self] action in self?.perform(action) }
    case .conversation, .webSocket, .tunnel:
      wire.sendHead(reply, isWhole: true)
      finish(trailers: [:])
    }
  }

  /// Resumes after back-pressure.
  func proceed() {
    guard let wire, wire.isWritable else { return }
    switch content {
    case .body: pump()
    case .feed(let feed): feed.setWritable(true)
    case .script, .conversation, .webSocket, .tunnel: break
    }
  }

  /// Stops; the client has left.
  func cancel() {
    wire = nil
    if case .feed(let feed) = content { feed.disconnect() }
  }

  // MARK: - A body

  private func pump() {
    guard !isPumping, case .body(var source) = content else { return }
    isPumping = true
    defer { isPumping = false }
    while let wire {
      guard source.length > 0 else { return finish(trailers: reply.trailers) }
      guard wire.isWritable else { break }
      do {
        wire.sendBody(try source.next(Self.pieceLength))
        content = .body(source)
        // A short body goes out in one packet with its head and its end.
        if source.length > 0 { wire.flush() }
      } catch {
        breakdown((error as? FileBody.ReadError)?.message ?? "\(error)")
        return abandon(.reset)
      }
    }
  }

  // MARK: - A script

  private func performSteps() {
    guard case .script(let script) = content else { return }
    while wire != nil, !hangs {
      guard nextStep < script.steps.count else {
        if reply.beginsWithHead { finish(trailers: reply.trailers) } else { abandon(.close) }
        return
      }
      let step = script.steps[nextStep]
      nextStep += 1
      if step.delay > .zero {
        wire?.flush()
        return schedule(step.delay) { [weak self] in
          self?.perform(step.action)
          self?.performSteps()
        }
      }
      perform(step.action)
    }
  }

  private func perform(_ action: ReplyScript.Action) {
    guard let wire else { return }
    switch action {
    case .send(let part):
      if sendsBody {
        wire.sendBody(part)
        if isInPieces { sent(part) }
      }
      wire.flush()
    case .sendRaw(let bytes):
      wire.sendRaw(bytes)
      wire.flush()
    case .finish(let trailers):
      finish(trailers: trailers.isEmpty ? reply.trailers : trailers)
      return
    case .abandon(let manner):
      abandon(manner)
      return
    case .hang:
      wire.flush()
      hangs = true
    }
    if case .feed(let feed) = content { feed.setWritable(wire.isWritable) }
  }

  // MARK: - The end

  private func finish(trailers: HTTPHeaders) {
    let wire = wire
    self.wire = nil
    wire?.finish(trailers: trailers)
  }

  private func abandon(_ manner: AbortMode) {
    let wire = wire
    self.wire = nil
    wire?.abandon(manner)
  }
}
