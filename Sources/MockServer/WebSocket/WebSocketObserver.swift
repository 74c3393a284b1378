internal import NIOCore

/// Reads one direction of a relayed WebSocket (RFC 6455, section 5): bytes in, messages out.
///
/// A violation of the protocol ends the reading: the two sides settle it between them.
struct WebSocketObserver {
  /// A message of either side.
  enum Utterance: Hashable {
    case message(WebSocketMessage)
    case ping(ByteBuffer)
    /// A close frame; 1005 is no code.
    case close(code: Int, reason: String)
    /// A message that is too large to be kept.
    case tooLarge
  }

  private enum Opcode {
    static let continuation: UInt8 = 0
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10
  }

  private struct Frame {
    var opcode: UInt8
    var isFinal: Bool
    var rest: UInt64
    var mask: [UInt8]
    var offset = 0
    var payload = ByteBuffer()
  }

  /// The largest message that is kept, in bytes: one beyond it could not be replayed.
  private static let maximumMessage = 16 * 1024 * 1024

  private var received = ByteBuffer()
  private var frame: Frame?
  private var message: (isText: Bool, bytes: ByteBuffer)?
  private var isTooLarge = false
  /// True if later bytes cannot be parsed.
  private(set) var isOver = false

  /// Adds bytes, and returns the messages that they complete, in order.
  mutating func read(_ bytes: ByteBuffer) -> [Utterance] {
    var utterances: [Utterance] = []
    guard !isOver else { return utterances }
    received.writeImmutableBuffer(bytes)
    while !isOver {
      if frame == nil {
        frame = readHead()
        guard frame != nil else { break }
      }
      guard readPayload(), let complete = frame else { break }
      frame = nil
      if let utterance = take(complete) { utterances.append(utterance) }
    }
    received.discardReadBytes()
    return utterances
  }

  /// The head of a frame (section 5.2); `nil` while it is incomplete, or means nothing.
  private mutating func readHead() -> Frame? {
    var rest = received
    guard let first = rest.readInteger(as: UInt8.self),
      let second = rest.readInteger(as: UInt8.self)
    else { return nil }
    let length: UInt64?
    switch second & 0x7F {
    case 126: length = rest.readInteger(as: UInt16.self).map(UInt64.init)
    case 127: length = rest.readInteger(as: UInt64.self)
    case let short: length = UInt64(short)
    }
    guard let length else { return nil }
    var mask: [UInt8] = []
    if second & 0x80 != 0 {
      guard let bytes = rest.readBytes(length: 4) else { return nil }
      mask = bytes
    }
    received = rest
    // Extensions are kept out of the handshake.
    guard first & 0x70 == 0, length <= UInt64(Int64.max) else {
      isOver = true
      return nil
    }
    return Frame(opcode: first & 0x0F, isFinal: first & 0x80 != 0, rest: length, mask: mask)
  }

  /// Reads what has come of the payload; returns whether it is complete.
  private mutating func readPayload() -> Bool {
    guard var current = frame else { return false }
    let count = Int(min(UInt64(received.readableBytes), current.rest))
    if count > 0, var part = received.readSlice(length: count) {
      current.rest -= UInt64(count)
      let kept = current.payload.readableBytes + (message?.bytes.readableBytes ?? 0)
      if kept + count > Self.maximumMessage {
        isTooLarge = true
      } else if current.mask.isEmpty {
        current.payload.writeBuffer(&part)
      } else {
        let offset = current.offset
        current.payload.writeBytes(
          part.readableBytesView.enumerated().map { $1 ^ current.mask[(offset + $0) & 3] })
      }
      current.offset = (current.offset + count) & 3
    }
    frame = current
    return current.rest == 0
  }

  private mutating func take(_ frame: Frame) -> Utterance? {
    switch frame.opcode {
    case Opcode.text, Opcode.binary:
      message = (frame.opcode == Opcode.text, frame.payload)
      return frame.isFinal ? endMessage() : nil
    case Opcode.continuation:
      guard message != nil else { break }
      var part = frame.payload
      message?.bytes.writeBuffer(&part)
      return frame.isFinal ? endMessage() : nil
    case Opcode.ping: return .ping(frame.payload)
    case Opcode.pong: return nil
    case Opcode.close: return close(frame.payload)
    default: break
    }
    isOver = true
    return nil
  }

  private mutating func endMessage() -> Utterance? {
    defer {
      message = nil
      isTooLarge = false
    }
    guard !isTooLarge else { return .tooLarge }
    guard let (isText, bytes) = message else { return nil }
    guard isText else { return .message(.binary(bytes)) }
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      isOver = true
      return nil
    }
    return .message(.text(text))
  }

  private mutating func close(_ payload: ByteBuffer) -> Utterance {
    isOver = true
    var payload = payload
    guard let code = payload.readInteger(as: UInt16.self) else {
      return .close(code: 1005, reason: "")
    }
    return .close(code: Int(code), reason: String(buffer: payload))
  }
}
