internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension PreparedReply {
  /// Fills in what only the run knows.
  ///
  /// - Parameters:
  ///   - scope: what the whole of the reply may ask, at the time of its request.
  ///   - clock: the times that pieces see which are sent later.
  ///   - types: what describes messages of gRPC.
  init(
    _ planned: PlannedReply, in scope: some RunScope, _ clock: ReplyClock, types: CallTypes? = nil
  ) throws(PreparationError) {
    self.init(status: planned.status)
    for header in planned.headers {
      headers.add(name: header.name, value: try Self.fieldValue(header, "header", in: scope))
    }
    for trailer in planned.trailers {
      trailers.add(name: trailer.name, value: try Self.fieldValue(trailer, "trailer", in: scope))
    }
    reason = planned.reason
    if case .grpc(let messages) = planned.body {
      try addGRPC(messages, after: planned.delay, in: scope, clock, types)
      if let fault = planned.fault { try apply(fault) }
      return
    }
    let type: String?
    (content, type) = try Self.content(planned.body, after: planned.delay, in: scope, clock)
    if let type, !headers.contains(name: "content-type") {
      headers.add(name: "content-type", value: type)
    }
    guard let fault = planned.fault else { return }
    if planned.encoding != .identity, fault.needsBody {
      faultBehindCoding = fault
    } else {
      try apply(fault)
    }
  }

  private static func fieldValue(
    _ field: PlannedVariable, _ kind: String, in scope: some RunScope
  ) throws(PreparationError) -> String {
    let value = try resolve(field.value, in: scope)
    guard HeaderField.isValue(value) else {
      throw PreparationError(
        message: "the value of the \(kind) \"\(field.name)\" contains a control character")
    }
    return value
  }

  private static func content(
    _ planned: PlannedReply.Body, after delay: Nanoseconds, in scope: some RunScope,
    _ clock: ReplyClock
  ) throws(PreparationError) -> (ReplyContent, type: String?) {
    switch planned {
    case .empty:
      return (.empty, nil)
    case .json(let data):
      do {
        let text = try data.resolve(in: scope).jsonText()
        return (.body(.bytes(ByteBuffer(string: text))), MediaType.json)
      } catch {
        throw PreparationError(error)
      }
    case .text(let text):
      let resolved = try resolve(text, in: scope)
      return (.body(.bytes(ByteBuffer(string: resolved))), MediaType.text)
    case .bytes(let bytes):
      return (.body(.bytes(ByteBuffer(bytes: bytes))), MediaType.bytes)
    case .grpc:
      return (.empty, nil)
    case .stream(let steps):
      let isText = steps.allSatisfy {
        if case .send(let piece) = $0.action, case .text = piece { return true }
        if case .close = $0.action { return true }
        return false
      }
      let script = ReplyScript(
        steps: try script(of: steps, in: scope, from: clock.start(after: delay)))
      return (.script(script), isText ? MediaType.text : MediaType.bytes)
    case .webSocket(let steps):
      let session = ScriptedSession(try ScriptedSession.steps(of: steps, in: scope, clock))
      return (.webSocket(WebSocketOffer(session: session)), nil)
    case .graphQLStream:
      throw PreparationError(message: "a stream of results can answer only GraphQL operations")
    case .handler(let handler):
      throw PreparationError(
        message: "\(handler.text) can answer only a whole request")
    case .file(let path):
      return (.body(.file(try open(path))), MediaType.ofFile(path: path))
    case .template(let text, let path):
      let resolved = try resolve(text, in: scope)
      return (.body(.bytes(ByteBuffer(string: resolved))), MediaType.ofFile(path: path))
    case .computedFile(let name):
      let file = try open(name, in: scope)
      return (.body(file.source), file.type)
    }
  }

  static func resolve(
    _ text: PlannedText, in scope: some RunScope
  ) throws(PreparationError) -> String {
    do {
      return try text.resolve(in: scope)
    } catch {
      throw PreparationError(error)
    }
  }
}
