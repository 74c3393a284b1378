internal import NIOCore
internal import NIOHTTP2

/// Handles the errors and the end of an HTTP/2 connection as a whole.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let service: ConnectionContext
  private let goAwayHooks: GoAwayHooks
  private var hasFailed = false
  /// True if GOAWAY is sent; there is one at most.
  private var hasSentGoAway = false
  /// The streams whose channels are open.
  fileprivate var openStreams: Set<HTTP2StreamID> = []

  init(_ service: ConnectionContext, goAwayHooks: GoAwayHooks) {
    self.service = service
    self.goAwayHooks = goAwayHooks
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    goAwayHooks.add(self) { [self] in
      sendGoAway(.noError, lastStream: .maxID, context: bound.value)
    }
  }

  /// Sends GOAWAY for all streams, and closes the connection behind it.
  func refuseStreams(_ code: HTTP2ErrorCode, context: ChannelHandlerContext) {
    service.connection.isBroken = true
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let written = sendGoAway(code, lastStream: .rootStream, context: context)
    written.whenComplete { _ in bound.value.close(promise: nil) }
  }

  /// RFC 9113, section 6.8: a second GOAWAY must not name a higher stream than the first, so there is one.
  @discardableResult
  private func sendGoAway(
    _ code: HTTP2ErrorCode, lastStream: HTTP2StreamID, context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    guard !hasSentGoAway else { return context.eventLoop.makeSucceededVoidFuture() }
    hasSentGoAway = true
    let payload = HTTP2Frame.FramePayload.goAway(
      lastStreamID: lastStream, errorCode: code, opaqueData: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(
      wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: written)
    return written.futureResult
  }

  func channelInactive(context: ChannelHandlerContext) {
    goAwayHooks.remove(self)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? NIOHTTP2Errors.StreamError, !hasSentGoAway {
      // The library has reset the stream; the others go on.
      return service.reportMalformed(
        "HTTP/2 stream \(Int(error.streamID)): \(Self.text(error.baseError))")
    }
    // The client has reset the stream, and its channel, which is about to be told, has written a reply. The others go on.
    if let error = error as? NIOHTTP2Errors.NoSuchStream, openStreams.contains(error.streamID) {
      return
    }
    guard !hasFailed else { return }
    hasFailed = true
    // The client may have asked before it read GOAWAY; errors of the library about that are ignored.
    guard !hasSentGoAway else { return }
    if Self.isProtocolError(error) {
      service.reportMalformed("the connection is not HTTP/2: \(Self.text(error))")
    }
    context.close(promise: nil)
  }

  /// Returns whether the client did wrong, and not the socket.
  private static func isProtocolError(_ error: any Error) -> Bool {
    error is any NIOHTTP2Error
  }

  static func text(_ error: any Error) -> String {
    var text = String(describing: error)
    // The library's errors name places in the library, which are of no use here.
    for place in ["file: ", "location: "] {
      if let range = text.firstRange(of: "(" + place) {
        text = String(text[..<range.lowerBound])
      } else if let range = text.firstRange(of: ", " + place) {
        text = text[..<range.lowerBound] + ")"
      }
    }
    let end = text.firstIndex(of: "(") ?? text.endIndex
    return words(of: text[..<end]) + (end < text.endIndex ? " " : "") + text[end...]
  }

  /// `ExcessiveEmptyDataFrames` as words; `HTTP2` stays one.
  private static func words(of name: Substring) -> String {
    var words: [String] = []
    var isBehindCapital = true
    for character in name {
      if character.isUppercase, !isBehindCapital || words.isEmpty { words.append("") }
      isBehindCapital = character.isUppercase
      if words.isEmpty { words.append("") }
      words[words.count - 1].append(character)
    }
    return words.map { $0.allSatisfy { !$0.isLowercase } ? $0 : $0.lowercased() }
      .joined(separator: " ")
  }
}

/// Tells the handler of a connection which streams are open.
struct HTTP2StreamRecorder: NIOHTTP2StreamDelegate {
  let handler: NIOLoopBound<HTTP2ConnectionHandler>

  func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
    handler.value.openStreams.insert(id)
  }

  func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
    handler.value.openStreams.remove(id)
  }
}

/// Sends GOAWAY to all clients of HTTP/2 when the mock server closes.
///
/// Lives on the event loop.
final class GoAwayHooks {
  private var hooks: [ObjectIdentifier: () -> Void] = [:]

  /// Adds the hook of a connection.
  func add(_ connection: HTTP2ConnectionHandler, _ hook: @escaping () -> Void) {
    hooks[ObjectIdentifier(connection)] = hook
  }

  /// Removes the hook of a connection that is closed.
  func remove(_ connection: HTTP2ConnectionHandler) {
    hooks.removeValue(forKey: ObjectIdentifier(connection))
  }

  /// Calls all hooks.
  func run() {
    hooks.values.forEach { $0() }
  }
}
