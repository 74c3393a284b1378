internal import Foundations
internal import Glibc
internal import OrderedCollections
internal import ScenarioCompiler
internal import ScenarioEvents
internal import ScenarioReport
internal import Synchronization

/// The latest results of cases over the rounds of a watch, as the page of one run, and how far a round has come.
///
/// One thread takes events; those of clients read.
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

    /// The progress as JSON.
    var json: String {
      "{\"page\":\(page),\"isRunning\":\(isRunning),\"done\":\(done),\"count\":\(count),"
        + "\"failed\":\(failed),\"code\":\(code)}"
    }
  }

  private struct State {
    var progress = Progress()
    var page: [UInt8] = []
    var run: RunDescription?
    /// The events of each case in its latest round, in the order in which cases were first met.
    var cases: OrderedDictionary<String, [Event]> = [:]
    var others: [Event] = []
    var isWhole = true
    /// True if something has come that the page does not show.
    var needsPage = false
  }

  private let state = Mutex(State())
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
    rebuild()
  }

  /// The page as it is now.
  var page: [UInt8] { state.withLock { $0.page } }

  /// How far the round has come.
  var progress: Progress { state.withLock { $0.progress } }

  /// Begins a round: of all cases, or of some.
  func begin(isWhole: Bool) {
    state.withLock { state in
      state.isWhole = isWhole
      state.progress.isRunning = true
      state.needsPage = true
      state.progress.done = 0
      state.progress.failed = 0
    }
  }

  /// Ends a round with an exit code, however it went; its events may still come.
  func end(_ code: Int32) {
    state.withLock { $0.progress.code = code }
  }

  /// Takes an event of the round.
  func take(_ event: Event) {
    if case .runFinished = event.kind {
      let isNews = state.withLock { state in
        defer { state.needsPage = false }
        return state.needsPage
      }
      if isNews { rebuild() }
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
        if state.isWhole { state.cases = [:] }
        state.progress.count = run.caseCount
      case .caseStarted(let description) where description.attempt == 1:
        state.cases[event.scenario ?? ""] = [event]
      case .caseFinished(let result):
        state.cases[event.scenario ?? "", default: []].append(event)
        guard !result.isRetried else { return }
        state.progress.done += 1
        if result.outcome == .failed || result.outcome == .errored { state.progress.failed += 1 }
      default:
        guard let scenario = event.scenario else {
          state.others.append(event)
          return
        }
        state.cases[scenario, default: []].append(event)
      }
    }
  }

  private func rebuild() {
    let sink = MemorySink()
    let (events, round) = state.withLock { (Self.events(of: $0), $0.progress.page + 1) }
    let recorder = PageRecorder(sink: sink, round: round, passed: passed, sources: sources)
    for event in events { recorder.record(event) }
    try? recorder.finish()
    let page = Array(sink.text.utf8)
    state.withLock { state in
      state.page = page
      state.progress.page = round
      state.progress.isRunning = false
    }
  }

  /// The events of all cases as those of one run.
  private static func events(of state: State) -> [Event] {
    var events = state.others
    if var run = state.run {
      run.caseCount = state.cases.count
      events.insert(Event(realTime: .zero, kind: .runStarted(run)), at: 0)
    }
    for (index, part) in state.cases.values.enumerated() {
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
