internal import Foundations
internal import ScenarioEvents

/// The last events of an environment before a failure, as people read them: a title and a line for
/// each.
enum LastEvents {
  /// Lines with the time, the process and what happened, in columns; empty if nothing happened.
  static func lines(_ moments: [WorldMoment]) -> [String] {
    guard moments.contains(where: { $0.kind != .step }) else { return [] }
    // Times of one precision show their order.
    let isCoarse = moments.contains { isMeasured($0.elapsed) }
    let times = moments.map { isCoarse ? measured($0.elapsed) : time($0.elapsed) }
    let names = moments.map(name)
    let timeWidth = times.map(\.count).max() ?? 0
    let nameWidth = names.map(\.count).max() ?? 0
    let rows = zip(zip(times, names), moments).map { columns, moment in
      let head = "  \(padded(columns.0, timeWidth))  \(padded(columns.1, nameWidth))"
      return "\(head)  \(moment.text)" + (moment.count.map { " (×\($0))" } ?? "")
    }
    return ["last events:"] + rows
  }

  /// `+1h30m`, or `+125ms` where what is less is chance.
  static func time(_ elapsed: Nanoseconds) -> String {
    isMeasured(elapsed) ? measured(elapsed) : "+\(elapsed)"
  }

  /// Requested lengths are seldom finer than a microsecond; measured ones always are.
  private static func isMeasured(_ elapsed: Nanoseconds) -> Bool { elapsed.count % 1_000 != 0 }

  private static func measured(_ elapsed: Nanoseconds) -> String {
    "+\(Nanoseconds.milliseconds(elapsed.count / 1_000_000))"
  }

  private static func name(_ moment: WorldMoment) -> String {
    switch (moment.process, moment.program) {
    case (let process?, let program?): "[\(process)] \(program)"
    case (let process?, nil): "[\(process)]"
    case (nil, let program?): program
    case (nil, nil): ""
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// The time at which a case failed.
struct FailureTime {
  /// Real time since the case began.
  let real: Nanoseconds
  /// Virtual time since then; `nil` where the clock is real.
  let virtual: Nanoseconds?
  /// The scenario's wall clock; `nil` where it has none of its own.
  let wall: WallInstant?

  /// Reads the time of a failure of a case that began at a time of the run.
  init(_ event: Event, startedAt: Nanoseconds) {
    real = max(.zero, event.realTime - startedAt)
    wall = event.virtualTime
    virtual = event.virtualTime == nil ? nil : event.elapsed
  }

  /// `0.176s`, or `1h virtual (2026-03-01T10:00:00Z), 0.176s real`.
  var text: String {
    let real = "\(DurationText.seconds(real))s"
    guard let virtual else { return real }
    let instant = wall.map { wall in
      let nanoseconds = Int64(wall.nanoseconds)
      let chance = nanoseconds % 1_000 == 0 ? 0 : nanoseconds % 1_000_000
      return " (\(WallInstant(seconds: wall.seconds, nanoseconds: nanoseconds - chance)))"
    }
    return "\(LastEvents.time(virtual).dropFirst()) virtual\(instant ?? ""), \(real) real"
  }
}
