import Foundations

@testable import Supervisor

/// Threads that compute, wait, poll, read the clock and talk, on a machine that others use as well; no process anywhere.
///
/// What the threads do is drawn from one seed. Another one is the machine: who gets a processor and for how long, how
/// late whoever was woken begins to run, when messages arrive, and when the supervisor looks.
final class SimulatedWorld: SchedulerClient {
  typealias Owner = Int

  /// What worlds may differ in.
  struct Setting {
    var cost = ComputingCost.free
    var slack = Nanoseconds.zero
    /// The seed of the order in which threads take turns; `nil` where they run side by side.
    var order: Int64?
  }

  /// What a thread does next.
  private enum Action {
    case compute(Nanoseconds)
    /// Works until the clock shows that so much has passed.
    case work(for: Nanoseconds)
    case sleep(Nanoseconds)
    /// The same, and may be late by the slack.
    case poll(Nanoseconds)
    /// Waits for a message, for so long at most.
    case receive(timeout: Nanoseconds)
    case send(to: Int)
    /// Reads the clock again and again until so much has passed.
    case spin(Nanoseconds)
  }

  private enum State: Equatable {
    case running
    case computing(left: Nanoseconds)
    case working(until: Nanoseconds)
    /// It has been woken, and has not run yet.
    case woken
    case sleeping(until: Nanoseconds)
    case polling(until: Nanoseconds)
    case receiving(until: Nanoseconds)
    case spinning(until: Nanoseconds)
    case ended

    var isAsleep: Bool {
      switch self {
      case .sleeping, .polling, .receiving, .spinning, .ended: true
      case .running, .computing, .working, .woken: false
      }
    }
  }

  /// How far time may go beside those who compute.
  private struct Allowance {
    /// Each moment counts once, whoever worked.
    var once = Nanoseconds.zero
    /// All that was used counts: threads that relieve each other are seen at work only now and then.
    var all = Nanoseconds.zero

    mutating func begin(at now: Nanoseconds) { (once, all) = (now, now) }

    mutating func limit(to instant: Nanoseconds) {
      (once, all) = (min(once, instant), min(all, instant))
    }
  }

  private struct Thread {
    var state = State.running
    var actions: [Action]
    var ticket: Timeline<Int>.Ticket?
    var messages = 0
    var spent = Nanoseconds.zero
    var switches: UInt64 = 0
    /// Ready to run, and waits for its turn.
    var awaitsTurn = false
  }

  /// Something that must never happen.
  private(set) var violations: [String] = []
  /// What has happened, and when.
  private(set) var history: [String] = []
  /// How much virtual time has passed for what was computed.
  private(set) var charge = Nanoseconds.zero
  /// How often a wait was over late, by slack.
  private(set) var lateWakes = 0
  private lazy var scheduler = Scheduler(
    client: self, view: ClockView(clock), clock: clock, slack: setting.slack,
    readRealClock: { .zero })
  private let clock = VirtualClock(wall: .epoch, flow: .auto, real: .zero)
  private let setting: Setting
  private let keepsHistory: Bool
  private var threads: [Thread] = []
  /// Messages on their way: nobody runs for them, and yet not everybody sleeps.
  private var underWay: [Int] = []
  private var machine: SeededGenerator
  private let processors: Int
  private var real = Nanoseconds.zero
  private var computing: ComputingWatch
  private var turns: TurnOrder?
  private var holder: Int?
  private var lastKept: (deadline: Nanoseconds, number: UInt64) = (.zero, 0)
  /// How far time may have gone, by what processors have done while somebody waited.
  private var allowed = Allowance()
  /// True while time passes for what one thread has computed, false while it passes for what all have.
  private var chargesThread: Bool?
  private var wasAwaited = false
  private var hasNewWait = false

  /// - Parameters:
  ///   - program: the seed of what threads do.
  ///   - machine: the seed of what the machine does.
  ///   - keepsHistory: whether what happens is written down.
  init(program: UInt64, machine: UInt64, _ setting: Setting, keepsHistory: Bool = false) {
    self.setting = setting
    self.keepsHistory = keepsHistory
    self.machine = SeededGenerator(machine)
    processors = 1 + self.machine.below(4)
    computing = ComputingWatch(cost: setting.cost)
    turns = setting.order.map { TurnOrder(seed: $0) }
    var generator = SeededGenerator(program)
    let count = 1 + generator.below(5)
    threads = (0..<count).map { _ in
      Thread(
        actions: (0...generator.below(5)).map { _ in
          Self.action(among: count, setting, &generator)
        })
    }
    if turns != nil { for index in threads.indices { threads[index].awaitsTurn = true } }
  }

