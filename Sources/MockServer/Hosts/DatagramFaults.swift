internal import FaultEngine
internal import Foundations
internal import ScenarioModel

/// Applies faults to the datagrams from one socket to another.
///
/// Pure: sizes and instants in, instants out.
struct DatagramFaults {
  private let toxics: [Toxic]
  private var random: SplitMix64
  private var lastDue = Nanoseconds(.min)
  private var busyUntil = Nanoseconds(.min)
  /// True if the last one did not come at once, and once.
  private(set) var hasActed = false

  init(_ toxics: [Toxic], random: SplitMix64) {
    self.toxics = toxics
    self.random = random
  }

  /// When a datagram comes, be it several times; never where it is lost.
  mutating func arrivals(of size: Int, at now: Nanoseconds) -> [Nanoseconds] {
    var begin = now
    var delay = Nanoseconds.zero
    var copies = 1
    var isFaster = false
    var isLost = false
    // Each draws its chance whatever becomes of the others.
    for toxic in toxics {
      switch toxic.kind {
      case .loss(let part): isLost = random.nextPart() < part || isLost
      case .timeout: isLost = true
      case .duplicate(let part): if random.nextPart() < part { copies += 1 }
      case .reorder(let part): isFaster = random.nextPart() < part || isFaster
      case .latency(let length, let jitter):
        delay += length
        if jitter > .zero { delay += Nanoseconds(random.next(in: -jitter.count...jitter.count)) }
      case .bandwidth(let rate):
        let (seconds, rest) = size.quotientAndRemainder(dividingBy: max(1, rate))
        begin =
          max(begin, busyUntil) + .seconds(Int64(seconds))
          + Nanoseconds(Int64(rest) * 1_000_000_000 / Int64(max(1, rate)))
        busyUntil = begin
      case .slowClose, .resetPeer, .slicer, .limitData: break
      }
    }
    hasActed = isLost || copies > 1 || begin > now || delay > .zero
    guard !isLost else { return [] }
    var due = begin
    if !isFaster {
      due = max(lastDue, begin + max(.zero, delay))
      lastDue = due
    }
    return Array(repeating: due, count: copies)
  }
}
