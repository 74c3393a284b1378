internal import Foundations
internal import NIOCore

/// `loss`: some of the packets are lost, and come when they are sent again; what is behind them waits.
///
/// A packet is lost, and lost again, by chance; which ones are depends on where they are in the stream, and not on how it was
/// cut into pieces.
struct LossStage: FaultStage {
  /// The bytes of a packet on Ethernet, with the usual options of TCP.
  private static let packetLength = 1_448
  /// The first timeout of retransmission (`TCP_RTO_MIN` of the kernel), and how often it is doubled at most.
  private static let timeout = Nanoseconds.milliseconds(200)
  private static let mostLosses = 10

  private let probability: Double
  private var random: SplitMix64
  private var held = CircularBuffer<(item: LinkSegment, due: Nanoseconds)>()
  private var lastDue = Nanoseconds(.min)
  /// The rest of the present packet, and by how much it is late.
  private var rest = 0
  private var delay = Nanoseconds.zero
  private(set) var heldCount = 0
  private(set) var hasActed = false

  init(probability: Double, random: SplitMix64) {
    self.probability = probability
    self.random = random
  }

  var due: Nanoseconds? { held.first?.due }

  mutating func take(_ item: LinkSegment, at now: Nanoseconds, into output: inout [LinkSegment]) {
    guard case .bytes(var bytes) = item else {
      return pass(item, due: max(lastDue, now), at: now, into: &output)
    }
    while bytes.readableBytes > 0 {
      // What comes at one instant stays together.
      var length = 0
      var due: Nanoseconds?
      while length < bytes.readableBytes {
        if rest == 0 { beginPacket() }
        let next = max(lastDue, now + delay)
        guard due == nil || due == next else { break }
        due = next
        lastDue = next
        let part = min(rest, bytes.readableBytes - length)
        length += part
        rest -= part
      }
      guard let due, let part = bytes.readSlice(length: length) else { return }
      pass(.bytes(part), due: due, at: now, into: &output)
    }
  }

  private mutating func beginPacket() {
    rest = Self.packetLength
    delay = .zero
    var timeout = Self.timeout
    for _ in 0..<Self.mostLosses {
      guard random.nextPart() < probability else { return }
      hasActed = true
      delay += timeout
      timeout = timeout + timeout
    }
  }

  private mutating func pass(
    _ item: LinkSegment, due: Nanoseconds, at now: Nanoseconds, into output: inout [LinkSegment]
  ) {
    guard due > now || !held.isEmpty else { return output.append(item) }
    heldCount += item.count
    held.append((item, due))
  }

  mutating func advance(to now: Nanoseconds, into output: inout [LinkSegment]) {
    while let first = held.first, first.due <= now {
      held.removeFirst()
      heldCount -= first.item.count
      output.append(first.item)
    }
  }

  mutating func release(into output: inout [LinkSegment]) { advance(to: .forever, into: &output) }
}
