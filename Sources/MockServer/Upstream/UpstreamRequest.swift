internal import NIOCore
internal import NIOHTTP1
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// A request as a real host gets it.
struct UpstreamRequest {
  /// The host that is meant, and the path.
  let target: RequestTarget
  /// The host that it is sent to.
  let host: String
  let port: UInt16
  private let head: HTTPRequestHead
  let body: ByteBuffer
  /// The body where it still comes.
  let feed: RequestFeed?
  /// True if the host is asked over TLS.
  let isSecure: Bool
  /// True if the host is asked over HTTP/2, where it knows that: the client uses it.
  let isHTTP2: Bool
  /// The client's own headers.
  let originalHeaders: HTTPHeaders
  /// True if the client requests a WebSocket.
  let isUpgrade: Bool
  /// True if what comes of it is written down.
  let isRecorded: Bool

  /// Headers of one hop (RFC 9110 section 7.6.1), and what the mock server has answered itself.
  static let hopHeaders: Set<String> = [
    "connection", "expect", "http2-settings", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// - Parameter additions: fields that take the place of the client's own.
  init(
    _ request: ReceivedRequest, target: RequestTarget, network: PlannedNetwork,
    feed: RequestFeed? = nil, adding additions: HTTPHeaders = [:]
  ) {
    self.feed = feed
    self.target = target
    let isClientSecure = target.scheme == "https"
    isSecure =
      network.isUpstreamSecure(ofHost: target.host, port: target.port) ?? isClientSecure
    // Without TLS nothing says that a host knows HTTP/2, unless the client does, or gRPC needs it.
    isHTTP2 =
      request.stream != nil
      && (isSecure || !isClientSecure
        || request.head.headers.first(name: "content-type")?.hasPrefix("application/grpc") ?? false)
    (host, port) = network.upstream(ofHost: target.host, port: target.port)
    isRecorded = network.mode(ofHost: target.host) == .record
    originalHeaders = request.head.headers
    body = request.body
    var headers = Self.withoutHopHeaders(request.head.headers)
    let shownPort = target.port == (target.scheme == "http" ? 80 : 443) ? "" : ":\(target.port)"
    headers.replaceOrAdd(name: "host", value: target.host + shownPort)
    for field in additions { headers.replaceOrAdd(name: field.name, value: field.value) }
    isUpgrade = request.asksForWebSocket
    headers.replaceOrAdd(name: "connection", value: isUpgrade ? "Upgrade" : "close")
    if isUpgrade {
      headers.replaceOrAdd(name: "upgrade", value: "websocket")
      // What an extension packs cannot be read on the way.
      headers.remove(name: "sec-websocket-extensions")
    }
    // What is packed cannot be read in a recording.
    if isRecorded {
      headers.replaceOrAdd(name: "accept-encoding", value: "identity")
      if headers.contains(name: "grpc-accept-encoding") {
        headers.replaceOrAdd(name: "grpc-accept-encoding", value: "identity")
      }
    }
    let carriesBody = [.POST, .PUT, .PATCH].contains(request.head.method)
    if feed != nil {
      // The client's own length, if it gives one, is as good as its bytes.
    } else if body.readableBytes > 0 || carriesBody {
      headers.replaceOrAdd(name: "content-length", value: String(body.readableBytes))
    } else {
      headers.remove(name: "content-length")
    }
    head = HTTPRequestHead(
      version: .http1_1, method: request.head.method, uri: Self.originForm(request.head.uri),
      headers: headers)
  }

  /// The head as a version of HTTP has it.
  func head(isHTTP2: Bool) -> HTTPRequestHead {
    guard isHTTP2 else { return head }
    var head = head
    head.headers.remove(name: "connection")
    // RFC 9113, section 8.2.2.
    if originalHeaders[canonicalForm: "te"].contains(where: { $0.lowercased() == "trailers" }) {
      head.headers.replaceOrAdd(name: "te", value: "trailers")
    }
    return head
  }

  /// Path and query of a request target that may be in absolute form.
  private static func originForm(_ uri: String) -> String {
    guard let marks = uri.firstRange(of: "://"), !uri[..<marks.lowerBound].contains("/") else {
      return uri.isEmpty ? "/" : uri
    }
    let behind = uri[marks.upperBound...]
    guard let slash = behind.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
    return behind[slash] == "?" ? "/" + behind[slash...] : String(behind[slash...])
  }

  /// Headers without those that belong to one connection.
  static func withoutHopHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
    let named = Set(headers[canonicalForm: "connection"].map { $0.lowercased() })
    return HTTPHeaders(
      headers.filter { field in
        let name = field.name.lowercased()
        return !hopHeaders.contains(name) && !named.contains(name)
      }.map { ($0.name, $0.value) })
  }
}
