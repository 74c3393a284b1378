internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioPlan

/// Answers requests by the documents that describe their APIs, and compares requests and replies with these.
///
/// Lives on the event loop.
final class DescribedReplies {
  /// The maximum number of mistakes of one message that are reported.
  private static let mistakeLimit = 10

  private let operations: OpenAPIOperations
  private let factory: ReplyFactory
  private let recorder: RequestRecorder

  init(of network: PlannedNetwork, factory: ReplyFactory, recorder: RequestRecorder) {
    operations = OpenAPIOperations(network.openAPI ?? [])
    self.factory = factory
    self.recorder = recorder
  }

  /// What the documents say of a request's address; `nil` if it is below no server of theirs.
  func find(_ request: IncomingRequest) -> OpenAPIOperations.Finding? {
    operations.find(request.method, request.target)
  }

  /// The answer to a request that no stub answers; `nil` if no document gives one.
  func answer(_ request: IncomingRequest, _ finding: OpenAPIOperations.Finding?) -> Answer? {
    guard case .call(let call)? = finding, call.document.givesReplies else { return nil }
    let name = "\(call.operation.title) of \(call.document.path)"
    do throws(PatternError) {
      let made = try OpenAPIReply(to: request, by: call)
      var reply = PreparedReply(
        status: made.status,
        content: made.body.isEmpty ? .empty : .body(.bytes(ByteBuffer(bytes: made.body))))
      for header in made.headers { reply.headers.add(name: header.name, value: header.value) }
      let record = recorder.record(request, status: made.status, entry: name)
      recorder.reportExchange(record, reply)
      return Answer(reply: reply, record: record)
    } catch {
      let record = recorder.record(request, status: 500, entry: name)
      return factory.broken(
        record, "the reply", PreparationError(message: "\(error.message); \(error.help)"))
    }
  }

  /// The operations that are nearest to a request that nothing answers, as lines.
  func nearest(_ finding: OpenAPIOperations.Finding?) -> [String] {
    switch finding {
    case .unknown(let unknown)?:
      return [unknown.message + (unknown.nearest.isEmpty ? "" : "; the nearest are:")]
        + unknown.nearest.map { "  " + $0 }
    case .call(let call)?:
      return [
        "\(call.document.path) describes it as \(call.operation.title) (\(call.operation.range.description)), and gives no replies: \"replies: none\""
      ]
    case nil: return []
    }
  }

  /// Compares a request, whatever answers it, and the reply of a stub with the document that describes them.
  ///
  /// - Parameter isGraphQL: whether the request is one of GraphQL, whose address no document needs to have.
  func review(
    _ request: IncomingRequest, _ finding: OpenAPIOperations.Finding?, _ answer: Answer,
    isGraphQL: Bool
  ) {
    guard let record = answer.record else { return }
    switch finding {
    case nil: return
    case .unknown(let unknown)?:
      // What nothing answers has been reported with the nearest operations; GraphQL has a schema of its own.
      let isReported = answer.reply.headers.first(name: PreparedReply.markHeader) == "unmatched"
      guard unknown.document.checksRequests, unknown.isMistake, !isReported, !isGraphQL else {
        return
      }
      recorder.report(
        .undescribed(
          record, document: unknown.document.path, problems: [unknown.message] + unknown.nearest,
          isReply: false, at: unknown.range))
    case .call(let call)?:
      let review = OpenAPIReview(of: call)
      if call.document.checksRequests {
        report(review.violations(of: request), of: record, call, isReply: false)
      }
      guard answer.isWritten, call.document.checksReplies, record.fault == nil,
        answer.handler == nil
      else { return }
      let body: [UInt8]?
      switch answer.reply.content {
      case .body(.bytes(let bytes)): body = Array(bytes.readableBytesView)
      case .body, .script, .feed: body = nil
      case .conversation, .webSocket, .tunnel: return
      }
      report(
        review.violations(
          ofStatus: answer.reply.status, type: answer.reply.headers.first(name: "content-type"),
          body, mayBeEmpty: request.method == "HEAD"), of: record, call, isReply: true)
    }
  }

  /// Compares the reply that a handler has given with the document that describes it.
  func review(
    _ reply: RecordedReply, of record: RecordedRequest, to request: IncomingRequest,
    _ finding: OpenAPIOperations.Finding?
  ) {
    guard case .call(let call)? = finding, call.document.checksReplies else { return }
    let unpacked = reply.unpacked() ?? reply
    let type = reply.headers.first { $0.name.lowercased() == "content-type" }?.value
    var record = record
    record.status = reply.status
    report(
      OpenAPIReview(of: call).violations(
        ofStatus: reply.status, type: type, unpacked.isCut ? nil : unpacked.body,
        mayBeEmpty: request.method == "HEAD"), of: record, call, isReply: true)
  }

  private func report(
    _ violations: [OpenAPIViolation], of record: RecordedRequest, _ call: OpenAPIOperations.Call,
    isReply: Bool
  ) {
    guard let first = violations.first else { return }
    recorder.report(
      .undescribed(
        record, document: call.document.path,
        problems: violations.prefix(Self.mistakeLimit).map(\.message), isReply: isReply,
        at: first.range))
  }
}
