internal import Foundations
internal import ScenarioModel

/// One direction of one connection with the toxics that work on it, in order: bytes and instants in, bytes
/// and instants out.
///
/// Pure. The owner calls `advance(to:)` when `due` has come; where that is late, everything happens as
/// if it had been called at each instant.
struct FaultPipeline {
  /// The maximum number of bytes that are held back before their sender has to wait.
  static let limit = 1 << 20

  private var stages: [any FaultStage] = []
  /// Segments for which there is no room yet: at one instant exactly as many bytes go in as there is room for, in whatever
  /// pieces they come.
  private var waiting = HeldSegments()
  /// The number of bytes that are held back behind the pipeline, and take up its room as well, as does all that comes out;
  /// `nil` if nothing is held back there.
  var heldBehind: Int?
  /// True if the direction has ended so that nothing more may come out.
  private(set) var hasEnded = false
  /// Memory for what goes from one toxic to the next.
  private var scratch: [LinkSegment] = []

  /// Creates a pipeline without toxics.
  init() {}

  /// True if nothing is changed.
  var isPlain: Bool { stages.isEmpty && waiting.isEmpty && !hasEnded }
  /// The time at which the next output comes by itself.
  var due: Nanoseconds? { stages.compactMap(\.due).min() }
  /// The number of bytes that are held back.
  var heldCount: Int { waiting.count + stageCount }
  /// The number of bytes that toxics hold back.
  private var stageCount: Int { stages.reduce(0) { $0 + $1.heldCount } }
  /// True if any toxic has changed anything.
  var hasActed: Bool { stages.contains(where: \.hasActed) }

  /// Replaces the toxics from here on; what the earlier ones hold back comes out first.
  ///
  /// - Parameters:
  ///   - toxics: all of the connection's, of which those of this direction are taken.
  ///   - random: the source of their chance.
  mutating func replaceStages(
    with toxics: [Toxic], stream: Toxic.Stream, random: SplitMix64, at now: Nanoseconds,
    into output: inout [LinkSegment]
  ) {
    // The last one is nearest to the end of the line.
    for index in stages.indices.reversed() {
      var items: [LinkSegment] = []
      stages[index].release(into: &items)
      for item in items { emit(item, into: &output) }
    }
    stages = toxics.enumerated().compactMap { place, toxic in
      guard toxic.stream == stream || toxic.stream == .both else { return nil }
      // Each has a stream of random numbers of its own, whatever the others draw.
      var random = random
      for _ in 0..<(2 * place + (stream == .up ? 1 : 0)) { _ = random.next() }
      return Self.stage(toxic.kind, SplitMix64(seed: random.next()))
    }
    for index in stages.indices {
      var items: [LinkSegment] = []
      stages[index].begin(at: now, into: &items)
      for item in items { pass(item, from: index + 1, at: now, into: &output) }
    }
    admit(at: now, into: &output)
  }

  private static func stage(_ kind: Toxic.Kind, _ random: SplitMix64) -> (any FaultStage)? {
    switch kind {
    case .latency(let latency, let jitter):
      LatencyStage(latency: latency, jitter: jitter, random: random)
    case .bandwidth(let rate): BandwidthStage(bytesPerSecond: rate)
    case .slowClose(let delay): SlowCloseStage(delay: delay)
    case .timeout(let timeout): TimeoutStage(timeout: timeout)
    case .resetPeer(let timeout, let bytes): ResetPeerStage(timeout: timeout, bytes: bytes)
    case .slicer(let averageSize, let sizeVariation, let delay):
      SlicerStage(
        averageSize: averageSize, sizeVariation: sizeVariation, delay: delay, random: random)
    case .limitData(let bytes): LimitDataStage(bytes: bytes)
    case .loss(let part): LossStage(probability: part, random: random)
    // A stream has no datagrams.
    case .duplicate, .reorder: nil
    }
  }

  /// Takes a segment in.
  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    advance(to: now, into: &output)
    waiting.append(item)
    admit(at: now, into: &output)
  }

  /// Carries out everything that is due.
  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    while let index = nextStage(), let instant = stages[index].due, instant <= now {
      var items = scratch
      scratch = []
      stages[index].advance(to: instant, into: &items)
      for item in items { pass(item, from: index + 1, at: instant, into: &output) }
      items.removeAll(keepingCapacity: true)
      scratch = items
      admit(at: instant, into: &output)
    }
    admit(at: now, into: &output)
  }

  /// Lets in what there is room for.
  private mutating func admit(at now: Nanoseconds, into output: inout [LinkSegment]) {
    while !waiting.isEmpty {
      let room = Self.limit - (heldBehind ?? 0) - stageCount
      guard room > 0 else { return }
      var items = scratch
      scratch = []
      waiting.moveFirst(upTo: room, into: &items)
      for item in items { pass(item, from: 0, at: now, into: &output) }
      items.removeAll(keepingCapacity: true)
      scratch = items
    }
  }

  /// The toxic that has something to do first.
  private func nextStage() -> Int? {
    var found: (index: Int, due: Nanoseconds)?
    for index in stages.indices {
      guard let due = stages[index].due, found.map({ due < $0.due }) ?? true else { continue }
      found = (index, due)
    }
    return found?.index
  }

  private mutating func pass(
    _ item: LinkSegment, from index: Int, at now: Nanoseconds, into output: inout [LinkSegment]
  ) {
    guard index < stages.count else { return emit(item, into: &output) }
    var items: [LinkSegment] = []
    stages[index].take(item, at: now, into: &items)
    for item in items { pass(item, from: index + 1, at: now, into: &output) }
  }

  private mutating func emit(_ item: LinkSegment, into output: inout [LinkSegment]) {
    guard !hasEnded else { return }
    if case .end(let end) = item, end != .half { hasEnded = true }
    heldBehind? += item.count
    output.append(item)
  }
}
