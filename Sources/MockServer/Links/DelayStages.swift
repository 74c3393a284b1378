internal import Foundations
internal import NIOCore

/// `latency`: everything comes later, in order.
///
/// All bytes that come at one instant have one delay, so that it does not matter in which pieces they come.
struct LatencyStage: FaultStage {
  private let latency: Nanoseconds
  private let jitter: Nanoseconds
  private var random: SplitMix64
  private var held = CircularBuffer<(item: LinkSegment, due: Nanoseconds)>()
  private var lastArrival: Nanoseconds?
  private var lastDue = Nanoseconds(.min)
  private(set) var heldCount = 0
  private(set) var hasActed = false

  init(latency: Nanoseconds, jitter: Nanoseconds, random: SplitMix64) {
    self.latency = latency
    self.jitter = jitter
    self.random = random
  }

  var due: Nanoseconds? { held.first?.due }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    if lastArrival != now {
      lastArrival = now
      var delay = latency
      if jitter > .zero {
        delay += Nanoseconds(random.next(in: -jitter.count...jitter.count))
      }
      // An earlier piece is never overtaken.
      lastDue = max(lastDue, now + max(.zero, delay))
    }
    guard lastDue > now || !held.isEmpty else { return output.append(item) }
    hasActed = true
    heldCount += item.count
    held.append((item, lastDue))
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    while let first = held.first, first.due <= now {
      held.removeFirst()
      heldCount -= first.item.count
      output.append(first.item)
    }
  }

  mutating func release(into output: inout [LinkSegment]) {
    advance(to: .forever, into: &output)
  }
}

/// `bandwidth`: every byte takes its time.
struct BandwidthStage: FaultStage {
  /// The number of times in a second that bytes which have arrived are passed on.
  private static let piecesPerSecond = 10

  private let rate: Int
  private let pieceLength: Int
  private var held = HeldSegments()
  /// The time at which the line, which had been free, became busy, and the number of bytes that
  /// have passed since.
  private var origin = Nanoseconds.zero
  private var passed = 0
  private(set) var hasActed = false

  init(bytesPerSecond rate: Int) {
    self.rate = max(1, rate)
    pieceLength = max(1, rate / Self.piecesPerSecond)
  }

  var heldCount: Int { held.count }

  /// The time at which the last byte of the next piece is through.
  var due: Nanoseconds? {
    guard !held.isEmpty else { return nil }
    return origin + time(of: passed + nextCount)
  }

  /// A piece ends where a piece of a full line would end, or with the last byte that there is.
  private var nextCount: Int { min(pieceLength - passed % pieceLength, held.count) }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    if held.isEmpty {
      guard item.count > 0 else { return output.append(item) }
      origin = now
      passed = 0
    }
    hasActed = true
    held.append(item)
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    while let due, due <= now {
      var rest = nextCount
      passed += rest
      while rest > 0 { rest -= held.moveFirst(upTo: rest, into: &output) }
      // The end takes no time.
      while case .end? = held.first { held.moveFirst(into: &output) }
    }
  }

  mutating func release(into output: inout [LinkSegment]) {
    held.moveAll(into: &output)
  }

  /// The virtual time that so many bytes take, rounded up.
  private func time(of count: Int) -> Nanoseconds {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
    let product = UInt64(rest).multipliedFullWidth(by: 1_000_000_000)
    let (quotient, remainder) = UInt64(rate).dividingFullWidth(product)
    return .seconds(Int64(seconds)) + Nanoseconds(Int64(quotient) + (remainder > 0 ? 1 : 0))
  }
}

/// `slicer`: bytes come in small pieces.
struct SlicerStage: FaultStage {
  private let averageSize: Int
  private let sizeVariation: Int
  private let delay: Nanoseconds
  private var random: SplitMix64
  private var held = HeldSegments()
  /// The bytes of the present piece that are still to come.
  private var rest: Int
  private var opening = Nanoseconds(.min)
  private(set) var hasActed = false

  init(averageSize: Int, sizeVariation: Int, delay: Nanoseconds, random: SplitMix64) {
    self.averageSize = averageSize
    self.sizeVariation = sizeVariation
    self.delay = delay
    self.random = random
    rest = 0
    rest = nextSize()
  }

  private mutating func nextSize() -> Int {
    guard sizeVariation > 0 else { return max(1, averageSize) }
    let variation = Int64(sizeVariation)
    return max(1, averageSize + Int(random.next(in: -variation...variation)))
  }

  var heldCount: Int { held.count }

  var due: Nanoseconds? { held.isEmpty ? nil : opening }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    held.append(item)
    advance(to: now, into: &output)
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    while let due, due <= now {
      if case .end? = held.first {
        held.moveFirst(into: &output)
        continue
      }
      hasActed = true
      rest -= held.moveFirst(upTo: rest, into: &output)
      guard rest <= 0 else { continue }
      rest = nextSize()
      opening = now + delay
    }
  }

  mutating func release(into output: inout [LinkSegment]) {
    held.moveAll(into: &output)
  }
}

/// `slow_close`: the end comes later.
struct SlowCloseStage: FaultStage {
  private let delay: Nanoseconds
  private var held = HeldSegments()
  private(set) var due: Nanoseconds?
  private(set) var hasActed = false

  init(delay: Nanoseconds) {
    self.delay = delay
  }

  var heldCount: Int { held.count }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard held.isEmpty, item.count > 0 || item == .end(.reset) || delay == .zero else {
      if due == nil { due = now + delay }
      hasActed = true
      return held.append(item)
    }
    output.append(item)
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    guard let due, due <= now else { return }
    release(into: &output)
  }

  mutating func release(into output: inout [LinkSegment]) {
    due = nil
    held.moveAll(into: &output)
  }
}
