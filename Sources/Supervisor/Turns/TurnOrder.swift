internal import Foundations

/// The order of turns, as a seed determines it.
///
/// Every choice follows from the seed, and from the number of choices before: the same environment
/// asks for the same choices.
struct TurnOrder: Sendable {
  private var random: SplitMix64
  /// The number of turns that have been given.
  private(set) var count: UInt64 = 0
  /// The digest of the history so far.
  private var history: StreamKey

  /// The average number of calls between two at which the turn may pass to another thread.
  private static let callsPerChange: UInt64 = 8

  /// - Parameter seed: the scenario's seed.
  init(seed: Int64) {
    random = SplitMix64(seed: StreamKey(seed: seed, entry: "order").value)
    history = StreamKey(seed: seed, entry: "history")
  }

  /// The digest of the history so far: runs in which it differs were not the same.
  var digest: UInt64 { history.value }

  /// Returns whether the turn may pass to another thread at a call that its holder is about to make.
  mutating func mayChange() -> Bool { random.next(below: Self.callsPerChange) == 0 }

  /// The place of the one who is next among those who wait.
  ///
  /// - Parameter waiting: how many wait; at least one.
  mutating func next(among waiting: Int) -> Int {
    count += 1
    return waiting == 1 ? 0 : Int(random.next(below: UInt64(waiting)))
  }

  /// Adds to the history an event that is the same in each run.
  ///
  /// - Parameters:
  ///   - thread: the thread's number in start order.
  ///   - call: the number of its system call, or another number below zero.
  ///   - result: what the call has returned; `nil` for one that is about to be made.
  ///   - now: virtual time.
  mutating func record(thread: Int, call: Int, result: Int?, now: Nanoseconds) {
    history.add(decimal: now.count)
    history.add(UInt8(ascii: " "))
    history.add(decimal: Int64(thread))
    history.add(UInt8(ascii: " "))
    history.add(decimal: Int64(call))
    if let result {
      history.add(UInt8(ascii: "="))
      history.add(decimal: Int64(result))
    }
    history.add(UInt8(ascii: "\n"))
  }
}
