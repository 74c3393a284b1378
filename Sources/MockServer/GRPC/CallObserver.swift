internal import MockEngine
internal import NIOCore

/// Reads the messages of a relayed call of gRPC.
///
/// Lives on the event loop.
final class CallObserver {
  private var turns: [RecordedCall.Turn] = []
  private var fromClient = GRPCMessageReader()
  private var fromHost = GRPCMessageReader()
  private var isReadable = true
  private var keptBytes = 0

  init(_ feed: RequestFeed) {
    feed.onPart = { [self] part in
      switch part {
      case .bytes(let bytes): take(fromClient.read(bytes)) { .client($0) }
      case .end: turns.append(.clientEnd)
      case .lost: break
      }
    }
  }

  func receiveFromHost(_ bytes: ByteBuffer) {
    take(fromHost.read(bytes)) { .host($0) }
  }

  private func take(
    _ messages: [GRPCMessageReader.Message], as turn: ([UInt8]) -> RecordedCall.Turn
  ) {
    for message in messages {
      keptBytes += message.bytes.readableBytes
      if message.isPacked || keptBytes > RecordedReply.maximumKeptBody { isReadable = false }
      if isReadable { turns.append(turn(Array(message.bytes.readableBytesView))) }
    }
  }

  /// The recorded call; `nil` if it was compressed, or too long.
  var call: RecordedCall? {
    isReadable && !fromClient.isLost && !fromHost.isLost ? RecordedCall(turns: turns) : nil
  }
}
