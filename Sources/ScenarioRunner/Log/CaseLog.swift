internal import Foundations
internal import ScenarioEvents
internal import ScenarioTools
internal import Supervisor
internal import Synchronization

/// The events of one case, recorded by several threads, handed on in order by the runner's.
final class CaseLog {
  /// The number of moves of the clock that are reported of each case as they happen, and of the
  /// last ones that are reported when it ends; those between are counted.
  static let clockMoveLimit = 1_000
  static let lastClockMoveLimit = 10

  /// The part that other threads write to.
  final class Inbox: Sendable {
    fileprivate struct State {
      var events: [Event] = []
      var clockMoves = 0
      /// The latest moves beyond the limit.
      var lastMoves = LastClockMoves(limit: CaseLog.lastClockMoveLimit)
      /// The reason of the latest move, and its text.
      var latestReason: (reason: ClockMoveReason, text: String)?
      /// The program of each process that has started one.
      var programs: [Int32: String] = [:]
      /// The programs that have run.
      var ranPrograms: Set<String> = []
      /// The process that has started a program first.
      var firstProcess: Int32?
      /// True if that one has ended.
      var hasTargetEnded = false
      var crashes: [RunObservation.Crash] = []
      var faults = 0
      /// The action for when faults and moves of the clock are more than a limit.
      var patience: (limit: Int, end: @Sendable () -> Void)?
      /// The events that only a timeline shows.
      var world = EventSampler()
      /// The recent events that a failure is reported with.
      var recent = EventRingBuffer()
      /// The scenario's time; `nil` before its clocks run.
      var time: (@Sendable () -> Time)?
      /// True if what only a timeline shows is reported, and all events are stamped with virtual time.
      var reportsTimeline = false
      /// True if a process out of reach was reported: others are so for the same reason.
      var hasReportedOutOfReach = false
    }

    /// The values of the scenario's clocks.
    struct Time {
      /// Time since the scenario's start.
      var elapsed: Nanoseconds
      /// Its wall clock; `nil` where it has none of its own.
      var wall: WallInstant?
    }

    private let state = Mutex(State())
    private let scenario: String
    private let runStart: Nanoseconds

    init(scenario: String, runStart: Nanoseconds) {
      self.scenario = scenario
      self.runStart = runStart
    }

    /// Records an event of this moment.
    func add(_ kind: Event.Kind, process: Int32? = nil, virtualTime: WallInstant? = nil) {
      let end = state.withLock { state in
        state.recordProcess(kind, process)
        let time = state.time?()
        state.recent.record(kind, process: process, elapsed: time?.elapsed ?? .zero)
        var event = Event(
          realTime: RealTime.monotonic() - runStart, virtualTime: virtualTime,
          scenario: scenario, process: process, kind: kind)
        if state.reportsTimeline { event.elapsed = time?.elapsed }
        if case .failed(let failure) = kind { state.complete(&event, of: failure, at: time) }
        if case .clockMoved = kind {
          state.addMove(event)
        } else if !kind.isOfTimelines || state.reportsTimeline && state.world.take(event) {
          state.events.append(event)
        }
        // What is short is a success, and the target gets on.
        if case .faultInjected(let fault) = kind, fault.error != nil { state.faults += 1 }
        return state.endOfPatience()
      }
      end?()
    }

    /// Records a move of the clock: most of thousands are for the reason of the one before.
    ///
    /// - Parameter reading: what the clocks show behind it.
    func addMove(by length: Nanoseconds, because reason: ClockMoveReason, to reading: ClockReading)
    {
      let end = state.withLock { state in
        let process = reason.process
        let kind = Event.Kind.clockMoved(by: length, reason: state.text(of: reason))
        let elapsed = state.time == nil ? nil : reading.elapsed
        if !state.recent.repeatMove(kind, process: process, elapsed: elapsed ?? .zero) {
          state.recent.record(kind, process: process, elapsed: elapsed ?? .zero)
        }
        var event = Event(
          realTime: RealTime.monotonic() - runStart, virtualTime: reading.wall,
          scenario: scenario, process: process, kind: kind)
        if state.reportsTimeline { event.elapsed = elapsed }
        state.addMove(event)
        return state.endOfPatience()
      }
      end?()
    }

