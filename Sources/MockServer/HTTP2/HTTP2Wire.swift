internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2

/// Writes a reply as a stream of HTTP/2 (RFC 9113).
final class HTTP2Wire: ReplyWire {
  /// The fields of an HTTP/1 connection (section 8.2.2).
  private static let connectionFields = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
  ]

  private let context: ChannelHandlerContext
  private let isHeadRequest: Bool
  private let finalHeaders: (HTTPHeaders) -> HTTPHeaders
  private let completion: () -> Void
  private var isFinished = false

  /// - Parameters:
  ///   - finalHeaders: answers a reply's fields as they are now.
  ///   - completion: called when nothing more will be written.
  init(
    context: ChannelHandlerContext, isHeadRequest: Bool,
    finalHeaders: @escaping (HTTPHeaders) -> HTTPHeaders,
    completion: @escaping () -> Void
  ) {
    self.context = context
    self.isHeadRequest = isHeadRequest
    self.finalHeaders = finalHeaders
    self.completion = completion
  }

  var isWritable: Bool { context.channel.isWritable }

  func sendHead(_ reply: PreparedReply, isWhole: Bool) {
    var fields = HPACKHeaders([(":status", String(reply.status))])
    for (name, value) in finalHeaders(reply.headers) {
      let name = name.lowercased()
      if !Self.connectionFields.contains(name) { fields.add(name: name, value: value) }
    }
    switch reply.framing {
    case .absent, .open:
      fields.remove(name: "content-length")
    case .length(let length):
      // A reply to HEAD may announce a body that is not there (RFC 9110, section 9.3.2).
      let announces = isHeadRequest && length == 0 && fields.contains(name: "content-length")
      if !announces { fields.replaceOrAdd(name: "content-length", value: String(length)) }
    }
    isFinished = isWhole
    write(.headers(.init(headers: fields, endStream: isWhole)))
  }

  func sendBody(_ part: ByteBuffer) {
    write(.data(.init(data: .byteBuffer(part))))
  }

  func sendRaw(_ bytes: ByteBuffer) {
    guard let parent = context.channel.parent else { return }
    let codec = try? parent.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self)
    codec?.writeAndFlush(NIOAny(bytes), promise: nil)
  }

  func finish(trailers: HTTPHeaders) {
    if !isFinished {
      isFinished = true
      if trailers.isEmpty {
        write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
      } else {
        let fields = HPACKHeaders(trailers.map { ($0.name.lowercased(), $0.value) })
        write(.headers(.init(headers: fields, endStream: true)))
      }
    }
    context.flush()
    completion()
  }

  func abandon(_ manner: AbortMode) {
    isFinished = true
    context.flush()
    let parent = context.channel.parent
    switch manner {
    case .close:
      parent?.close(promise: nil)
    case .reset:
      parent?.reset()
    case .malformedChunk:
      write(.rstStream(.protocolError))
      context.flush()
    case .resetStream(let code):
      write(.rstStream(HTTP2ErrorCode(networkCode: code)))
      context.flush()
    case .goAway(let code):
      let handler = try? parent?.pipeline.syncOperations.context(
        handlerType: HTTP2ConnectionHandler.self)
      guard let handler, let leaving = handler.handler as? HTTP2ConnectionHandler else { break }
      leaving.refuseStreams(HTTP2ErrorCode(networkCode: code), context: handler)
    }
    completion()
  }

  func flush() {
    context.flush()
  }

  private func write(_ payload: HTTP2Frame.FramePayload) {
    context.write(NIOAny(payload), promise: nil)
  }
}
