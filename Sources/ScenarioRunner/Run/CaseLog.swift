internal import ScenarioEvents
internal import ScenarioModel
internal import Synchronization

/// What happens in one case, told by several threads, handed on in order by the runner's.
final class CaseLog {
  /// How many moves of the clock are told of each case; the rest is counted.
  static let clockMoveLimit = 1_000

  /// The part that other threads write to.
  final class Inbox: Sendable {
    private struct State {
      var events: [Event] = []
      var clockMoves = 0
    }

    private let state = Mutex(State())
    private let scenario: String
    private let runStart: Nanoseconds

    init(scenario: String, runStart: Nanoseconds) {
      self.scenario = scenario
      self.runStart = runStart
    }

    /// Counts a move of the clock; false if so many have been told that this one is not.
    func countClockMove() -> Bool {
      state.withLock { state in
        state.clockMoves += 1
        return state.clockMoves <= CaseLog.clockMoveLimit
      }
    }

    /// Notes that something happened now.
    func add(_ kind: Event.Kind, process: Int32? = nil, virtualTime: WallInstant? = nil) {
      state.withLock { state in
        state.events.append(
          Event(
            realTime: RealTime.monotonic() - runStart, virtualTime: virtualTime,
            scenario: scenario, process: process, kind: kind))
      }
    }

    fileprivate func takeAll() -> [Event] {
      state.withLock { state in
        defer { state.events.removeAll(keepingCapacity: true) }
        return state.events
      }
    }

    /// How many moves of the clock were not told.
    var untoldClockMoves: Int {
      state.withLock { max(0, $0.clockMoves - CaseLog.clockMoveLimit) }
    }
  }

  let inbox: Inbox
  private let emit: (Event) -> Void
  /// What made the case fail, in order.
  private(set) var failures: [Failure] = []

  init(scenario: String, runStart: Nanoseconds, emit: @escaping (Event) -> Void) {
    inbox = Inbox(scenario: scenario, runStart: runStart)
    self.emit = emit
  }

  /// Notes something and hands on all that has been noted.
  func add(_ kind: Event.Kind, virtualTime: WallInstant? = nil) {
    inbox.add(kind, virtualTime: virtualTime)
    flush()
  }

  /// Notes a failure.
  func fail(_ failure: Failure) {
    failures.append(failure)
    add(.failed(failure))
  }

  /// Whether anything made the case fail, told by this thread or another.
  private(set) var hasFailed = false

  /// Hands on all that has been noted.
  func flush() {
    for event in inbox.takeAll() {
      if case .failed = event.kind { hasFailed = true }
      emit(event)
    }
  }
}
