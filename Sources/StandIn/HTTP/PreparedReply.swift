internal import NIOCore
internal import NIOHTTP1

/// A reply that is ready for the wire but for its framing.
struct PreparedReply {
  /// What tells a client, and whoever reads its log, that the stand-in speaks for itself.
  static let markHeader = "x-scenario"

  var status: Int
  var headers: HTTPHeaders
  var content: ReplyContent

  /// The body as far as it is there beforehand.
  var body: ByteBuffer {
    get { if case .body(.bytes(let buffer)) = content { buffer } else { ByteBuffer() } }
    set { content = .body(.bytes(newValue)) }
  }

  init(status: Int, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    content = .body(.bytes(body))
  }

  /// A reply of the stand-in's own.
  init(status: Int, mark: String, lines: [String]) {
    self.status = status
    headers = ["content-type": MediaType.text, Self.markHeader: mark]
    content = .body(.bytes(ByteBuffer(string: lines.map { $0 + "\n" }.joined())))
  }

  /// Whether the author asked for the end of the connection.
  var closes: Bool {
    headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
  }

  /// The head, with framing that fits the body and the request.
  func head(
    version: HTTPVersion, isHeadRequest: Bool, keepsAlive: Bool, date: String?
  ) -> HTTPResponseHead {
    var headers = headers
    if let date, !headers.contains(name: "date") { headers.add(name: "date", value: date) }
    headers.remove(name: "transfer-encoding")
    if case .script = content, mayHaveBody {
      headers.remove(name: "content-length")
      if version != .http1_0 { headers.add(name: "transfer-encoding", value: "chunked") }
    } else if !mayHaveBody {
      headers.remove(name: "content-length")
    } else if !(isHeadRequest && body.readableBytes == 0
      && headers.contains(name: "content-length"))
    {
      headers.replaceOrAdd(name: "content-length", value: String(body.readableBytes))
    }
    if !keepsAlive {
      headers.replaceOrAdd(name: "connection", value: "close")
    } else if version == .http1_0 {
      headers.replaceOrAdd(name: "connection", value: "keep-alive")
    }
    return HTTPResponseHead(
      version: version, status: HTTPResponseStatus(statusCode: status), headers: headers)
  }

  /// Whether the status allows a body (RFC 9110, section 6.4.1).
  var mayHaveBody: Bool {
    status >= 200 && status != 204 && status != 304
  }
}
