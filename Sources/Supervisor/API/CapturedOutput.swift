public import ScenarioPlan

/// What the target wrote to one stream.
///
/// What is longer than `memoryLimit` lies in a file without a name, from its first byte on.
public struct CapturedOutput: Sendable, LongText {
  /// How much of a stream is held in memory.
  public static let memoryLimit = 1 << 20

  /// The beginning: all of it, if it is not longer than `memoryLimit`.
  public var bytes: [UInt8]
  /// How many bytes were kept, in memory or in the file.
  public private(set) var count: Int
  /// How many bytes came beyond that.
  public var omitted: Int
  /// Why bytes were not kept, as an errno; `nil` where the length was why.
  public private(set) var errorNumber: Int32?

  private let file: OutputFile?

  /// Creates an output that lies in memory.
  public init(bytes: [UInt8], omitted: Int) {
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

  /// Whether more was kept than lies in memory.
  public var isLong: Bool { count > bytes.count }

  /// How many bytes came beyond those that lie in memory.
  public var beyondMemory: Int { count - bytes.count + omitted }

  /// Reads the bytes of a range of what was kept.
  public func read(_ range: Range<Int>) throws(LongTextError) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    guard range.upperBound > bytes.count, let file else { return Array(bytes[range]) }
    return try file.read(range)
  }

  /// The last bytes of what was kept; empty if they cannot be read back.
  public func suffix(_ length: Int) -> [UInt8] {
    (try? read(max(0, count - length)..<count)) ?? []
  }
}
