internal import NIOHTTP1

/// The head of a real host's answer, framed for the client.
struct LiveHead {
  let head: HTTPResponseHead
  let keepsAlive: Bool

  init(
    _ upstream: HTTPResponseHead, version: HTTPVersion, isHeadRequest: Bool, keepsAlive: Bool
  ) {
    var headers = UpstreamRequest.withoutHopHeaders(upstream.headers)
    let code = upstream.status.code
    let mayHaveBody = code >= 200 && code != 204 && code != 304 && !isHeadRequest
    var isDelimited = !mayHaveBody || headers.contains(name: "content-length")
    if !isDelimited, version != .http1_0 {
      // The length is not known before the end.
      headers.replaceOrAdd(name: "transfer-encoding", value: "chunked")
      isDelimited = true
    }
    self.keepsAlive = keepsAlive && isDelimited
    if !self.keepsAlive {
      headers.replaceOrAdd(name: "connection", value: "close")
    } else if version == .http1_0 {
      headers.replaceOrAdd(name: "connection", value: "keep-alive")
    }
    head = HTTPResponseHead(version: version, status: upstream.status, headers: headers)
  }
}
