internal import Foundations
internal import ScenarioEvents

/// Selects the events of an environment that are reported one by one: the first and the last; those
/// between are counted.
struct EventSampler {
  /// The number of events of one sort that are reported as they happen, and of the last that are
  /// reported when the case ends.
  static let firstLimit = 1_000
  static let lastLimit = 100
  /// The same limit for process starts: a process without one has no lane.
  static let firstBirthLimit = 10_000

  /// The latest events of one sort beyond the limit.
  private struct Row {
    var limit = EventSampler.firstLimit
    var reported = 0
    var last: [Event] = []
    /// The index of the oldest of them once there are as many as are kept.
    var oldest = 0

    /// Returns whether an event is reported now; one that has to make room for it comes back in `overflow`.
    mutating func take(_ event: Event, overflow: inout Event?) -> Bool {
      guard reported >= limit else {
        reported += 1
        return true
      }
      guard last.count >= EventSampler.lastLimit else {
        last.append(event)
        return false
      }
      overflow = last[oldest]
      last[oldest] = event
      oldest = (oldest + 1) % EventSampler.lastLimit
      return false
    }

    /// The last ones, in order.
    mutating func takeLast() -> [Event] {
      defer {
        last = []
        oldest = 0
      }
      return Array(last[oldest...] + last[..<oldest])
    }
  }

  private var waits = Row()
  private var pieces = Row()
  private var births = Row(limit: EventSampler.firstBirthLimit)
  private var signals = Row()
  private var connections = Row()
  private var messages = Row()
  private var unreported = DroppedEvents()

  /// Counts an event; true if it is to be reported now.
  mutating func take(_ event: Event) -> Bool {
    var overflow: Event?
    defer { if let overflow { count(overflow) } }
    switch event.kind {
    case .waited: return waits.take(event, overflow: &overflow)
    case .outputWritten: return pieces.take(event, overflow: &overflow)
    case .processBorn: return births.take(event, overflow: &overflow)
    case .signalled: return signals.take(event, overflow: &overflow)
    case .hostConnection: return connections.take(event, overflow: &overflow)
    case .message: return messages.take(event, overflow: &overflow)
    default: return true
    }
  }

  /// Removes and returns what is to be reported at the end: the sum of the events that never are,
  /// and the last events in order of time.
  mutating func takeRemainder() -> (unreported: DroppedEvents?, last: [Event]) {
    let rows = [
      births.takeLast(), waits.takeLast(), pieces.takeLast(), signals.takeLast(),
      connections.takeLast(), messages.takeLast(),
    ]
    let last = rows.joined().enumerated().sorted {
      ($0.element.realTime, $0.offset) < ($1.element.realTime, $1.offset)
    }
    .map(\.element)
    defer { unreported = DroppedEvents() }
    return (unreported.isEmpty ? nil : unreported, last)
  }

  private mutating func count(_ event: Event) {
    switch event.kind {
    case .waited(let span):
      unreported.waits += 1
      unreported.waited += span.to - span.from
    case .outputWritten(let piece):
      unreported.pieces += 1
      unreported.bytes += piece.byteCount
    case .processBorn:
      unreported.births += 1
    case .signalled:
      unreported.signals = (unreported.signals ?? 0) + 1
    case .hostConnection:
      unreported.connections = (unreported.connections ?? 0) + 1
    case .message:
      unreported.messages = (unreported.messages ?? 0) + 1
    default:
      break
    }
  }
}
