internal import Foundations

/// The operations that wait until nothing more can happen at the instant at which they began.
///
/// While there are any, virtual time does not move. A thread that spins for what they hold back,
/// and reads no clock meanwhile, never comes to rest, nor does one that computes: therefore the
/// wait is bounded, and the bound is shorter the more often quiescence did not come.
struct QuiescenceWaiters {
  private(set) var waiting: [@Sendable () -> Void] = []
  private var since = Nanoseconds.zero
  private var usedBefore = Nanoseconds.zero
  private var halvings = 0

  /// The processor time that the tree may take until it is quiescent, where virtual time does not
  /// move meanwhile: enough for some programs to start.
  private static let processorTime = Nanoseconds.seconds(1)
  /// The same in real time, since those that have ended are not counted; a target that gets no processor on a busy
  /// machine has not had its time yet.
  private static let realTime = Nanoseconds.seconds(5)
  /// Processor time where time flows, and this is time that the target misses: many times what a program takes to
  /// make ready for a signal, on a slow processor too.
  private static let flowingProcessorTime = Nanoseconds.milliseconds(250)
  /// After so many disappointments in a row, patience is a thousandth.
  private static let maximumHalvings = 10

  var isEmpty: Bool { waiting.isEmpty }

  /// Adds one.
  ///
  /// - Parameter used: the processor time that the tree has taken so far.
  mutating func add(
    _ body: @escaping @Sendable () -> Void, real: Nanoseconds, used: @autoclosure () -> Nanoseconds
  ) {
    if waiting.isEmpty {
      since = real
      usedBefore = used()
    }
    waiting.append(body)
  }

  /// Returns whether the wait has timed out.
  ///
  /// - Parameter used: the processor time that the tree has taken so far.
  func isPatienceOver(
    flows: Bool, real: Nanoseconds, used: @autoclosure () -> Nanoseconds
  ) -> Bool {
    let waited = real - since
    let processorTime = shortened(flows ? Self.flowingProcessorTime : Self.processorTime)
    // Before that there is no use in asking.
    guard waited.count >= processorTime.count / Self.processorLimit else { return false }
    return waited >= shortened(Self.realTime)
      || used() - usedBefore >= processorTime
  }

  /// The largest number of processors that a tree may run on: processor time passes so many times
  /// as fast as real time at most.
  private static let processorLimit: Int64 = 64

  private func shortened(_ length: Nanoseconds) -> Nanoseconds {
    Nanoseconds(length.count >> Int64(halvings))
  }

  /// Removes and returns all that wait.
  ///
  /// - Parameter isAtRest: whether the tree is at rest, and not patience over.
  mutating func take(isAtRest: Bool) -> [@Sendable () -> Void] {
    halvings = isAtRest ? max(0, halvings - 1) : min(Self.maximumHalvings, halvings + 1)
    defer { waiting = [] }
    return waiting
  }
}
