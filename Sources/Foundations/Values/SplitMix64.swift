/// The digest by which streams of random numbers get their beginning.
package struct StreamKey: Sendable, Hashable {
  private var digest = ContentDigest()

  /// The digest of what was added.
  package var value: UInt64 { digest.value }

  /// The key of no bytes.
  init() {}

  /// Creates the key of a stream, which its purpose makes distinct.
  package init(seed: Int64, entry: String) {
    add("v1")
    add(0)
    add(decimal: seed)
    add(0)
    add(entry)
    add(0)
  }

  /// Adds a byte.
  package mutating func add(_ byte: UInt8) {
    digest.add(byte)
  }

  /// Adds the bytes of a text.
  package mutating func add(_ text: String) {
    digest.add(text.utf8)
  }

  /// Adds a number as its decimal digits, without making a text of it.
  package mutating func add(decimal number: Int64) {
    if number < 0 { add(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var divisor: UInt64 = 1
    while rest / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      add(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood, 2014), the same everywhere for the same seed.
package struct SplitMix64: Sendable, Hashable {
  private var state: UInt64

  /// Creates a stream.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`; 0 for the bound 0.
  package mutating func next(below bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  /// A number between two, both included.
  package mutating func next(in range: ClosedRange<Int64>) -> Int64 {
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    let offset = span == .max ? next() : next(below: span + 1)
    return range.lowerBound &+ Int64(bitPattern: offset)
  }

  /// A number from 0 up to and without 1.
  package mutating func nextPart() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
