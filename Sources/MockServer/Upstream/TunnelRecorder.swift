internal import Foundations
internal import MockEngine
internal import NIOCore
internal import NIOHTTP1

/// Records what a client and a real host say to each other over a WebSocket.
///
/// Reports every message; in mode `record` they become the script of the entry. Lives on the event loop.
final class TunnelRecorder {
  private let incoming: IncomingRequest
  private let request: RecordedRequest
  /// The place in the order of what is recorded; `nil` if nothing is.
  private let place: Int?
  private let log: ExchangeLog
  private let recorder: RequestRecorder
  private var socket: RecordedSocket
  private var keptBytes = 0
  private var hasClientClosed = false

  init(
    _ incoming: IncomingRequest, _ request: RecordedRequest, place: Int?, log: ExchangeLog,
    recorder: RequestRecorder, head: HTTPResponseHead
  ) {
    self.incoming = incoming
    self.request = request
    self.place = place
    self.log = log
    self.recorder = recorder
    socket = RecordedSocket(headers: head.headers.map { .init(name: $0.name, value: $0.value) })
  }

  /// Records what happens to the tunnel.
  func record(_ news: UpstreamTunnel.News) {
    switch news {
    case .utterance(.message(let message), let isFromClient):
      recorder.record(message, isFromClient: isFromClient, of: request)
      keptBytes += message.bytes.readableBytes
      guard place != nil, keptBytes <= RecordedSocket.maximumKept else {
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
