package import Patterns

/// The bytes that the target wrote to one stream.
///
/// A stream longer than `memoryLimit` is in a file without a name, from its first byte on.
package struct CapturedOutput: Sendable, LongText {
  /// The largest number of bytes of a stream that are held in memory.
  package static let memoryLimit = 1 << 20

  /// The beginning: all of it, if it is not longer than `memoryLimit`.
  package var bytes: [UInt8]
  /// The number of bytes that were kept, in memory or in the file.
  package private(set) var count: Int
  /// The number of bytes that came beyond those.
  package var omitted: Int
  /// The errno for which bytes were not kept; `nil` where the length was the reason.
  package private(set) var errorNumber: Int32?

  private let file: OutputFile?

  /// Creates an output in memory.
  package init(bytes: [UInt8], omitted: Int) {
    self.bytes = bytes
    self.omitted = omitted
    count = bytes.count
    file = nil
  }

  init(_ stream: CapturedStream?) {
    bytes = stream?.bytes ?? []
    count = stream?.kept ?? 0
    omitted = stream?.omitted ?? 0
    errorNumber = stream?.errorNumber
    file = stream?.file
  }

  /// True if more was kept than is in memory.
  package var isLong: Bool { count > bytes.count }

  /// The number of bytes that came beyond those in memory.
  package var beyondMemory: Int { count - bytes.count + omitted }

  /// Reads the bytes of a range of what was kept.
  package func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    guard range.upperBound > bytes.count, let file else { return Array(bytes[range]) }
    return try file.read(range)
  }

  /// The last bytes of what was kept; empty if they cannot be read back.
  package func suffix(_ length: Int) -> [UInt8] {
    (try? read(max(0, count - length)..<count)) ?? []
  }
}
