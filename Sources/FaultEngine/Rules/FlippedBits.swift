package import Foundations

/// Chooses the bits of a transfer that are flipped.
package enum FlippedBits {
  /// A bit of a transfer.
  package struct Bit: Hashable {
    /// The place of its byte.
    package var byte: Int
    /// Its place in the byte, from the lowest one.
    package var bit: UInt8
  }

  /// Returns different bits, as two flips of one bit change nothing: all that there are, if these are
  /// fewer than are asked for.
  ///
  /// Each takes one draw of a byte, unless its place is given, and one of a bit; the next one that is
  /// free stands in for a bit that has been chosen already.
  package static func choose(
    _ number: Int, among count: Int, at place: Int?, _ random: inout SplitMix64
  ) -> [Bit] {
    // Calls may name more bytes than there is memory.
    let count = min(count, Int.max / 8)
    guard count > 0, place.map({ (0..<count).contains($0) }) ?? true else { return [] }
    let first = place ?? 0
    let room = (place == nil ? count : 1) * 8
    func bit(_ index: Int) -> Bit { Bit(byte: first + index / 8, bit: UInt8(index % 8)) }
    guard number < room else { return (0..<room).map(bit) }
    var chosen: Set<Int> = []
    var bits: [Bit] = []
    for _ in 0..<max(0, number) {
      let byte = place == nil ? Int(random.next(below: UInt64(count))) : 0
      var index = byte * 8 + Int(random.next(below: 8))
      while !chosen.insert(index).inserted { index = (index + 1) % room }
      bits.append(bit(index))
    }
    return bits
  }
}
