internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel

/// A reply that is ready for the wire but for its framing.
struct PreparedReply {
  /// The header by which a client, and the readers of its log, recognize the mock server's own
  /// messages.
  static let markHeader = "x-scenario"

  var status: Int
  /// The words behind the status, where the protocol has a place for them; `nil` are the usual ones.
  var reason: String?
  /// The fault in the encoded body.
  var faultBehindCoding: ReplyFault?
  var headers: HTTPHeaders
  var content: ReplyContent
  /// Fields behind the body (RFC 9110, section 6.5); left out where the protocol has no place for them.
  var trailers: HTTPHeaders = [:]

  init(status: Int, headers: HTTPHeaders = [:], content: ReplyContent = .empty) {
    self.status = status
    self.headers = headers
    self.content = content
  }

  /// A reply of the mock server's own.
  init(status: Int, mark: String, lines: [String]) {
    self.status = status
    headers = ["content-type": MediaType.text, Self.markHeader: mark]
    content = .body(.bytes(ByteBuffer(string: lines.map { $0 + "\n" }.joined())))
  }

  /// True if the author set `connection: close`.
  var closes: Bool {
    headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
  }

  /// True if the status allows a body (RFC 9110, section 6.4.1).
  var mayHaveBody: Bool {
    status >= 200 && status != 204 && status != 304
  }

  /// The framing of the body.
  var framing: BodyFraming {
    guard mayHaveBody else { return .absent }
    switch content {
    case .body(let source): return .length(source.length)
    case .script(let script): return script.length.map(BodyFraming.length) ?? .open
    case .feed(let feed): return feed.length.map(BodyFraming.length) ?? .open
    case .conversation: return .open
    case .webSocket, .tunnel: return .length(0)
    }
  }

  /// The bytes of a body that is known beforehand; empty of any other.
  var knownBytes: [UInt8] {
    switch content {
    case .body(.bytes(let buffer)): Array(buffer.readableBytesView)
    case .script(let script):
      script.steps.flatMap { step -> [UInt8] in
        if case .send(let part) = step.action { Array(part.readableBytesView) } else { [] }
      }
    default: []
    }
  }

  /// True if the message begins with its head.
  var beginsWithHead: Bool {
    if case .script(let script) = content { return script.beginsWithHead }
    return true
  }
}

/// The framing by which a client finds the end of a body.
enum BodyFraming: Hashable {
  /// No body.
  case absent
  /// By the length of the body.
  case length(Int)
  /// The end marks itself.
  case open
}
