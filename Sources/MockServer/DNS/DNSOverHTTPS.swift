internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioModel

/// Answers DNS queries that come by HTTP (RFC 8484), whatever resolver they go to.
struct DNSOverHTTPS {
  /// The media type of queries and answers.
  static let mediaType = "application/dns-message"

  private let responder: DNSResponder
  private let loop: any EventLoop

  init(_ responder: DNSResponder, loop: any EventLoop) {
    var responder = responder
    responder.isStream = true
    self.responder = responder
    self.loop = loop
  }

  /// The usual path of a resolver's URL.
  private static let usualPath = "/dns-query"

  /// The query that a request carries; `nil` if it carries none.
  ///
  /// A parameter `dns` alone is no sign of one: other services have parameters of that name.
  static func query(in request: IncomingRequest) -> [UInt8]? {
    let message: [UInt8]?
    switch request.method {
    case "POST":
      let type = request.header("content-type")?.lowercased() ?? ""
      message = type.hasPrefix(mediaType) ? request.body : nil
    case "GET":
      let isAccepted = request.header("accept")?.lowercased().contains(mediaType) ?? false
      let text = request.target.query.first { $0.name == "dns" }?.value
      message =
        isAccepted || request.target.path == usualPath
        ? text.flatMap { bytes(ofURLText: $0) } : nil
    default: message = nil
    }
    guard let message, case .query = DNSMessage(message) else { return nil }
    return message
  }

  /// Answers a query, at once or later, on the event loop.
  func answer(_ query: [UInt8], completion: @escaping (Answer) -> Void) {
    let bound = NIOLoopBound(completion, eventLoop: loop)
    responder.answer(to: query) { bound.value(Self.answer(with: $0)) }
  }

  /// - Parameter bytes: the message; `nil` if there is to be no answer.
  private static func answer(with bytes: [UInt8]?) -> Answer {
    var reply = PreparedReply(status: 200)
    guard let bytes else {
      // A reply without a body has nothing that this could fail to break.
      try? reply.apply(.hang)
      return Answer(reply: reply)
    }
    reply.headers.add(name: "content-type", value: mediaType)
    reply.content = .body(.bytes(ByteBuffer(bytes: bytes)))
    return Answer(reply: reply)
  }

  /// The bytes of text in Base64 for URLs, without padding (RFC 4648, section 5).
  private static func bytes(ofURLText text: String) -> [UInt8]? {
    let letters = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
    return Base64.decoded(letters + padding)
  }
}
