package import Patterns

/// What the target wrote to one stream.
///
/// What is longer than `memoryLimit` lies in a file without a name, from its first byte on.
package struct CapturedOutput: Sendable, LongText {
  /// How much of a stream is held in memory.
  package static let memoryLimit = 1 << 20

  /// The beginning: all of it, if it is not longer than `memoryLimit`.
  package var bytes: [UInt8]
  /// How many bytes were kept, in memory or in the file.
  package private(set) var count: Int
  /// How many bytes came beyond that.
  package var omitted: Int
  /// Why bytes were not kept, as an errno; `nil` where the length was why.
  package private(set) var errorNumber: Int32?

  private let file: OutputFile?

  /// Creates an output that lies in memory.
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

  /// True if more was kept than lies in memory.
  package var isLong: Bool { count > bytes.count }

  /// How many bytes came beyond those that lie in memory.
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
