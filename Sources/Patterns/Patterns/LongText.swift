/// Text that is read piece by piece, because it may be longer than what can be held.
package protocol LongText: Sendable {
  /// The number of bytes that it has.
  var count: Int { get }

  /// Reads the bytes of a range within `count`.
  func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8]
}

/// The reason why a long text cannot be read, or cannot be judged.
package struct LongTextError: Error, Sendable, Hashable {
  /// The message behind the text's name: lower case, no full stop.
  package var message: String
  /// The exact fix, if one is known.
  package var help: String?

  /// Creates an error.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

extension LongText {
  /// The longest text of which all is needed at once, as of JSON, in bytes.
  package static var wholeLimit: Int { 64 << 20 }

  /// Returns whether all of it is UTF-8.
  package func isUTF8() throws(LongTextError) -> Bool {
    var pieces = TextPieces(self)
    while !pieces.isRepaired, try pieces.next() != nil {}
    return !pieces.isRepaired
  }

  /// Returns the whole text, for work that cannot be done piece by piece.
  ///
  /// - Parameter purpose: what needs it: "JSON".
  package func whole(for purpose: String) throws(LongTextError) -> String {
    guard count <= Self.wholeLimit else {
      throw LongTextError(
        "is longer than \(Self.wholeLimit >> 20) MiB, and \(purpose) needs all of it at once",
        help:
          "use `equals`, `contains`, `lines`, or `matches` without look-around and back references"
      )
    }
    return String(decoding: try read(0..<count), as: UTF8.self)
  }
}

/// A range of a long text that is a text itself, as a line of it is.
package struct LongTextPart<Source: LongText>: LongText {
  /// The whole text.
  package let source: Source
  /// The range of its bytes.
  package let range: Range<Int>

  /// Creates a part of a text.
  package init(source: Source, range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// The number of bytes that it has.
  package var count: Int { range.count }

  /// Reads bytes of the part, counted from its beginning.
  package func read(_ part: Range<Int>) throws(LongTextError) -> [UInt8] {
    try source.read((range.lowerBound + part.lowerBound)..<(range.lowerBound + part.upperBound))
  }
}

/// The pieces of a long text one after the other, cut between scalars, what is invalid repaired.
///
/// The pieces, put together, are the text that decoding all bytes at once makes.
package struct TextPieces<Source: LongText> {
  /// The number of bytes that are read at once.
  package static var size: Int { 1 << 18 }

  private let source: Source
  private let size: Int
  /// The offset at which the next piece begins, in bytes of the source.
  private(set) var position: Int
  /// True if some piece was not UTF-8, and has U+FFFD in place of what is not.
  private(set) var isRepaired = false

  /// Creates the pieces from a byte on.
  package init(_ source: Source, from position: Int = 0, size: Int = Self.size) {
    self.source = source
    self.position = position
    self.size = max(4, size)
  }

  /// The next piece; `nil` at the end.
  ///
  /// - Parameter mayGrow: whether a sequence that the end cuts off is left for later.
  package mutating func next(mayGrow: Bool = false) throws(LongTextError) -> String? {
    guard position < source.count else { return nil }
    let end = min(source.count, position + size)
    let bytes = try source.read(position..<end)
    let isCut = end < source.count || mayGrow
    let taken = isCut ? Self.lengthOfComplete(bytes) : bytes.count
    guard taken > 0 else { return nil }
    position += taken
    if let piece = String(validating: bytes[..<taken], as: UTF8.self) { return piece }
    isRepaired = true
    return String(decoding: bytes[..<taken], as: UTF8.self)
  }

  /// Returns the number of bytes before a sequence that continues behind the end.
  private static func lengthOfComplete(_ bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte < 0x80 { return bytes.count }
      guard byte >= 0xc0 else { continue }
      let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.count - back : bytes.count
    }
    return bytes.count
  }
}
