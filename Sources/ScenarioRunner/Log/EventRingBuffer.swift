internal import Foundations
internal import ScenarioEvents
internal import _StringProcessing

/// The last events in an environment, kept for the report of a failure.
///
/// Events that repeat themselves are kept once and counted, so that a program that polls does not
/// push out all that happened beside it.
struct EventRingBuffer {
  /// The number of events that are kept.
  static let limit = 12
  /// Behind how many others of its sort something is still looked for that it repeats: the threads of a
  /// runtime take turns in their waits.
  private static let reach = 3

  /// One event, as it was recorded.
  private struct Entry {
    var kind: Event.Kind
    var elapsed: Nanoseconds
    var who: Who?
    /// The process that has started it, of a process that runs a program.
    var parent: Int?
    var count = 1
  }

  /// A process.
  private struct Who: Equatable {
    var ordinal: Int
    var program: String
  }

  private var entries: [Entry] = []
  private var known: [Int32: Who] = [:]
  private var hasNews = false
  private var isHeld = false
  /// The folder that paths of the target's count from, with a slash; shown as little as it says.
  var folder = ""

  init() {
    entries.reserveCapacity(Self.limit + 1)
  }

  /// Records an event that happened `elapsed` after the scenario's start.
  mutating func record(_ kind: Event.Kind, process: Int32?, elapsed: Nanoseconds) {
    guard !isHeld else { return }
    var entry = Entry(kind: kind, elapsed: elapsed, who: process.flatMap { known[$0] })
    switch kind {
    case .processBorn(let birth):
      entry.who = Who(ordinal: birth.ordinal, program: birth.program)
      if let process { known[process] = entry.who }
    case .processStarted(let arguments, _):
      guard let process else { return }
      let name = arguments.first ?? ""
      known[process]?.program = name.split(separator: "/").last.map(String.init) ?? name
      entry.who = known[process]
      takeBirth(into: &entry)
    case .processEnded:
      if let process { known[process] = nil }
    case .waited(let span):
      // That the clock went to its end says it all.
      guard span.end != .due || !hasMove(to: elapsed, for: entry.who) else { return }
    case .faultInjected(let fault):
      if entry.who == nil, fault.processOrdinal > 0 {
        entry.who = Who(ordinal: fault.processOrdinal, program: fault.program ?? "")
      }
    case .outputWritten(let piece):
      // The first process of a target may have ended before all that it wrote is read.
      if entry.who == nil { entry.who = piece.processOrdinal.flatMap(lastSeen) }
    case .stepStarted, .clockMoved, .clockSet, .requestReceived, .limitStruck, .waitEscaped,
      .outOfReach, .changedOutside, .signalled, .hostConnection, .partitionChanged,
      .webhookSent, .portMoved:
      break
    default:
      return
    }
    if case .stepStarted = kind {} else { hasNews = true }
    unite(with: &entry)
    entries.append(entry)
    if entries.count > Self.limit { entries.removeFirst() }
  }

  /// Records a move of the clock that repeats the last thing that happened; false if it does not.
  mutating func repeatMove(_ kind: Event.Kind, process: Int32?, elapsed: Nanoseconds) -> Bool {
    guard !isHeld, let last = entries.indices.last, Self.isSameMove(entries[last].kind, kind),
      entries[last].who == process.flatMap({ known[$0] })
    else { return false }
    entries[last].elapsed = elapsed
    entries[last].count += 1
    hasNews = true
    return true
  }

  private static func isSameMove(_ first: Event.Kind, _ second: Event.Kind) -> Bool {
    guard case .clockMoved(let length, let reason) = first,
      case .clockMoved(let other, let otherReason) = second
    else { return false }
    return length == other && reason == otherReason
  }

  /// Stops recording up to the next failure: the runner's reactions to it are not its causes.
  mutating func hold() { isHeld = true }

