internal import NIOCore
internal import NIOHTTP2

/// What concerns a connection of HTTP/2 as a whole: its errors and its end.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let connection: ClientConnection
  private let reception: Reception
  private var hasFailed = false
  /// Whether the client has been told to go, and to which streams that applies.
  private var hasSaidGoodbye = false

  init(connection: ClientConnection, reception: Reception) {
    self.connection = connection
    self.reception = reception
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    reception.goAwayHooks[ObjectIdentifier(self)] = { [self] in
      sayGoodbye(.noError, lastStream: .maxID, context: bound.value)
    }
  }

  /// Tells the client that none of its streams is served, and ends the connection behind that.
  func leave(_ code: HTTP2ErrorCode, context: ChannelHandlerContext) {
    connection.isBroken = true
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let written = sayGoodbye(code, lastStream: .rootStream, context: context)
    written.whenComplete { _ in bound.value.close(promise: nil) }
  }

  /// RFC 9113, section 6.8: a second GOAWAY must not name a higher stream than the first, so there is one.
  @discardableResult
  private func sayGoodbye(
    _ code: HTTP2ErrorCode, lastStream: HTTP2StreamID, context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    guard !hasSaidGoodbye else { return context.eventLoop.makeSucceededVoidFuture() }
    hasSaidGoodbye = true
    let payload = HTTP2Frame.FramePayload.goAway(
      lastStreamID: lastStream, errorCode: code, opaqueData: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(
      wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: written)
    return written.futureResult
  }

  func channelInactive(context: ChannelHandlerContext) {
    reception.goAwayHooks.removeValue(forKey: ObjectIdentifier(self))
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
    if let error = error as? NIOHTTP2Errors.StreamError, !hasSaidGoodbye {
      // The library has reset the stream; the others go on.
      return reception.recordMalformed(
        connection, "HTTP/2 stream \(Int(error.streamID)): \(Self.text(error.baseError))")
    }
    guard !hasFailed else { return }
    hasFailed = true
    // The client may have asked before it read that it is to go; what the library says to that is not heard.
    guard !hasSaidGoodbye else { return }
    if Self.isProtocolError(error) {
      reception.recordMalformed(connection, "the connection is not HTTP/2: \(Self.text(error))")
    }
    context.close(promise: nil)
  }

  /// Whether the client did wrong, and not the socket.
  private static func isProtocolError(_ error: any Error) -> Bool {
    error is any NIOHTTP2Error
  }

  static func text(_ error: any Error) -> String {
    var text = String(describing: error)
    // The library's errors tell where in the library they were made, which helps nobody here.
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
