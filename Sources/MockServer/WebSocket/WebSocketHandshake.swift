internal import Cryptography
internal import FoundationEssentials
internal import MockEngine
internal import NIOHTTP1

/// The opening handshake of a WebSocket (RFC 6455, section 4.2).
struct WebSocketHandshake {
  /// The reason why a request cannot become a WebSocket.
  struct Refusal: Error {
    let message: String
    let status: Int
  }

  /// The mock server's version of the protocol.
  static let version = "13"
  private static let keyLength = 16
  /// Section 1.3.
  private static let salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  private let accept: String
  private let subprotocol: String?

  init(request: HTTPRequestHead, offer: WebSocketOffer) throws(Refusal) {
    let headers = request.headers
    guard request.method == .GET, request.version == .http1_1,
      headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
      headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" })
    else {
      throw Refusal(
        message: "the reply is a WebSocket, but the request does not ask for one", status: 426)
    }
    guard headers[canonicalForm: "sec-websocket-version"].contains(where: { $0 == Self.version })
    else {
      throw Refusal(
        message: "the request asks for a version of WebSocket that is not 13", status: 426)
    }
    let keys = headers["sec-websocket-key"]
    guard keys.count == 1, let key = keys.first.map({ $0.filter { $0 != " " } }),
      Data(base64Encoded: key)?.count == Self.keyLength
    else {
      throw Refusal(
        message: "the header \"sec-websocket-key\" is not 16 bytes in base64", status: 400)
    }
    let digest = DigestAlgorithm.sha1.digest(of: Array((key + Self.salt).utf8))
    accept = Data(digest).base64EncodedString()
    subprotocol = offer.subprotocol
  }

  /// Returns the status with which a request is refused that gets a WebSocket for a reply; `nil` if it is not.
  static func refusedStatus(of request: IncomingRequest, _ offer: WebSocketOffer) -> Int? {
    // RFC 8441 is not spoken.
    guard request.protocolVersion != "2" else { return 501 }
    let head = HTTPRequestHead(
      version: request.protocolVersion == "1.0" ? .http1_0 : .http1_1,
      method: HTTPMethod(rawValue: request.method), uri: "",
      headers: HTTPHeaders(request.headers.map { ($0.name, $0.value) }))
    do {
      _ = try WebSocketHandshake(request: head, offer: offer)
      return nil
    } catch {
      return error.status
    }
  }

  /// The answer to the handshake.
  func head(with headers: HTTPHeaders) -> HTTPResponseHead {
    var headers = headers
    for name in ["connection", "content-length", "content-type", "transfer-encoding"] {
      headers.remove(name: name)
    }
    headers.replaceOrAdd(name: "upgrade", value: "websocket")
    headers.replaceOrAdd(name: "connection", value: "Upgrade")
    headers.replaceOrAdd(name: "sec-websocket-accept", value: accept)
    if let subprotocol {
      headers.replaceOrAdd(name: "sec-websocket-protocol", value: subprotocol)
    }
    return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
  }
}
