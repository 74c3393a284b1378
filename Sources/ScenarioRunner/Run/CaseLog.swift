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
      var untoldLength = Nanoseconds.zero
    }

    private let state = Mutex(State())
    private let scenario: String
    private let runStart: Nanoseconds

    init(scenario: String, runStart: Nanoseconds) {
      self.scenario = scenario
      self.runStart = runStart
    }

    /// Counts a move of the clock; false if so many have been told that this one is not.
    func countClockMove(by length: Nanoseconds) -> Bool {
      state.withLock { state in
        state.clockMoves += 1
        guard state.clockMoves > CaseLog.clockMoveLimit else { return true }
        state.untoldLength += length
        return false
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

    /// One event for all moves of the clock that were not told; `nil` if all were.
    fileprivate var untoldClockMoves: Event.Kind? {
      state.withLock { state in
        let count = state.clockMoves - CaseLog.clockMoveLimit
        guard count > 0 else { return nil }
        return .clockMoved(by: state.untoldLength, reason: "\(count) more moves, not listed")
      }
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

  /// Notes, once the case has ended, what was only counted.
  func addRemainder() {
    if let moves = inbox.untoldClockMoves { add(moves) }
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
