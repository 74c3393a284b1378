internal import Foundations

/// The random bytes of one process: each depends on the seed, the process's number in the order of
/// births, and the number of bytes before it, and on nothing else.
///
/// They are as random as tests need, and no secret: the seed gives them away.
struct EntropyStream: Sendable, Hashable {
  private let key: UInt64
  /// The number of bytes that have been drawn.
  private(set) var position: UInt64 = 0

  /// The difference between two keys, and between two words of a stream: the fraction of the golden
  /// ratio, odd.
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// Creates a stream.
  init(seed: Int64, processOrdinal: Int) {
    var seeds = SplitMix64(seed: UInt64(bitPattern: seed))
    let base = seeds.next()
    var keys = SplitMix64(
      seed: base ^ (UInt64(truncatingIfNeeded: processOrdinal) &* 0xd134_2543_de82_ef95))
    key = keys.next()
  }

  /// Fills a buffer with the next bytes.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    var index = 0
    while index < buffer.count {
      let word = word(at: position / 8)
      var offset = Int(position % 8)
      while offset < 8, index < buffer.count {
        buffer[index] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(offset)))
        offset += 1
        index += 1
        position &+= 1
      }
    }
  }

  /// The next bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      initialized = count
    }
  }

  /// The next UUID, as /proc/sys/kernel/random/uuid shows it: of version 4 (RFC 9562), in lower case, with
  /// a line feed.
  mutating func identifierLine() -> [UInt8] {
    var raw = bytes(16)
    raw[6] = raw[6] & 0x0f | 0x40
    raw[8] = raw[8] & 0x3f | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var line: [UInt8] = []
    for (index, byte) in raw.enumerated() {
      if [4, 6, 8, 10].contains(index) { line.append(UInt8(ascii: "-")) }
      line.append(digits[Int(byte >> 4)])
      line.append(digits[Int(byte & 15)])
    }
    return line + [UInt8(ascii: "\n")]
  }

  private func word(at index: UInt64) -> UInt64 {
    var words = SplitMix64(seed: key &+ index &* Self.step)
    return words.next()
  }
}
