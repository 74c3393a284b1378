/// The side of a link that has to wait because too much is held back.
struct BackPressure {
  private var isReadPostponed = false
  private var wasFull = false

  /// Returns whether so much is held back that nothing should be added.
  static func isFull(_ held: Int) -> Bool { held >= FaultPipeline.limit }

  /// Returns whether the client may be read; postpones the read if not.
  mutating func mayRead(held: Int) -> Bool {
    isReadPostponed = isReadPostponed || Self.isFull(held)
    return !Self.isFull(held)
  }

  /// Returns whether a read was postponed that may be done now.
  mutating func takesPostponedRead(held: Int) -> Bool {
    guard isReadPostponed, !Self.isFull(held) else { return false }
    isReadPostponed = false
    return true
  }

  /// Returns whether the link takes more again, after it was full.
  mutating func becomesWritable(held: Int) -> Bool {
    let becomes = wasFull && held < FaultPipeline.limit / 2
    wasFull = !becomes && wasFull || Self.isFull(held)
    return becomes
  }
}
