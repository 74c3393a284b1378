internal import NIOCore

/// A body of known length.
enum BodySource {
  /// Bytes in memory.
  case bytes(ByteBuffer)
  /// A part of a file, read when it is needed.
  case file(FileBody)

  /// The length in bytes.
  var length: Int {
    switch self {
    case .bytes(let buffer): buffer.readableBytes
    case .file(let file): file.length
    }
  }

  /// Removes and returns at most so many bytes from the front; empty at the end.
  ///
  /// - Throws: If the file cannot be read, or is shorter than it was.
  mutating func next(_ maximum: Int) throws -> ByteBuffer {
    switch self {
    case .bytes(var buffer):
      let part = buffer.readSlice(length: min(maximum, buffer.readableBytes)) ?? ByteBuffer()
      self = .bytes(buffer)
      return part
    case .file(var file):
      let part = try file.next(maximum)
      self = .file(file)
      return part
    }
  }

  /// Returns a part of the body; `range` is within its length.
  func part(_ range: Range<Int>) -> BodySource {
    switch self {
    case .bytes(let buffer):
      let start = buffer.readerIndex + range.lowerBound
      return .bytes(buffer.getSlice(at: start, length: range.count) ?? ByteBuffer())
    case .file(let file):
      return .file(file.part(range))
    }
  }
}
