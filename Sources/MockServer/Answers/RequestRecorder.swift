internal import Foundations
internal import MockEngine
internal import NIOCore
internal import Patterns
internal import ScenarioModel

/// Records requests and what answered them, and reports both.
///
/// Lives on the event loop.
final class RequestRecorder {
  private let log: ExchangeLog
  private let reporter: EventReporter
  private let clock: VirtualClock
  /// The messages of gRPC, which are reported decoded.
  let calls: CallTypes

  init(log: ExchangeLog, reporter: EventReporter, clock: VirtualClock, calls: CallTypes) {
    self.calls = calls
    self.log = log
    self.reporter = reporter
    self.clock = clock
  }

  /// Records a request with its answer, and reports it.
  func record(
    _ request: IncomingRequest, status: Int, entry: String? = nil, delay: Nanoseconds = .zero,
    operation: String? = nil, fault: ReplyFault? = nil, changes: [StateChange] = []
  ) -> RecordedRequest {
    let record = append(request, operation ?? request.operationName) { record in
      record.status = status
      record.entry = entry
      record.delay = delay
      record.fault = fault
      record.changes = changes
      record.trailers = request.trailers
    }
    reporter.report(.request(record))
    return record
  }

  /// Records a request whose answer is not known yet.
  func open(
    _ request: IncomingRequest, entry: String? = nil, delay: Nanoseconds = .zero,
    changes: [StateChange] = []
  ) -> RecordedRequest {
    append(request, request.operationName) { record in
      record.entry = entry
      record.delay = delay
      record.changes = changes
    }
  }

  /// Completes a request that was opened by the status of its answer and the further time that this is held back, and
  /// reports it.
  @discardableResult
  func close(
    _ request: RecordedRequest, status: Int, delay: Nanoseconds = .zero
  ) -> RecordedRequest {
    guard let record = log.setStatus(status, ofRequest: request.number, delay: delay) else {
      return request
    }
    reporter.report(.request(record))
    return record
  }

  private func append(
    _ request: IncomingRequest, _ operation: String?,
    _ complete: (inout RecordedRequest) -> Void
  ) -> RecordedRequest {
    let time = clock.elapsed
    return log.append { number in
      var record = RecordedRequest(
        number: number, method: request.method, url: request.target.text,
        headers: request.headers, body: request.body, bodyLength: request.bodyLength,
        operation: operation, entry: nil, status: 0, time: time,
        delay: .zero, protocolVersion: request.protocolVersion, stream: request.stream,
        origin: request.origin, clientCertificate: request.clientCertificate)
      record.acceptedHost = request.acceptedHost
      record.call = request.call
      complete(&record)
      return record
    }
  }

  /// Records a message of a WebSocket, and reports it.
  func record(_ message: WebSocketMessage, isFromClient: Bool, of request: RecordedRequest) {
    let record = RecordedMessage(
      request: request.number, isFromClient: isFromClient, isText: message.isText,
      bytes: Array(message.bytes.readableBytesView.prefix(RecordedRequest.maximumShownBody)),
      length: message.bytes.readableBytes, time: clock.elapsed)
    log.append(record)
    reporter.reportWhileServing(.message(record))
  }

  /// Records a piece of a connection that follows a script, and reports it.
  func record(_ piece: ByteBuffer, isFromClient: Bool, of connection: RecordedRequest) {
    let bytes = Array(piece.readableBytesView.prefix(RecordedRequest.maximumShownBody))
    let record = RecordedMessage(
      request: connection.number, isFromClient: isFromClient,
      isText: String(validating: bytes, as: UTF8.self) != nil, bytes: bytes,
      length: piece.readableBytes, time: clock.elapsed)
    log.append(record)
    reporter.reportWhileServing(.message(record))
  }

  /// Reports a piece of a body that comes in pieces, where exchanges are reported.
  ///
  /// - Parameter isForeign: whether a real host has sent it: of what is cut anywhere no secret can be taken out, so that
  ///   only its length is reported.
  ///   A message of gRPC that the .proto files describe is reported as JSON.
  func reportPiece(
    _ piece: ByteBuffer, isFromClient: Bool, of request: RecordedRequest, isForeign: Bool = false,
    isFramed: Bool = false
  ) {
    guard reporter.reportsExchanges else { return }
    let limit = isForeign ? 0 : RecordedRequest.maximumShownBody
    let bytes = Array(piece.readableBytesView.prefix(limit))
    var message = RecordedMessage(
      request: request.number, isFromClient: isFromClient,
      isText: String(validating: bytes, as: UTF8.self) != nil, bytes: bytes,
      length: piece.readableBytes, time: clock.elapsed)
    if !calls.isEmpty, bytes.count == piece.readableBytes,
      let path = RequestTarget(url: request.url)?.path,
      let values = calls.values(
        bytes, ofMethodAt: path, isFromClient: isFromClient, isFramed: isFramed),
      values.count == 1
    {
      message.bytes = Array(values[0].jsonText().utf8)
      message.length = message.bytes.count
      message.isText = true
    }
    reporter.reportWhileServing(.piece(message))
  }

  /// Reports an answer whose bytes are all known.
  func reportExchange(_ request: RecordedRequest, _ reply: PreparedReply) {
    guard reporter.reportsExchanges else { return }
    var recorded = RecordedReply(
      status: reply.status,
      headers: reply.headers.map { .init(name: $0.name, value: $0.value) }, body: reply.knownBytes)
    if !calls.isEmpty, let path = RequestTarget(url: request.url)?.path {
      recorded.messages = calls.values(
        recorded.body, ofMethodAt: path, isFromClient: false, isFramed: true)
    }
    reporter.report(.exchanged(request, recorded))
  }

  /// Reports a real host's answer, whose bytes are all known.
  func reportExchange(_ request: RecordedRequest, _ reply: RecordedReply) {
    guard reporter.reportsExchanges else { return }
    var answered = request
    answered.status = reply.status
    reporter.report(.exchanged(answered, reply))
  }

  /// Reports an event about a request.
  func report(_ event: MockServerEvent) {
    reporter.report(event)
  }

  /// Reports a client that has left before its answer was complete.
  func reportClosed(_ request: RecordedRequest) {
    reporter.reportWhileServing(
      .clientClosed(request, waited: clock.elapsed - request.time))
  }

  /// Reports a client that had left before its answer was chosen, if the answer was to be held back.
  func reportClosed(before answer: Answer) {
    guard let record = answer.record, record.delay > .zero || record.fault == .hang else { return }
    reportClosed(record)
  }

  /// Reports a reply that broke off while it was sent.
  func reportBroken(_ request: RecordedRequest, _ message: String) {
    reporter.reportWhileServing(.brokenReply(request, message: message))
  }

  /// Reports a client that does not follow the script of its conversation.
  ///
  /// - Parameter range: the step that it should have followed, where the message does not name it.
  func reportMismatch(
    _ request: RecordedRequest, _ message: String, at range: SourceRange? = nil
  ) {
    reporter.reportWhileServing(.brokenSession(request, message: message, at: range))
  }
}
