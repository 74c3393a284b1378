internal import Foundations
internal import OrderedCollections
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioReport
internal import ScenarioRunner
internal import Synchronization

/// The latest results of cases over the rounds of a watch, as the page of one run, and how far a round has come.
///
/// One thread takes events; those of clients read, and make the page anew while a round is under way.
final class LiveRun: Sendable {
  /// How far it has come, as the page shows it.
  struct Progress: Sendable, Hashable {
    /// The number of the page; another one is to be loaded when it changes.
    var page = 0
    /// True while a round is under way.
    var isRunning = false
    /// Cases of the round that have ended, and all of them.
    var done = 0
    var count = 0
    /// Cases of the round that did not pass.
    var failed = 0
    /// The exit code of the round that has ended last.
    var code: Int32 = 0
    /// The mistakes of the files that kept the round that has ended last from running; empty if there were none.
    var mistakes = ""

    /// The progress as JSON.
    var json: String {
      Value.map([
        "page": .integer(Int64(page)), "isRunning": .bool(isRunning), "done": .integer(Int64(done)),
        "count": .integer(Int64(count)), "failed": .integer(Int64(failed)),
        "code": .integer(Int64(code)), "mistakes": .string(mistakes),
      ]).jsonText()
    }
  }

  private struct State {
    var progress = Progress()
    var page: [UInt8] = []
    var run: RunDescription?
    /// The events of each case in the latest round in which it ended, in the order in which cases were first met.
    var cases: OrderedDictionary<String, [Event]> = [:]
    /// The events of cases that are under way.
    var begun: [String: [Event]] = [:]
    var others: [Event] = []
    /// True if the round that was begun last runs all cases.
    var isNextWhole = true
    /// The same of the round whose events come: those of the one before may still be under way when a round begins.
    var isWhole = true
    /// The cases that have begun in this round, in order.
    var met: OrderedSet<String> = []
    /// True if something has come that the page does not show.
    var needsPage = false
    /// True if something has happened in a case that the page does not show.
    var hasNews = false
    /// When the page may be made anew while a round is under way.
    var nextPage = Nanoseconds.zero

    /// Forgets the cases that the round did not have, and puts the others into its order.
    mutating func keepMet() {
      cases = OrderedDictionary(
        uniqueKeysWithValues: met.compactMap { name in cases[name].map { (name, $0) } })
    }
  }

  /// The shortest time between two pages of a round that is under way.
  private static let pagePause = Nanoseconds.milliseconds(500)
  /// How many times as long as the making of a page the pause behind it is at least.
  private static let pageShare: Int64 = 10

  private let state = Mutex(State())
  /// Held while a page is made, so that each is newer than the one before.
  private let building = Mutex(())
  private let sources: @Sendable (String) -> String?
  private let passed: @Sendable (_ identifier: String) -> String?

  /// - Parameters:
  ///   - sources: the text of a scenario file by its path.
  ///   - passed: how a case was when it passed last, as the page shows it.
  init(
    sources: @escaping @Sendable (String) -> String?,
    passed: @escaping @Sendable (_ identifier: String) -> String?
  ) {
    self.sources = sources
    self.passed = passed
    rebuild(isEnd: true)
  }

  /// The page as it is now.
  var page: [UInt8] {
    showProgress()
    return state.withLock { $0.page }
  }

  /// How far the round has come.
  var progress: Progress {
    showProgress()
    return state.withLock { $0.progress }
  }

  /// Begins a round: of all cases, or of some.
  func begin(isWhole: Bool) {
    state.withLock { state in
      state.isNextWhole = isWhole
      state.progress.isRunning = true
      state.needsPage = true
      state.progress.done = 0
      state.progress.failed = 0
      state.progress.mistakes = ""
    }
  }