    /// Adds, from now on, times to events.
    ///
    /// - Parameters:
    ///   - isTimeline: whether what only a timeline shows is reported, and everything with its
    ///     virtual time.
    ///   - folder: the target's working folder.
    ///   - time: returns the values of the scenario's clocks.
    func stamp(
      asTimeline isTimeline: Bool, in folder: String = "", _ time: @escaping @Sendable () -> Time
    ) {
      state.withLock { state in
        state.recent.folder = folder.isEmpty ? "" : folder + "/"
        state.reportsTimeline = isTimeline
        state.time = time
      }
    }

    /// Ends what the next failure is reported with: what follows is done because of it.
    func holdLastEvents() {
      state.withLock { $0.recent.hold() }
    }

    /// Runs an action, once, as soon as faults and moves of the clock are more than `limit`.
    func limitEvents(beyond limit: Int, _ end: @escaping @Sendable () -> Void) {
      state.withLock { $0.patience = (limit, end) }
    }

    /// Returns whether a process out of reach is to be reported as what fails the case: the first one.
    func isFirstOutOfReach() -> Bool {
      state.withLock { state in
        defer { state.hasReportedOutOfReach = true }
        return !state.hasReportedOutOfReach
      }
    }

    /// The number of faults that were reported, and how many moves of the clock.
    var repetitions: (faults: Int, moves: Int) {
      state.withLock { ($0.faults, $0.clockMoves) }
    }

    /// The processes that run, in the order of their numbers, with their programs.
    var programs: [(process: Int32, program: String)] {
      state.withLock { state in
        state.programs.sorted { $0.key < $1.key }.map { (process: $0.key, program: $0.value) }
      }
    }

    /// The programs that have run so far.
    var ranPrograms: Set<String> { state.withLock { $0.ranPrograms } }

    /// The processes that signals have ended by which mistakes show, in order.
    var crashes: [RunObservation.Crash] { state.withLock { $0.crashes } }

    /// True if the first process of the case's first target has ended.
    var hasTargetEnded: Bool { state.withLock { $0.hasTargetEnded } }

    fileprivate func takeAll() -> [Event] {
      state.withLock { state in
        defer { state.events.removeAll(keepingCapacity: true) }
        return state.events
      }
    }

    /// Reports, late, the moves of the clock beyond the limit: one event for all that are not
    /// listed, then the last ones with the times at which they happened.
    fileprivate func addLastClockMoves() {
      state.withLock { state in
        let moves = state.lastMoves.take()
        if moves.unlisted > 0 {
          state.events.append(
            Event(
              realTime: RealTime.monotonic() - runStart, scenario: scenario,
              kind: .clockMoved(
                by: moves.unlistedLength, reason: "\(moves.unlisted) more moves, not listed")))
        }
        state.events += moves.last
        let world = state.world.takeRemainder()
        if let unreported = world.unreported {
          state.events.append(
            Event(
              realTime: RealTime.monotonic() - runStart, scenario: scenario,
              kind: .worldUntold(unreported)))
        }
        state.events += world.last
      }
    }
  }

  let inbox: Inbox
  private let emit: (Event) -> Void
  /// The failures of the case, in order.
  private(set) var failures: [Failure] = []

  init(scenario: String, runStart: Nanoseconds, emit: @escaping (Event) -> Void) {
    inbox = Inbox(scenario: scenario, runStart: runStart)
    self.emit = emit
  }

  /// Records an event and hands on all that have been recorded.
  func add(_ kind: Event.Kind, virtualTime: WallInstant? = nil) {
    inbox.add(kind, virtualTime: virtualTime)
    flush()
  }

