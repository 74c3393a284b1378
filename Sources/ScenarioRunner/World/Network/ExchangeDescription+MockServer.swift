internal import Foundations
internal import MockEngine
internal import MockServer
internal import Patterns
internal import ScenarioEvents

extension ExchangeDescription {
  /// Describes an exchange for reports: secrets are removed.
  init(
    _ request: RecordedRequest, _ reply: RecordedReply, at instant: WallInstant,
    _ redaction: Redaction
  ) {
    // HAR 1.2: the content is what the client unpacks, whatever the headers say of the way.
    let body = (reply.unpacked() ?? reply).body
    let target = try? RequestTarget(scheme: "http", authority: "", target: request.url)
    self.init(
      method: request.method, url: target.map { redaction.target($0).text } ?? request.url,
      request: Message(
        headers: request.headers.map { ($0.name, $0.value) },
        body: Array(request.body.prefix(RecordedRequest.maximumShownBody)),
        length: request.bodyLength, redaction, messages: request.call?.written),
      status: reply.status,
      response: Message(
        headers: reply.headers.map { ($0.name, $0.value) }, body: body,
        length: body.count, redaction, messages: reply.messages), startedAt: instant,
      delay: request.delay)
    number = request.number
  }
}

extension MessageDescription {
  /// The maximum number of bytes that are reported.
  private static let maximumBytes = 64 << 10

  /// Describes a message for reports: secrets are removed.
  init(_ message: RecordedMessage, _ redaction: Redaction) {
    let bytes = message.bytes.prefix(Self.maximumBytes)
    var text = message.isText ? String(validating: bytes, as: UTF8.self) : nil
    // A part of a JSON text cannot be read, and so not redacted as one.
    if bytes.count == message.length, let value = try? JSONText.parse(utf8: Array(bytes)) {
      text = redaction.value(value).jsonText()
    } else {
      text = text.map(redaction.text)
    }
    self.init(
      request: message.request, isFromTarget: message.isFromClient,
      text: text ?? Base64.encoded(Array(bytes)), isBase64: text == nil,
      byteCount: message.length, time: message.time)
  }
}

extension ExchangeDescription.Message {
  /// The maximum number of bytes of a body that are reported.
  private static let maximumBody = 1 << 20

  fileprivate init(
    headers: [(name: String, value: String)], body: [UInt8], length: Int, _ redaction: Redaction,
    messages: [Value]?
  ) {
    let type = headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased()
    var text: String?
    // A part of a JSON text cannot be read, and so not redacted either.
    let isWhole = length == body.count && length <= Self.maximumBody
    if isWhole, let messages, !messages.isEmpty {
      text = messages.map { redaction.value($0).jsonText() }.joined(separator: "\n")
    } else if isWhole, let value = try? JSONText.parse(utf8: body) {
      text = redaction.value(value).jsonText()
    } else if isWhole, type?.hasPrefix("application/x-www-form-urlencoded") == true {
      text = redaction.form(String(decoding: body, as: UTF8.self))
    } else if type?.contains("json") != true {
      text = String(validating: body.prefix(Self.maximumBody), as: UTF8.self).map(redaction.text)
    }
    let isText = text != nil || body.isEmpty || type?.contains("json") == true
    self.init(
      headers: headers.map {
        .init(name: $0.name, value: redaction.header($0.name, $0.value))
      },
      body: text ?? (isText ? "" : Base64.encoded(Array(body.prefix(Self.maximumBody)))),
      isBase64: !isText, bodyLength: length)
  }
}