  /// Ends a round with an exit code, however it went; its events may still come.
  ///
  /// - Parameter mistakes: those of the files, as the terminal shows them; empty if there are none.
  func end(_ code: Int32, mistakes: String) {
    state.withLock { state in
      state.progress.code = code
      state.progress.mistakes = mistakes
    }
  }

  /// Takes an event of the round.
  func take(_ event: Event) {
    if case .runFinished(let result) = event.kind {
      let isNews = state.withLock { state in
        // What a killed run has not ended is shown as far as it goes.
        for (scenario, events) in state.begun { state.cases[scenario] = events }
        state.begun = [:]
        state.hasNews = false
        if state.isWhole, !result.interrupted { state.keepMet() }
        defer { state.needsPage = false }
        return state.needsPage
      }
      if isNews { rebuild(isEnd: true) }
      return
    }
    state.withLock { state in
      // The end of the round before may come after this one has begun.
      state.progress.isRunning = true
      state.needsPage = true
      switch event.kind {
      case .runStarted(let run):
        state.run = run
        state.others = []
        state.begun = [:]
        state.isWhole = state.isNextWhole
        state.met = []
        state.progress.count = run.caseCount
      case .caseStarted(let description) where description.attempt == 1:
        let scenario = event.scenario ?? ""
        state.begun[scenario] = [event]
        state.met.append(scenario)
        if state.cases[scenario] == nil { state.cases[scenario] = [] }
        state.hasNews = true
      case .caseFinished(let result):
        let scenario = event.scenario ?? ""
        state.begun[scenario, default: []].append(event)
        guard !result.isRetried else { return }
        state.cases[scenario] = state.begun.removeValue(forKey: scenario)
        state.hasNews = true
        state.progress.done += 1
        if result.outcome == .failed || result.outcome == .errored { state.progress.failed += 1 }
      default:
        guard let scenario = event.scenario else {
          state.others.append(event)
          return
        }
        state.begun[scenario, default: []].append(event)
        state.hasNews = true
      }
    }
  }

  /// Makes the page anew where something has happened, now and then: a large one takes its time.
  private func showProgress() {
    let begin = RealTime.monotonic()
    let isDue = state.withLock { state in
      guard state.hasNews, begin >= state.nextPage else { return false }
      state.hasNews = false
      return true
    }
    guard isDue else { return }
    rebuild(isEnd: false)
    let end = RealTime.monotonic()
    let pause = max(Self.pagePause, Nanoseconds(Self.pageShare * (end - begin).count))
    state.withLock { $0.nextPage = end + pause }
  }

  private func rebuild(isEnd: Bool) {
    building.withLock { _ in build(isEnd: isEnd) }
  }

  private func build(isEnd: Bool) {
    let sink = MemorySink()
    let (events, running, round) = state.withLock { state in
      (Self.events(of: state), Set(state.begun.keys), state.progress.page + 1)
    }
    let recorder = PageRecorder(
      sink: sink, round: round, running: running, passed: passed, sources: sources)
    for event in events { recorder.record(event) }
    try? recorder.finish()
    let page = Array(sink.text.utf8)
    state.withLock { state in
      state.page = page
      state.progress.page = round
      if isEnd { state.progress.isRunning = false }
    }
  }

  /// The events of all cases as those of one run.
  private static func events(of state: State) -> [Event] {
    var events = state.others
    let cases = state.cases.map { state.begun[$0.key] ?? $0.value }
    if var run = state.run {
      run.caseCount = cases.count { !$0.isEmpty }
      events.insert(Event(realTime: .zero, kind: .runStarted(run)), at: 0)
    }
    for (index, part) in cases.enumerated() where !part.isEmpty {
      for var event in part {
        if case .caseStarted(var description) = event.kind {
          description.index = index
          event.kind = .caseStarted(description)
        }
        events.append(event)
      }
    }
    let end = events.map(\.realTime).max() ?? .zero
    return events + [
      Event(realTime: end, kind: .runFinished(RunResult(duration: end, interrupted: false)))
    ]
  }
}