  /// Reports, once the case has ended, the events that were only counted.
  func addRemainder() {
    inbox.addLastClockMoves()
    flush()
  }

  /// True while failures may be forgotten: they are kept, and not reported.
  var holdsFailures = false

  /// Records a failure.
  func fail(_ failure: Failure) {
    for failure in review?(failure) ?? [failure] where !isKnown(failure) {
      failures.append(failure)
      if !holdsFailures { add(.failed(failure)) }
    }
  }

  /// Forgets failures that were held, from a place on.
  func forgetFailures(from place: Int) { failures.removeSubrange(place...) }

  /// Reports failures that were held, from a place on.
  func releaseFailures(from place: Int) {
    for failure in failures[place...] { add(.failed(failure)) }
  }

  /// Converts a failure into those that it means here; `nil` takes it as it is.
  var review: ((Failure) -> [Failure])?

  /// Returns whether a failure is a second report of the machine's refusal, which is reported once.
  private func isKnown(_ failure: Failure) -> Bool {
    failure.type == MachineObstacle.failureType && failures.contains { $0.type == failure.type }
  }

  /// True if this thread or another has recorded a failure.
  private(set) var hasFailed = false
  /// True if the case's result cannot be judged, so that its expectations mean nothing.
  private(set) var isUnknown = false

  /// Hands on all that has been noted.
  func flush() {
    for event in inbox.takeAll() {
      if case .failed(let failure) = event.kind {
        hasFailed = true
        if failure.leavesNothingDecided { isUnknown = true }
      }
      emit(event)
    }
  }
}

extension CaseLog.Inbox.State {
  /// Returns the action for exceeding the limit of events, once; `nil` while it is not exceeded,
  /// and after that.
  fileprivate mutating func endOfPatience() -> (@Sendable () -> Void)? {
    guard let patience, faults + clockMoves > patience.limit else { return nil }
    self.patience = nil
    return patience.end
  }

  /// Adds to a failure when it was, and what happened before it.
  fileprivate mutating func complete(
    _ event: inout Event, of failure: Failure, at time: CaseLog.Inbox.Time?
  ) {
    var failure = failure
    failure.lastEvents = recent.takeNews()
    event.kind = .failed(failure)
    guard let time else { return }
    event.virtualTime = time.wall
    if time.wall != nil { event.elapsed = time.elapsed }
  }

  /// Records the programs of processes, and those that crash.
  fileprivate mutating func recordProcess(_ kind: Event.Kind, _ process: Int32?) {
    switch kind {
    case .processStarted(let arguments, _):
      guard let process, let program = arguments.first else { return }
      if firstProcess == nil { firstProcess = process }
      let name = program.split(separator: "/").last.map(String.init) ?? program
      programs[process] = name
      ranPrograms.insert(name)
    case .processEnded(_, let signal):
      guard let process else { return }
      if process == firstProcess { hasTargetEnded = true }
      let program = programs.removeValue(forKey: process)
      guard let signal, SignalNames.ofMistakes.contains(signal) else { return }
      crashes.append(RunObservation.Crash(program: program ?? "a child", signal: signal))
    default: break
    }
  }

  /// Records a move of the clock, or only that there was one.
  fileprivate mutating func addMove(_ event: Event) {
    clockMoves += 1
    guard clockMoves > CaseLog.clockMoveLimit else {
      events.append(event)
      return
    }
    lastMoves.add(event)
  }

  /// The reason of a move in words, which are made once for many in a row.
  fileprivate mutating func text(of reason: ClockMoveReason) -> String {
    if let latestReason, latestReason.reason == reason { return latestReason.text }
    let text = reason.text
    latestReason = (reason, text)
    return text
  }
}

extension Event.Kind {
  /// True if only a timeline shows it one by one.
  fileprivate var isOfTimelines: Bool {
    switch self {
    case .processBorn, .waited, .outputWritten, .signalled, .hostConnection, .message: true
    default: false
    }
  }
}
