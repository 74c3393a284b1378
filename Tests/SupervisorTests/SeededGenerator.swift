/// SplitMix64, so that each seed says by itself what is drawn.
struct SeededGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  /// A number from zero on, below a bound.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((value ^ (value >> 31)) % UInt64(bound))
  }
}
