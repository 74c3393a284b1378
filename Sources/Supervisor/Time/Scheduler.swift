internal import Foundations

/// The threads whose time a scheduler keeps, as far as it must query or notify them.
protocol SchedulerClient: AnyObject {
  /// The party that waits for an instant.
  associatedtype Owner: Hashable & Sendable

  /// Returns whether everybody sleeps: no thread runs or is about to, nothing is under way to one,
  /// and all results have been examined.
  func allAsleep() -> Bool

  /// Performs the work that is allowed while some threads run; returns true if there was any.
  func continueBesideRunning() -> Bool

  /// Files the deadlines that can be known only now that everybody sleeps, and gives up where
  /// nothing makes progress; true if anything was woken or finished.
  func settle() -> Bool

  /// Resumes, where everybody sleeps and nothing is due, the threads that poll for something, if
  /// there is anything new for them, and those that waited for quiescence; true if there were any.
  func resumeAtRest() -> Bool

  /// Returns the demand for moving time when all threads are idle.
  func demand() -> TimeDemand

  /// Until when those who ask for the time over and over want it to move; `nil` if there are none.
  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds?

  /// Time has moved to the goal of those.
  func spinnersReached(_ goal: Nanoseconds)

  /// Records that time passes to an instant at which no wait ends.
  func passed(to instant: Nanoseconds)

  /// Handles the state in which everybody sleeps and time does not move; true if anything was woken
  /// or finished all the same.
  func standStill() -> Bool

  /// A deadline has come: wakes its owner, behind ``Scheduler/move(to:)``.
  func wake(_ item: Timeline<Owner>.Item)

  /// Announces a change of the clocks while they flow: nobody may read them before
  /// ``clocksChanged(from:)``.
  func clocksWillChange()

  /// The clocks have changed.
  func clocksChanged(from former: VirtualClock)
}

/// The demand for moving virtual time while all threads are idle.
enum TimeDemand: Hashable {
  /// Not at all.
  case stand
  /// To the next deadline, and at most to `limit`, if there is one.
  case advance(limit: Nanoseconds?)
  /// The party that wanted time to move has what it waited for.
  case finished
}

/// Keeps the clocks of a scenario and all deadlines, and decides when time may move: only while
/// all threads are idle, and then to the next deadline.
///
/// It has no side effects: its client performs its decisions. Its inputs, the answers to its questions and its
/// decisions can be logged line by line and replayed to another scheduler, which must decide the same.
final class Scheduler<Client: SchedulerClient> {
  /// A deadline that is filed.
  typealias Item = Timeline<Client.Owner>.Item
  /// Names a filed deadline.
  typealias Ticket = Timeline<Client.Owner>.Ticket

  private unowned let client: Client
  private let view: ClockView
  private let readRealClock: () -> Nanoseconds
  private let trace: SchedulerTrace?
  private var timeline: Timeline<Client.Owner>
  /// The state of the clocks.
  private(set) var clock: VirtualClock

  /// - Parameters:
  ///   - client: whose time it keeps.
  ///   - view: the clocks as other threads see them; they are changed together.
  ///   - clock: how they stand.
  ///   - slack: how late deadlines may be kept that may be late.
  ///   - readRealClock: the kernel's CLOCK_MONOTONIC.
  ///   - trace: gets what the scheduler is told, is answered and decides; `nil` where nobody wants to know.
  init(
    client: Client, view: ClockView, clock: VirtualClock, slack: Nanoseconds = .zero,
    readRealClock: @escaping () -> Nanoseconds = RealClock.monotonic, trace: SchedulerTrace? = nil
  ) {
    self.client = client
    self.view = view
    self.clock = clock
    self.readRealClock = readRealClock
    self.trace = trace
    timeline = Timeline(slack: slack)
    note(.begin(clock, slack: slack))
  }

  /// Writes down what has happened.
  private func note(_ entry: @autoclosure () -> SchedulerEntry) {
    guard let trace else { return }
    trace(entry().text, clock.monotonicAtAnchor - VirtualClock.initialMonotonic)
  }

  /// Passes on what the client has answered.
  private func noting<Answer>(
    _ answer: Answer, _ entry: (Answer) -> SchedulerEntry
  ) -> Answer {
    note(entry(answer))
    return answer
  }

  /// The time of the monotonic clock.
  var now: Nanoseconds { clock.flows ? clock.monotonic(real: readReal()) : clock.monotonicAtAnchor }

  private func readReal() -> Nanoseconds { noting(readRealClock()) { .real($0) } }

  /// The clocks at this moment.
  var moment: ClockMoment {
    passLeapSecond()
    return ClockMoment(clock: clock, real: readRealClock())
  }

  // MARK: - Deadlines

  /// The number of deadlines that are filed.
  var deadlineCount: Int { timeline.count }

  /// Files a deadline, which wakes its owner; `nil` for one that never comes.
  ///
  /// - Parameter mayBeLate: whether it may be kept later by the slack, together with another one.
  func file(_ deadline: Deadline, mayBeLate: Bool = false, for owner: Client.Owner) -> Ticket? {
    let ticket =
      deadline.instant(on: clock) == .forever
      ? nil : timeline.file(deadline, mayBeLate: mayBeLate, for: owner)
    note(.file(deadline, mayBeLate: mayBeLate, ticket?.number, owner: "\(owner)"))
    return ticket
  }

  /// Takes a deadline back; harmless if there is none.
  func cancel(_ ticket: Ticket?) {
    guard let ticket else { return }
    note(.cancel(ticket.number))
    timeline.cancel(ticket)
  }

