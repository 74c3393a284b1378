import Foundations

@testable import Supervisor

/// Tells a scheduler what another one was told in a run, answers it as that one was answered, and compares what it decides.
final class SchedulerReplay: SchedulerClient {
  typealias Owner = String

  private let lines: [Substring]
  private var place = 0
  private var scheduler: Scheduler<SchedulerReplay>?
  /// The first line that is another one now; `nil` if all are the same.
  private(set) var difference: String?
  /// How many deadlines it has kept.
  private(set) var wakeCount = 0

  /// Creates one that has not begun.
  ///
  /// - Parameter lines: what was written of one scheduler.
  init(_ lines: [Substring]) {
    self.lines = lines
  }

  /// Goes through all lines; the first that is another one now.
  func run() -> String? {
    guard case .begin(let clock, let slack)? = next else { return "the scheduler does not begin" }
    let scheduler = Scheduler(
      client: self, view: ClockView(clock), clock: clock, slack: slack,
      readRealClock: { [unowned self] in realClock() },
      trace: { [unowned self] words, _ in compare(words) })
    self.scheduler = scheduler
    while let entry = next { perform(entry, scheduler) }
    return difference
  }

  /// The line that is due; `nil` at the end, which is where a run was ended, and behind a difference.
  private var next: SchedulerEntry? {
    guard difference == nil, lines.indices.contains(place) else { return nil }
    guard let entry = SchedulerEntry(text: lines[place]) else {
      differ("cannot be read")
      return nil
    }
    return entry
  }

  private func differ(_ reason: String) {
    let line = lines.indices.contains(place) ? "\(place + 1), \"\(lines[place])\"" : "the last"
    difference = difference ?? "line \(line): \(reason)"
  }

  private func compare(_ words: String) {
    guard difference == nil, lines.indices.contains(place) else { return }
    guard lines[place] == words else { return differ("\"\(words)\" now") }
    if words.hasPrefix("wake ") { wakeCount += 1 }
    place += 1
  }

  private func perform(_ entry: SchedulerEntry, _ scheduler: Scheduler<SchedulerReplay>) {
    let before = place
    switch entry {
    case .real: _ = scheduler.now
    case .file(let deadline, let mayBeLate, _, let owner):
      _ = scheduler.file(deadline, mayBeLate: mayBeLate, for: owner)
    case .cancel(let ticket): scheduler.cancel(Scheduler<SchedulerReplay>.Ticket(number: ticket))
    case .change:
      scheduler.change { [self] clock, _ in
        if case .clock(let changed)? = next { clock = changed }
      }
    case .move(let instant): scheduler.move(to: instant)
    case .leap(let instant): scheduler.passLeapSecond(at: instant)
    case .wakeDue: _ = scheduler.wakeWhatIsDue { [self] in _ = answer { $0 == .prepared } }
    case .turn: _ = scheduler.turn()
    case .moveOn(let limit, let passes):
      _ = scheduler.moveOn(to: limit, passesToLimit: passes)
    default: differ("nothing of the kind now")
    }
    if place == before { differ("nothing comes of it now") }
  }

  /// What the client answered then, behind what it told the scheduler before it did; `nil` at the end.
  private func answer(_ isAnswer: (SchedulerEntry) -> Bool) -> SchedulerEntry? {
    while let entry = next {
      if isAnswer(entry) { return entry }
      guard let scheduler else { return nil }
      perform(entry, scheduler)
    }
    return nil
  }

  private func answer(to question: SchedulerEntry.Question) -> Bool {
    let entry = answer { if case .answer(question, _) = $0 { true } else { false } }
    if case .answer(_, let isTrue)? = entry { return isTrue }
    return false
  }

  private func realClock() -> Nanoseconds {
    if case .real(let instant)? = next { return instant }
    differ("the real clock is read now")
    return .zero
  }

  // MARK: - SchedulerClient

  func allAsleep() -> Bool { answer(to: .asleep) }
  func continueBesideRunning() -> Bool { answer(to: .beside) }
  func settle() -> Bool { answer(to: .settled) }
  func resumeAtRest() -> Bool { answer(to: .resumed) }
  func standStill() -> Bool { answer(to: .stood) }

  func demand() -> TimeDemand {
    let entry = answer { if case .demand = $0 { true } else { false } }
    if case .demand(let demand)? = entry { return demand }
    return .finished
  }

  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? {
    let entry = answer { if case .goal = $0 { true } else { false } }
    if case .goal(let goal)? = entry { return goal }
    return nil
  }

  func spinnersReached(_ goal: Nanoseconds) { _ = answer { $0 == .done } }
  func passed(to instant: Nanoseconds) { _ = answer { $0 == .done } }
  func wake(_ item: Timeline<String>.Item) { _ = answer { $0 == .done } }
  func clocksWillChange() { _ = answer { $0 == .announced } }
  func clocksChanged(from former: VirtualClock) { _ = answer { $0 == .changed } }
}

extension SchedulerReplay {
  /// The lines of each scheduler of a trace, as `--trace` writes it.
  static func schedulers(of trace: String) -> [[Substring]] {
    var open: [Substring: [Substring]] = [:]
    var all: [[Substring]] = []
    for line in trace.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 4)
      guard fields.count == 5, fields[3] == "time" else { continue }
      if fields[4].hasPrefix("begin "), let before = open.removeValue(forKey: fields[2]) {
        all.append(before)
      }
      open[fields[2], default: []].append(fields[4])
    }
    return all + open.sorted { $0.key < $1.key }.map(\.value)
  }
}