  private static func action(
    among count: Int, _ setting: Setting, _ generator: inout SeededGenerator
  ) -> Action {
    // Few lengths, so that many deadlines are equal.
    let length = Nanoseconds.milliseconds(Int64(generator.below(4)) * 5)
    switch generator.below(9) {
    case 0, 1: return .sleep(length)
    case 2: return setting.slack > .zero ? .poll(length) : .sleep(length)
    case 3: return .compute(length)
    // Where computing is free, nobody who waits for the clock beside work ever gets on.
    case 4: return setting.cost == .free ? .compute(length) : .work(for: length)
    case 5: return .receive(timeout: length)
    case 6: return .spin(length)
    default: return .send(to: generator.below(count))
    }
  }

  /// Lets everybody do what they do; false if it never ends.
  func run() -> Bool {
    allowed.begin(at: scheduler.now)
    // Each action takes a few turns at most, on a machine that has time for one thread now and then.
    for _ in 0..<20_000 {
      if threads.allSatisfy({ $0.state == .ended }), underWay.isEmpty { return true }
      switch machine.below(4) {
      case 0 where !underWay.isEmpty:
        deliver(underWay.remove(at: machine.below(underWay.count)))
      case 1: if !giveTurn() { _ = scheduler.turn() }
      default: useProcessors(for: .milliseconds(Int64(machine.below(6))))
      }
    }
    return false
  }

  // MARK: - The machine

  private func useProcessors(for length: Nanoseconds) {
    let begin = machine.below(threads.count)
    let ready = threads.indices.map { ($0 + begin) % threads.count }
      .filter { !threads[$0].state.isAsleep && !threads[$0].awaitsTurn }
    // Others have the rest.
    let served = ready.prefix(machine.below(processors + 1))
    real += length + .milliseconds(Int64(machine.below(6)))
    let workers = served.count { run($0, for: length) }
    if workers > 0 { allowed.once = allowed.once + length }
    allowed.all = allowed.all + Nanoseconds(length.count * Int64(workers))
  }

  /// Lets a thread have a processor; true if it has worked all the time.
  private func run(_ index: Int, for length: Nanoseconds) -> Bool {
    switch threads[index].state {
    case .woken:
      threads[index].state = .running
      if turns != nil { threads[index].awaitsTurn = true }
    case .running:
      act(index)
    case .computing(let left):
      threads[index].spent = threads[index].spent + min(left, length)
      threads[index].state = left > length ? .computing(left: left - length) : .running
      return true
    case .working(let instant):
      threads[index].spent = threads[index].spent + length
      if scheduler.now >= instant { threads[index].state = .running }
      return true
    default: break
    }
    return false
  }

  private func act(_ index: Int) {
    guard !threads[index].actions.isEmpty else {
      record(index, "ends")
      threads[index].state = .ended
      leaveTurn(index)
      return
    }
    if turns?.mayChange() ?? false {
      threads[index].awaitsTurn = true
      return leaveTurn(index)
    }
    let now = scheduler.now
    let action = threads[index].actions.removeFirst()
    record(index, "\(action)")
    switch action {
    case .compute(let length):
      if length > .zero { threads[index].state = .computing(left: length) }
    case .work(let length): threads[index].state = .working(until: now + length)
    case .sleep(let length): wait(index, .sleeping(until: now + length), until: now + length)
    case .poll(let length):
      wait(index, .polling(until: now + length), until: now + length, mayBeLate: true)
    case .receive(let timeout):
      // Where threads take turns, whoever asks for something waits for it first.
      guard threads[index].messages == 0 || turns != nil else {
        threads[index].messages -= 1
        return
      }
      wait(index, .receiving(until: now + timeout), until: now + timeout)
    case .send(let receiver): underWay.append(receiver)
    case .spin(let length):
      guard length > .zero else { return }
      threads[index].state = .spinning(until: now + length)
      leaveTurn(index)
    }
  }

  private func wait(
    _ index: Int, _ state: State, until instant: Nanoseconds, mayBeLate: Bool = false
  ) {
    threads[index].state = state
    threads[index].switches += 1
    threads[index].ticket = scheduler.file(.monotonic(instant), mayBeLate: mayBeLate, for: index)
    hasNewWait = true
    leaveTurn(index)
  }

  private func deliver(_ receiver: Int) {
    threads[receiver].messages += 1
    if turns == nil { receive(receiver) }
  }

  private func receive(_ index: Int) {
    guard case .receiving = threads[index].state, threads[index].messages > 0 else { return }
    threads[index].messages -= 1
    scheduler.cancel(threads[index].ticket)
    wakeUp(index)
  }

  private func wakeUp(_ index: Int) {
    record(index, "wakes")
    threads[index].state = .woken
  }

  private func record(_ index: Int, _ event: String) {
    if keepsHistory { history.append("\(scheduler.now.count) \(index) \(event)") }
  }

  // MARK: - Turns

  private func leaveTurn(_ index: Int) {
    if holder == index { holder = nil }
  }