  /// The next deadline.
  func earliest() -> Item? { timeline.earliest(on: clock, now: now) }

  /// When the first deadline is due, which may be kept later; where time flows, a wall clock that shows a second again is
  /// one.
  var firstDue: Nanoseconds? {
    let due = timeline.firstDue(on: clock)
    guard clock.flows, let leap = clock.nextLeap else { return due }
    return min(leap, due ?? .forever)
  }

  // MARK: - The clocks

  /// Changes the clocks at one instant of real time: no reader, in whatever process, sees monotonic time go back.
  func change(_ body: (inout VirtualClock, _ real: Nanoseconds) -> Void) {
    note(.change)
    make(body)
  }

  private func make(_ change: (inout VirtualClock, _ real: Nanoseconds) -> Void) {
    if clock.flows { announceChange() }
    let former = clock
    clock = view.change(reading: readReal, change)
    note(.clock(clock))
    // Nor may one process see time begin to flow while another one still reads the instant that was held.
    if clock.flows, !former.flows { announceChange() }
    client.clocksChanged(from: former)
    note(.changed)
  }

  private func announceChange() {
    client.clocksWillChange()
    note(.announced)
  }

  /// Advances time to an instant; false if it has passed already.
  @discardableResult
  func move(to instant: Nanoseconds) -> Bool {
    note(.move(instant))
    guard instant > now else { return false }
    make { $0.advance(to: instant, real: $1) }
    return true
  }

  /// Where time has flowed into the second that a wall clock shows again, makes that known.
  private func passLeapSecond() {
    guard clock.leapSecond != nil, clock.flows, let leap = clock.nextLeap, leap <= now else {
      return
    }
    passLeapSecond(at: leap)
  }

  /// A wall clock shows a second again from an instant on that has passed.
  func passLeapSecond(at leap: Nanoseconds) {
    note(.leap(leap))
    make { $0.advance(to: leap, real: $1) }
  }

  // MARK: - When time moves

  /// The number of deadlines that come due, where time flows, before anything else is examined.
  private static var wakesPerTurn: Int { 64 }

  /// Wakes those whose deadlines real time has made due; true if there were any.
  ///
  /// - Parameter prepare: called before each of them.
  func wakeWhatIsDue(_ prepare: () -> Void) -> Bool {
    guard clock.flows else { return false }
    note(.wakeDue)
    passLeapSecond()
    var isAny = false
    // Where time flows faster than anybody can be woken, there is always one more.
    for _ in 0..<Self.wakesPerTurn {
      guard let item = earliest(), item.instant <= now else { break }
      prepare()
      note(.prepared)
      wake(item)
      isAny = true
    }
    return noting(isAny) { .end($0) }
  }

  /// Moves time if it may move now; true if anything was woken or finished.
  func turn() -> Bool {
    note(.turn)
    return noting(takeTurn()) { .end($0) }
  }

  private func takeTurn() -> Bool {
    guard noting(client.allAsleep(), { .answer(.asleep, $0) }) else {
      return noting(client.continueBesideRunning()) { .answer(.beside, $0) }
    }
    if noting(client.settle(), { .answer(.settled, $0) }) { return true }
    if let item = earliest(), item.instant <= now {
      wake(item)
      return true
    }
    if noting(client.resumeAtRest(), { .answer(.resumed, $0) }) { return true }
    switch noting(client.demand(), { .demand($0) }) {
    case .finished: return true
    case .advance(let limit):
      if goOn(to: limit, passesToLimit: true) { return true }
    case .stand: break
    }
    return noting(client.standStill()) { .answer(.stood, $0) }
  }

  /// Moves time to the first event: the step that pollers of the time have earned, the next
  /// deadline, the limit; false if there is none.
  ///
  /// - Parameter passesToLimit: whether time moves to a limit at which no wait ends.
  func moveOn(to limit: Nanoseconds?, passesToLimit: Bool = true) -> Bool {
    note(.moveOn(limit, passesToLimit: passesToLimit))
    return noting(goOn(to: limit, passesToLimit: passesToLimit)) { .end($0) }
  }

  private func goOn(to limit: Nanoseconds?, passesToLimit: Bool) -> Bool {
    let now = now
    let next = earliest().flatMap { item in limit.map { item.instant <= $0 } ?? true ? item : nil }
    let goal = noting(client.spinnerGoal(after: now)) { .goal($0) }
    // Whoever waits for a step of the wall clock is to see it when it comes.
    if let leap = clock.nextLeap, leap > now,
      let end = [next?.instant, goal, passesToLimit ? limit : nil].compactMap(\.self).min(),
      leap <= end
    {
      pass(to: leap)
      return true
    }
    if let goal {
      let instant = limit.map { min($0, goal) } ?? goal
      if instant > now, next.map({ $0.instant > instant }) ?? true {
        note(.reach(instant))
        client.spinnersReached(instant)
        note(.done)
        return true
      }
    }
    if let next {
      wake(next)
      return true
    }
    guard let limit, passesToLimit else { return false }
    pass(to: limit)
    return true
  }

  private func pass(to instant: Nanoseconds) {
    note(.pass(instant))
    client.passed(to: instant)
    note(.done)
  }

  private func wake(_ item: Item) {
    timeline.cancel(item.ticket)
    note(.wake(item.ticket.number, item.instant, owner: "\(item.owner)"))
    client.wake(item)
    note(.done)
  }
}
