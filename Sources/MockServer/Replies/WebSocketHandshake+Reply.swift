internal import NIOHTTP1

extension WebSocketHandshake.Refusal {
  /// The reply to the client (RFC 6455, section 4.4).
  var reply: PreparedReply {
    var reply = PreparedReply(status: status, mark: "refused", lines: [message])
    if status == 426 {
      reply.headers.add(name: "upgrade", value: "websocket")
      reply.headers.add(name: "sec-websocket-version", value: WebSocketHandshake.version)
    }
    return reply
  }
}