  /// Gives the turn where nobody has it and everything has settled; true if anybody waits for it, or has it.
  private func giveTurn() -> Bool {
    guard turns != nil else { return false }
    guard holder == nil, underWay.isEmpty, !threads.contains(where: { $0.state == .woken }) else {
      return true
    }
    for index in threads.indices { receive(index) }
    guard !threads.contains(where: { $0.state == .woken }) else { return true }
    let ready = threads.indices.filter { threads[$0].awaitsTurn }
    guard !ready.isEmpty, let next = turns?.next(among: ready.count) else { return false }
    holder = ready[next]
    threads[ready[next]].awaitsTurn = false
    record(ready[next], "has the turn")
    return true
  }

  // MARK: - SchedulerClient

  func allAsleep() -> Bool {
    let sleep = underWay.isEmpty && threads.allSatisfy(\.state.isAsleep)
    if sleep {
      computing.forget(but: [])
      allowed.begin(at: scheduler.now)
      (wasAwaited, hasNewWait) = (false, false)
    }
    return sleep
  }

  func continueBesideRunning() -> Bool {
    guard computing.isCharged, turns == nil, underWay.isEmpty else { return false }
    let readings = threads.indices.filter { !threads[$0].state.isAsleep }.map { index in
      ComputingWatch.Reading(
        thread: ThreadIdentifier(Int32(index + 1)), process: ThreadIdentifier(1),
        spent: threads[index].spent, switches: threads[index].switches, stops: 0)
    }
    let chargeable = chargeable()
    if let chargeable { allowed.limit(to: scheduler.now + chargeable) }
    let all = threads.reduce(Nanoseconds.zero) { $0 + $1.spent }
    let limit = computing.limit(
      for: readings, spinners: [:], now: scheduler.now, real: real, chargeable: chargeable,
      spentByAll: TreeProcessorTime(own: [ThreadIdentifier(1): all], withChildren: all))
    guard let limit else { return false }
    let former = scheduler.now
    chargesThread = limit.thread != nil
    defer {
      chargesThread = nil
      charge = charge + (scheduler.now - former)
    }
    if scheduler.moveOn(to: limit.instant, passesToLimit: false) { return true }
    guard let step = limit.step, isAwaited, step > former else { return false }
    scheduler.move(to: step)
    return true
  }

  private var isAwaited: Bool {
    scheduler.deadlineCount > 0
      || threads.contains {
        switch $0.state {
        case .working, .spinning: true
        default: false
        }
      }
  }

  private func chargeable() -> Nanoseconds? {
    defer { (wasAwaited, hasNewWait) = (isAwaited, false) }
    guard isAwaited, wasAwaited else { return .zero }
    return hasNewWait ? .milliseconds(20) : nil
  }

  func settle() -> Bool { false }

  func resumeAtRest() -> Bool {
    // Whoever reads the clock sees that it has moved for somebody else.
    let due = threads.indices.filter { isSpinner($0, dueAt: scheduler.now) }
    due.forEach(wakeUp)
    return !due.isEmpty
  }

  func demand() -> TimeDemand {
    threads.allSatisfy { $0.state == .ended } ? .finished : .advance(limit: nil)
  }

  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? {
    threads.compactMap { thread in
      if case .spinning(let instant) = thread.state, instant > now { instant } else { nil }
    }.min()
  }

  func spinnersReached(_ goal: Nanoseconds) {
    scheduler.move(to: goal)
    for index in threads.indices where isSpinner(index, dueAt: goal) { wakeUp(index) }
  }

  private func isSpinner(_ index: Int, dueAt now: Nanoseconds) -> Bool {
    if case .spinning(let instant) = threads[index].state { instant <= now } else { false }
  }

  func passed(to instant: Nanoseconds) { scheduler.move(to: instant) }
  func standStill() -> Bool { false }

  func wake(_ item: Timeline<Int>.Item) {
    scheduler.move(to: item.instant)
    let deadline: Nanoseconds
    switch threads[item.owner].state {
    case .sleeping(until: item.instant), .receiving(until: item.instant): deadline = item.instant
    case .polling(until: let instant) where instant <= scheduler.now: deadline = instant
    default:
      violations.append("\(item.owner) does not wait for \(item.instant)")
      return
    }
    if deadline < scheduler.now { lateWakes += 1 }
    if (deadline, item.ticket.number) < lastKept { violations.append("out of order") }
    lastKept = (deadline, item.ticket.number)
    wakeUp(item.owner)
  }

  func clocksWillChange() {}

  func clocksChanged(from former: VirtualClock) {
    let now = scheduler.now
    if let chargesThread {
      if now > (chargesThread ? allowed.once : allowed.all) {
        violations.append("time has passed faster than anybody worked")
      }
    } else {
      if !threads.allSatisfy(\.state.isAsleep) || !underWay.isEmpty {
        violations.append("time moved while somebody ran")
      }
      allowed.begin(at: now)
    }
    for thread in threads {
      switch thread.state {
      case .sleeping(let instant), .receiving(let instant):
        if now > instant { violations.append("too late for \(instant)") }
      case .polling(let instant):
        if now > instant + setting.slack { violations.append("later than slack allows") }
      default: break
      }
    }
  }
}