  /// The last things in order; `nil` if nothing has happened since this was asked.
  mutating func takeNews() -> [WorldMoment]? {
    isHeld = false
    guard hasNews else { return nil }
    hasNews = false
    return entries.map { entry in
      let (kind, text) = MomentText.describe(
        entry.kind, startedBy: entry.parent, of: entry.who?.program)
      return WorldMoment(
        kind: kind, elapsed: entry.elapsed, process: entry.who?.ordinal,
        program: entry.who?.program, text: withoutFolder(text, kind),
        count: entry.count > 1 ? entry.count : nil)
    }
  }

  /// Removes the path of the case's folder, which is chance, from a text; the output of a program
  /// stays as it was.
  private func withoutFolder(_ text: String, _ kind: WorldMoment.Kind) -> String {
    guard kind == .start || kind == .fault, !folder.isEmpty else { return text }
    return text.replacing(folder, with: "")
  }

  // MARK: - What belongs together

  private func lastSeen(_ ordinal: Int) -> Who? {
    entries.last { $0.who?.ordinal == ordinal }?.who
  }

  /// Merges the start of a process with that of its program, so that both are reported once.
  private mutating func takeBirth(into entry: inout Entry) {
    let place = entries.lastIndex { other in
      if case .processBorn = other.kind { other.who?.ordinal == entry.who?.ordinal } else { false }
    }
    guard let place, entry.who != nil, case .processBorn(let birth) = entries[place].kind else {
      return
    }
    entry.parent = birth.parent
    entries.remove(at: place)
  }

  private func hasMove(to instant: Nanoseconds, for who: Who?) -> Bool {
    entries.suffix(Self.reach).contains { entry in
      guard case .clockMoved = entry.kind else { return false }
      return entry.elapsed == instant && entry.who == who
    }
  }

  /// Merges an entry with one that it repeats, if that is among the last of its sort.
  private mutating func unite(with entry: inout Entry) {
    for place in entries.indices.suffix(Self.reach).reversed() {
      guard let united = Self.united(entries[place], entry) else {
        guard Self.isOfOneSort(entries[place].kind, entry.kind) else { return }
        continue
      }
      let former = entries.remove(at: place)
      entry.kind = united
      // How many pieces an output came in is chance.
      if case .outputWritten = united {} else { entry.count = former.count + 1 }
      return
    }
  }

  /// Returns whether two things can change places without changing what is reported.
  private static func isOfOneSort(_ first: Event.Kind, _ second: Event.Kind) -> Bool {
    switch (first, second) {
    case (.waited, .waited), (.waited, .clockMoved), (.clockMoved, .waited),
      (.clockMoved, .clockMoved), (.outputWritten, .outputWritten):
      true
    default: false
    }
  }

  /// Returns one event for two, if the second one repeats the first or continues it.
  private static func united(_ first: Entry, _ second: Entry) -> Event.Kind? {
    guard first.who == second.who else { return nil }
    switch (first.kind, second.kind) {
    case (.clockMoved, .clockMoved):
      return isSameMove(first.kind, second.kind) ? second.kind : nil
    case (.waited(let span), .waited(let other)):
      let isSame =
        span.systemCall == other.systemCall && span.requested == other.requested
        && span.end == other.end && span.to - span.from == other.to - other.from
      return isSame ? second.kind : nil
    case (.outputWritten(let piece), .outputWritten(let other)):
      guard piece.stream == other.stream else { return nil }
      return .outputWritten(piece.followed(by: other))
    case (.faultInjected(let fault), .faultInjected(let other)):
      let isSame =
        fault.entry == other.entry && fault.systemCall == other.systemCall
        && fault.subject == other.subject && fault.action == other.action
        && fault.error == other.error
      return isSame ? second.kind : nil
    case (.signalled, .signalled):
      return first.kind == second.kind ? second.kind : nil
    default:
      return nil
    }
  }
}

extension OutputPiece {
  /// The maximum number of bytes of what was written piece by piece that are kept.
  private static let limit = 400

  /// Returns two pieces as one: the division of output into pieces by the kernel is chance.
  fileprivate func followed(by other: OutputPiece) -> OutputPiece {
    var piece = self
    piece.byteCount += other.byteCount
    // Where some of it is not known, the rest does not follow it.
    if text.utf8.count == byteCount, byteCount < Self.limit { piece.text += other.text }
    return piece
  }
}
