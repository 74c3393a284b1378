internal import NIOCore
internal import NIOHTTP1

/// Writes a reply as HTTP/1 (RFC 9112).
final class HTTP1Wire: ReplyWire {
  /// The end of a reply.
  enum Ending {
    /// Properly; whether the connection serves on.
    case finished(keepsAlive: Bool)
    /// Without its end.
    case abandoned(AbortMode)
  }

  private let context: ChannelHandlerContext
  private let link: (any FaultyLink)?
  private let isOldVersion: Bool
  private let isHeadRequest: Bool
  private let finalHeaders: (HTTPHeaders) -> HTTPHeaders
  private let completion: (Ending) -> Void
  private var keepsAlive: Bool
  private var hasTrailers = false

  /// - Parameters:
  ///   - keepsAlive: whether request and author leave the connection open.
  ///   - finalHeaders: answers a reply's fields as they are now.
  ///   - completion: called when nothing more will be written.
  init(
    context: ChannelHandlerContext, link: (any FaultyLink)?, request: HTTPRequestHead,
    keepsAlive: Bool,
    finalHeaders: @escaping (HTTPHeaders) -> HTTPHeaders, completion: @escaping (Ending) -> Void
  ) {
    self.context = context
    self.link = link
    isOldVersion = request.version == .http1_0
    isHeadRequest = request.method == .HEAD
    self.keepsAlive = keepsAlive
    self.finalHeaders = finalHeaders
    self.completion = completion
  }

  var isWritable: Bool { context.channel.isWritable && !(link?.isFull ?? false) }

  func sendHead(_ reply: PreparedReply, isWhole: Bool) {
    var headers = finalHeaders(reply.headers)
    let isChunked = headers[canonicalForm: "transfer-encoding"].contains {
      $0.lowercased() == "chunked"
    }
    headers.remove(name: "transfer-encoding")
    switch reply.framing {
    case .absent:
      headers.remove(name: "content-length")
    case .length(let length) where isOldVersion || !isChunked && reply.trailers.isEmpty:
      // A reply to HEAD may announce a body that is not there (RFC 9110, section 9.3.2).
      let announces = isHeadRequest && length == 0 && headers.contains(name: "content-length")
      if !announces { headers.replaceOrAdd(name: "content-length", value: String(length)) }
    case .open where isOldVersion:
      headers.remove(name: "content-length")
      keepsAlive = false
    case .length, .open:
      headers.remove(name: "content-length")
      headers.add(name: "transfer-encoding", value: "chunked")
      hasTrailers = true
      addTrailerNames(of: reply, to: &headers)
    }
    if !keepsAlive {
      headers.replaceOrAdd(name: "connection", value: "close")
    } else if isOldVersion {
      headers.replaceOrAdd(name: "connection", value: "keep-alive")
    }
    write(
      .head(
        HTTPResponseHead(
          version: isOldVersion ? .http1_0 : .http1_1,
          status: reply.reason.map { .custom(code: UInt(max(0, reply.status)), reasonPhrase: $0) }
            ?? HTTPResponseStatus(statusCode: reply.status), headers: headers)))
  }

  private func addTrailerNames(of reply: PreparedReply, to headers: inout HTTPHeaders) {
    guard !reply.trailers.isEmpty, !headers.contains(name: "trailer") else { return }
    headers.add(name: "trailer", value: reply.trailers.map(\.name).joined(separator: ", "))
  }

  func sendBody(_ part: ByteBuffer) {
    // A chunk without bytes would be the last one.
    if part.readableBytes > 0 { write(.body(.byteBuffer(part))) }
  }

  func sendRaw(_ bytes: ByteBuffer) {
    let pipeline = context.pipeline.syncOperations
    let encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self)
    encoder?.write(NIOAny(bytes), promise: nil)
  }

  func finish(trailers: HTTPHeaders) {
    // The encoder would send the last chunk also where there is no body.
    if !isHeadRequest { write(.end(hasTrailers && !trailers.isEmpty ? trailers : nil)) }
    completion(.finished(keepsAlive: keepsAlive))
  }

  func abandon(_ manner: AbortMode) {
    if manner == .malformedChunk { sendRaw(ByteBuffer(string: "no chunk\r\n")) }
    flush()
    completion(.abandoned(manner))
  }

  func flush() {
    context.flush()
  }

  private func write(_ part: HTTPServerResponsePart) {
    context.write(NIOAny(part), promise: nil)
  }
}
