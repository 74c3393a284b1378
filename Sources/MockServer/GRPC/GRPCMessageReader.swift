internal import NIOCore

/// Splits a body into the messages of gRPC as it comes: each follows five bytes.
///
/// See "gRPC over HTTP2", Length-Prefixed-Message.
struct GRPCMessageReader {
  /// A message.
  struct Message: Hashable {
    var bytes: ByteBuffer
    /// True if it is packed as the header `grpc-encoding` says.
    var isPacked: Bool
  }

  /// The largest message that is read, in bytes.
  static let maximumMessage = 16 * 1024 * 1024
  /// The number of bytes in front of a message.
  static let headLength = 5

  private var received = ByteBuffer()
  /// True if a message was larger than the bound: nothing more is read.
  private(set) var isLost = false
  /// True if nothing of a further message has come.
  var isBetweenMessages: Bool { received.readableBytes == 0 }

  /// Adds bytes, and returns the messages that they complete.
  mutating func read(_ bytes: ByteBuffer) -> [Message] {
    guard !isLost else { return [] }
    received.writeImmutableBuffer(bytes)
    var messages: [Message] = []
    while received.readableBytes >= Self.headLength {
      let start = received.readerIndex
      guard let flag = received.getInteger(at: start, as: UInt8.self),
        let length = received.getInteger(at: start + 1, as: UInt32.self)
      else { break }
      guard length <= UInt32(Self.maximumMessage) else {
        isLost = true
        received = ByteBuffer()
        break
      }
      guard received.readableBytes >= Self.headLength + Int(length) else { break }
      received.moveReaderIndex(forwardBy: Self.headLength)
      guard let message = received.readSlice(length: Int(length)) else { break }
      messages.append(Message(bytes: message, isPacked: flag & 1 != 0))
    }
    received.discardReadBytes()
    return messages
  }

  /// A message as it goes over the wire, not packed.
  static func frame(_ message: ByteBuffer) -> ByteBuffer {
    var frame = ByteBuffer()
    frame.writeInteger(UInt8(0))
    frame.writeInteger(UInt32(truncatingIfNeeded: message.readableBytes))
    frame.writeImmutableBuffer(message)
    return frame
  }
}
