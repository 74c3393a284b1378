internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension Reception {
  /// The answer that makes the client's connection a WebSocket of the real host's.
  ///
  /// Every message is told of; in mode `record` they become the script of the entry.
  func answer(
    with tunnel: UpstreamTunnel, to incoming: IncomingRequest, _ record: RecordedRequest,
    recordedAt place: Int?
  ) -> Answer {
    var socket = RecordedSocket(
      headers: tunnel.head.headers.map { .init(name: $0.name, value: $0.value) })
    var kept = 0
    var hasClientClosed = false
    tunnel.report = { [self] news in
      switch news {
      case .utterance(.message(let message), let isFromClient):
        tell(of: message, isFromClient: isFromClient, in: record)
        kept += message.bytes.readableBytes
        guard place != nil, kept <= RecordedSocket.maximumKept else {
          socket.isCut = place != nil
          return
        }
        socket.turns.append(.init(message, isFromClient: isFromClient))
      case .utterance(.ping(let bytes), isFromClient: false):
        if let text = String(validating: bytes.readableBytesView, as: UTF8.self) {
          socket.turns.append(.hostPing(text))
        }
      case .utterance(.close(let code, let reason), let isFromClient):
        if !isFromClient, !hasClientClosed {
          socket.turns.append(.hostClosed(code: code, reason: reason))
        }
        hasClientClosed = true
      case .utterance(.tooLarge, _): socket.isCut = true
      case .utterance(.ping, _): break
      case .hostLeft(let manner):
        if !hasClientClosed {
          socket.turns.append(.hostLeft(manner == .reset ? .reset : .abrupt))
        }
      case .ended:
        guard let place else { return }
        log.closeExchange(
          RecordedExchange(
            method: incoming.method, target: incoming.target, headers: incoming.headers,
            body: incoming.body, outcome: .socket(socket)), at: place)
      }
    }
    var reply = PreparedReply(status: 101, headers: tunnel.head.headers)
    reply.reason = tunnel.head.status.reasonPhrase
    reply.content = .tunnel(tunnel)
    return Answer(reply: reply, record: record)
  }

  private func tell(
    of message: WebSocketMessage, isFromClient: Bool, in request: RecordedRequest
  ) {
    let record = RecordedMessage(
      request: request.number, isFromClient: isFromClient, isText: message.isText,
      bytes: Array(message.bytes.readableBytesView.prefix(RecordedRequest.maximumKeptBody)),
      length: message.bytes.readableBytes, time: environment.elapsed())
    log.append(record)
    report(.message(record))
  }
}

extension RecordedSocket.Turn {
  fileprivate init(_ message: WebSocketMessage, isFromClient: Bool) {
    switch message {
    case .text(let text): self = isFromClient ? .clientText(text) : .hostText(text)
    case .binary(let buffer):
      let bytes = Array(buffer.readableBytesView)
      self = isFromClient ? .clientBytes(bytes) : .hostBytes(bytes)
    }
  }
}
