internal import MockEngine
internal import NIOCore
internal import NIOHTTP1

/// One request to a real host: the parts of its answer so far, and their receiver.
///
/// Lives on the event loop.
final class UpstreamExchange {
  /// The parts that were not handed on yet.
  private(set) var waiting = CircularBuffer<HTTPClientResponsePart>()
  private(set) var failure: UpstreamFailure?
  private(set) var isComplete = false
  /// True if a head has been handed on.
  private(set) var hasBegun = false
  /// True if its end cannot be known: both sides send in turn, or the host sends events.
  private(set) var isConversation = false
  /// Called once, when the request has been written: the kernel has it, or as much as it takes.
  var onSent: () -> Void = {}
  /// Called when something has come.
  var onNews: () -> Void = {}
  /// Called once, when all has come or nothing more will.
  var onEnd: (RecordedExchange.Outcome) -> Void = { _ in }
  /// Called once, when the status is known.
  var onStatus: (Int) -> Void = { _ in }
  /// Called with each piece of the body as it comes.
  var onBody: (ByteBuffer) -> Void = { _ in }
  /// Called in place of `onNews` and `onEnd` where the host agrees on another protocol.
  var onTunnel: (UpstreamTunnel) -> Void = { _ in }

  private let question: PendingUpstreamCall
  private let patience: UpstreamGracePeriod
  private var reply: RecordedReply?
  private var channel: (any Channel)?
  /// True if the client has left before the end.
  private(set) var isAbandoned = false

  /// Creates an exchange with a real host.
  convenience init(_ client: UpstreamClient) {
    self.init(holding: client.questions.open(), patience: client.patience())
  }

  /// - Parameters:
  ///   - question: what holds virtual time until the answer is complete, or both sides converse.
  ///   - patience: what holds it from then on.
  init(holding question: PendingUpstreamCall, patience: UpstreamGracePeriod) {
    self.question = question
    self.patience = patience
  }

  func connected(_ channel: any Channel) {
    self.channel = channel
    if isAbandoned { channel.close(promise: nil) }
  }

  /// Switches to holding virtual time only as long as an answer may be pending.
  func converse() {
    isConversation = true
    patience.expectAnswer()
    question.close()
  }

  /// The client has said something.
  func clientSpoke() {
    if isConversation, !isComplete, failure == nil { patience.expectAnswer() }
  }

  /// Receives the next part; `endReading()` follows.
  func receive(_ part: HTTPClientResponsePart) {
    guard !isComplete, failure == nil else { return }
    switch part {
    case .head(let head):
      reply = RecordedReply(
        status: Int(head.status.code),
        headers: head.headers.map { .init(name: $0.name, value: $0.value) })
      if reply?.mediaType == "text/event-stream" { converse() }
      onStatus(Int(head.status.code))
    case .body(let bytes):
      keep(bytes)
      onBody(bytes)
    case .end(let trailers):
      reply?.trailers = (trailers ?? [:]).map { .init(name: $0.name, value: $0.value) }
      isComplete = true
    }
    if isConversation { patience.expectAnswer(within: UpstreamGracePeriod.pause) }
    waiting.append(part)
    if isComplete { finish(reply.map { .reply($0) }) }
  }

  /// Passes on what has come: a head without a body together with its end.
  func endReading() {
    if !waiting.isEmpty { onNews() }
  }

  /// Switches to a tunnel after the host upgraded the protocol.
  func tunnel(_ head: HTTPResponseHead, on channel: any Channel) {
    guard !isComplete, failure == nil else { return channel.close(promise: nil) }
    isComplete = true
    onStatus(Int(head.status.code))
    let tunnel = UpstreamTunnel(head: head, host: channel, patience: patience)
    do {
      try channel.pipeline.syncOperations.addHandler(TunnelHandler(tunnel, isClient: false))
    } catch {
      channel.close(promise: nil)
    }
    self.channel = nil
    patience.expectAnswer()
    question.close()
    onTunnel(tunnel)
    forget()
  }

  private func keep(_ bytes: ByteBuffer) {
    guard var kept = reply else { return }
    reply = nil
    let room = RecordedReply.maximumKeptBody - kept.body.count
    if bytes.readableBytes > room { kept.isCut = true }
    kept.body += bytes.readableBytesView.prefix(room)
    reply = kept
  }

  func fail(_ failure: UpstreamFailure) {
    guard !isComplete, self.failure == nil else { return }
    self.failure = failure
    finish(.fault(failure.fault))
  }

  private func finish(_ outcome: RecordedExchange.Outcome?) {
    channel?.close(promise: nil)
    if isAbandoned {
      // A client leaves events when it has heard enough: what it heard is what it gets again.
      if isConversation, hasBegun, let reply { onEnd(.reply(reply)) }
    } else if let outcome {
      onEnd(outcome)
    }
    onNews()
    // Last of all, and on the thread that has just been busy: it sleeps before time may move.
    patience.stop()
    question.close()
    forget()
  }

  private func forget() {
    onSent = {}
    onNews = {}
    onEnd = { _ in }
    onStatus = { _ in }
    onBody = { _ in }
    onTunnel = { _ in }
  }

  /// Drops the answer: the client has left.
  func abandon() {
    guard !isComplete, failure == nil else { return }
    isAbandoned = true
    fail(.closed)
  }

  /// Reads the host only while the client takes more.
  func setClientWritable(_ value: Bool) {
    channel?.setReading(value)
  }

  /// Removes and returns a part that has not been handed on.
  func takePart() -> HTTPClientResponsePart? {
    let part = waiting.popFirst()
    if case .head? = part { hasBegun = true }
    return part
  }

  /// True if nothing follows a head that has just been taken.
  var isOnlyHead: Bool {
    guard isComplete, waiting.count == 1, case .end(let trailers)? = waiting.first else {
      return false
    }
    return trailers?.isEmpty != false
  }
}
