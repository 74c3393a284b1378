internal import NIOCore
internal import ScenarioModel

/// The bytes of a client that no step of a script has read yet.
struct ConversationInput {
  /// The result of reading a piece.
  enum Reading: Equatable {
    /// The piece, without its end.
    case piece([UInt8])
    /// It has not come as a whole.
    case incomplete
    /// The client has closed its side before; the bytes are what came.
    case ended([UInt8])
    /// More bytes have come than a piece may have.
    case tooLong
    /// The bytes are others, from a place on.
    case different(at: Int)
  }

  /// The largest piece, in bytes.
  static let limit = 16 << 20

  private var bytes = ByteBuffer()
  /// The number of bytes in which the end of the piece is not.
  private var searched = 0
  /// True if the client has closed its side.
  private(set) var isEnded = false

  /// The number of bytes that nothing has read.
  var count: Int { bytes.readableBytes }

  /// The beginning of them.
  func beginning(_ length: Int) -> [UInt8] { Array(bytes.readableBytesView.prefix(length)) }

  /// Adds what has come.
  mutating func append(_ news: ByteBuffer) { bytes.writeImmutableBuffer(news) }

  /// The client has closed its side.
  mutating func end() { isEnded = true }

  /// Reads the next piece.
  mutating func read(upTo end: PieceEnd) -> Reading {
    switch end {
    case .line: readLine()
    case .text(let text): read(upTo: Array(text.utf8))
    case .length(let length): bytes.readableBytes < length ? shortage() : .piece(take(length))
    }
  }

  /// Reads bytes that must be these.
  mutating func read(_ wanted: [UInt8]) -> Reading {
    let view = bytes.readableBytesView
    if let place = zip(view, wanted).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      return .different(at: place)
    }
    return view.count < wanted.count ? shortage() : .piece(take(wanted.count))
  }

  private mutating func readLine() -> Reading {
    let view = bytes.readableBytesView
    guard let end = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) else {
      searched = view.count
      // What a client says last need not end.
      return isEnded && !view.isEmpty ? .piece(take(view.count)) : shortage()
    }
    var line = take(end - view.startIndex + 1)
    line.removeLast()
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return .piece(line)
  }

  private mutating func read(upTo end: [UInt8]) -> Reading {
    let view = bytes.readableBytesView
    var place = searched
    while place + end.count <= view.count {
      if view.dropFirst(place).starts(with: end) {
        return .piece(Array(take(place + end.count).dropLast(end.count)))
      }
      place += 1
    }
    searched = place
    return shortage()
  }

  private mutating func take(_ length: Int) -> [UInt8] {
    searched = 0
    // Only sometimes: it moves all that is left.
    defer { if bytes.readerIndex > bytes.readableBytes { bytes.discardReadBytes() } }
    return bytes.readBytes(length: length) ?? []
  }

  private func shortage() -> Reading {
    if isEnded { return .ended(Array(bytes.readableBytesView)) }
    return bytes.readableBytes > Self.limit ? .tooLong : .incomplete
  }
}
