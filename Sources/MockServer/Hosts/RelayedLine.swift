internal import FaultEngine
internal import Foundations
internal import ScenarioModel

/// One direction of a relayed connection: what faults make of its bytes, and then whether they get through.
///
/// Pure. What is under way when the line is cut is lost as well, and sent again.
struct RelayedLine {
  private var faults = FaultPipeline()
  private var line = BrokenLine()
  private var scratch: [LinkSegment] = []

  /// True if everything passes as it comes.
  var isPlain: Bool { faults.isPlain && line.isPlain }
  /// The number of bytes that are held back.
  var heldCount: Int { faults.heldCount + line.heldCount }
  /// When something happens by itself.
  var due: Nanoseconds? { [faults.due, line.due].compactMap(\.self).min() }
  /// True if the sender has given up.
  var hasExpired: Bool { line.hasExpired }
  /// True if a fault has changed anything.
  var hasActed: Bool { faults.hasActed }

  /// True if nothing is held back by a cut.
  var isAcknowledged: Bool { line.isEmpty }

  /// Sets how long the sender's data may stay without an acknowledgement; `nil` for as long as TCP sends it again.
  mutating func setUserTimeout(_ timeout: Nanoseconds?) { line.userTimeout = timeout }

  /// Cuts the line, or mends it.
  mutating func setCut(_ isCut: Bool, at now: Nanoseconds) { line.setCut(isCut, at: now) }

  /// Replaces the faults; what the earlier ones hold back comes first.
  mutating func replaceFaults(
    with toxics: [Toxic], stream: Toxic.Stream, random: SplitMix64, at now: Nanoseconds,
    into output: inout [LinkSegment]
  ) {
    scratch.removeAll(keepingCapacity: true)
    faults.heldBehind = line.isPlain ? nil : line.heldCount
    faults.replaceStages(with: toxics, stream: stream, random: random, at: now, into: &scratch)
    pass(at: now, into: &output)
  }

  /// Takes a segment in.
  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    scratch.removeAll(keepingCapacity: true)
    faults.heldBehind = line.isPlain ? nil : line.heldCount
    faults.take(item, at: now, into: &scratch)
    pass(at: now, into: &output)
  }

  /// Carries out what is due.
  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    line.advance(to: now, into: &output)
    scratch.removeAll(keepingCapacity: true)
    faults.heldBehind = line.isPlain ? nil : line.heldCount
    faults.advance(to: now, into: &scratch)
    pass(at: now, into: &output)
  }

  private mutating func pass(at now: Nanoseconds, into output: inout [LinkSegment]) {
    for item in scratch { line.take(item, at: now, into: &output) }
  }
}
