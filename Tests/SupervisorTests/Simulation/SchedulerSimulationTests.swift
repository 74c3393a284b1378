import Foundations
import Testing

@testable import Supervisor

/// Threads that a scheduler keeps time for, with no process anywhere: what each does is drawn from one seed, and in
/// which order they do it from another.
private final class SimulatedThreads: SchedulerClient {
  typealias Owner = Int

  /// What a thread does next.
  enum Action {
    case compute
    case sleep(Nanoseconds)
    /// The same, and may be late by the slack.
    case poll(Nanoseconds)
    /// Waits for a message, for so long at most.
    case receive(timeout: Nanoseconds)
    case send(to: Int)
    /// Reads the clock over and over until it has moved so far.
    case spin(Nanoseconds)
  }

  enum State: Equatable {
    case running
    case sleeping(until: Nanoseconds)
    case polling(until: Nanoseconds)
    case receiving(until: Nanoseconds)
    case spinning(until: Nanoseconds)
    case ended
  }

  private struct Thread {
    var state = State.running
    var actions: [Action]
    var ticket: Timeline<Int>.Ticket?
    var messages = 0
  }

  /// Something that must never happen.
  private(set) var violations: [String] = []
  /// Who has woken, and when.
  private(set) var wakes: [(thread: Int, instant: Nanoseconds)] = []
  private(set) lazy var scheduler = Scheduler(
    client: self, view: ClockView(clock), clock: clock, slack: slack, readRealClock: { .zero })
  private let slack: Nanoseconds
  private let clock = VirtualClock(wall: .epoch, flow: .auto, real: .zero)
  private var threads: [Thread] = []
  /// Messages on their way: nobody runs for them, and yet not everybody sleeps.
  private var underWay: [Int] = []
  private var order: SeededGenerator
  private var lastFired: (deadline: Nanoseconds, number: UInt64) = (.zero, 0)
  private var start = Nanoseconds.zero

  init(program: UInt64, order: UInt64, talk: Bool, slack: Nanoseconds = .zero) {
    self.slack = slack
    self.order = SeededGenerator(order)
    var generator = SeededGenerator(program)
    let count = 1 + generator.below(4)
    for _ in 0..<count {
      let length = 1 + generator.below(5)
      threads.append(
        Thread(
          actions: (0..<length).map { _ in
            Self.action(among: count, talk: talk, polls: slack > .zero, &generator)
          }))
    }
    start = scheduler.now
  }

  private static func action(
    among count: Int, talk: Bool, polls: Bool, _ generator: inout SeededGenerator
  ) -> Action {
    // Few lengths, so that many deadlines are equal.
    let length = Nanoseconds.milliseconds(Int64(generator.below(4)))
    if polls, generator.below(3) == 0 { return .poll(length) }
    switch generator.below(talk ? 7 : 4) {
    case 0: return .compute
    case 1, 2: return .sleep(length)
    case 3: return .spin(length)
    case 4: return .receive(timeout: length)
    default: return .send(to: generator.below(count))
    }
  }

  /// Lets everybody do what they do, in the order that was drawn; false if it never ends.
  func run() -> Bool {
    // Each action takes a few turns at most.
    for _ in 0..<1_000 {
      if threads.allSatisfy({ $0.state == .ended }) { return true }
      let runnable = threads.indices.filter { threads[$0].state == .running }
      let choice = order.below(runnable.count + underWay.count + 1)
      if choice < runnable.count {
        step(runnable[choice])
      } else if choice < runnable.count + underWay.count {
        deliver(underWay.remove(at: choice - runnable.count))
      } else {
        _ = scheduler.turn()
      }
    }
    return false
  }

  private func step(_ index: Int) {
    guard !threads[index].actions.isEmpty else {
      threads[index].state = .ended
      return
    }
    let now = scheduler.now
    switch threads[index].actions.removeFirst() {
    case .compute: break
    case .sleep(let length):
      threads[index].state = .sleeping(until: now + length)
      threads[index].ticket = scheduler.file(.monotonic(now + length), for: index)
    case .poll(let length):
      threads[index].state = .polling(until: now + length)
      threads[index].ticket = scheduler.file(
        .monotonic(now + length), mayBeLate: true, for: index)
    case .receive(let timeout):
      guard threads[index].messages == 0 else {
        threads[index].messages -= 1
        return
      }
      threads[index].state = .receiving(until: now + timeout)
      threads[index].ticket = scheduler.file(.monotonic(now + timeout), for: index)
    case .send(let receiver): underWay.append(receiver)
    case .spin(let length):
      if length > .zero { threads[index].state = .spinning(until: now + length) }
    }
  }

  private func deliver(_ receiver: Int) {
    guard case .receiving = threads[receiver].state else {
      threads[receiver].messages += 1
      return
    }
    scheduler.cancel(threads[receiver].ticket)
    threads[receiver].state = .running
  }

  // MARK: - SchedulerClient

  func allAsleep() -> Bool { underWay.isEmpty && !threads.contains { $0.state == .running } }
  func continueBesideRunning() -> Bool { false }
  func settle() -> Bool { false }

  func resumeAtRest() -> Bool {
    // Whoever reads the clock sees that it has moved for somebody else.
    let due = threads.indices.filter { threads[$0].state == .spinning(until: scheduler.now) }
    due.forEach(awaken)
    return !due.isEmpty
  }

  func demand() -> TimeDemand {
    threads.allSatisfy { $0.state == .ended } ? .finished : .advance(limit: nil)
  }

  func spinnerGoal(after now: Nanoseconds) -> Nanoseconds? {
    threads.compactMap { thread in
      if case .spinning(let instant) = thread.state { instant } else { nil }
    }.min()
  }

  func spinnersReached(_ goal: Nanoseconds) {
    scheduler.move(to: goal)
    for index in threads.indices where threads[index].state == .spinning(until: goal) {
      awaken(index)
    }
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
    if (deadline, item.ticket.number) < lastFired { violations.append("out of order") }
    lastFired = (deadline, item.ticket.number)
    awaken(item.owner)
  }

  private func awaken(_ index: Int) {
    wakes.append((index, scheduler.now - start))
    threads[index].state = .running
  }

  func clocksWillChange() {}

  func clocksChanged(from former: VirtualClock) {
    if !allAsleep() { violations.append("time moved while somebody ran") }
    for thread in threads {
      switch thread.state {
      case .sleeping(let instant), .receiving(let instant), .spinning(let instant):
        if scheduler.now > instant { violations.append("too late for \(instant)") }
      case .polling(let instant):
        if scheduler.now > instant + slack {
          violations.append("later than \(instant) and \(slack)")
        }
      case .running, .ended: break
      }
    }
  }
}

@Suite("When time moves, among simulated threads")
struct SchedulerSimulationTests {
  @Test(
    "Never while somebody runs, never past a deadline, in order, and always on", arguments: 0..<10)
  func schedules(part: UInt64) {
    for seed in part * 10_000..<(part + 1) * 10_000 {
      let tree = SimulatedThreads(program: seed, order: seed &+ 1, talk: true)
      let hasEnded = tree.run()
      if !hasEnded || !tree.violations.isEmpty {
        Issue.record("seed \(seed): \(hasEnded ? "" : "stuck ")\(tree.violations.prefix(3))")
        return
      }
    }
  }

  @Test(
    "With slack, polls are late by so much at most, in order, and nobody else is", arguments: 0..<5)
  func slack(part: UInt64) {
    var late = 0
    for seed in part * 10_000..<(part + 1) * 10_000 {
      let tree = SimulatedThreads(
        program: seed, order: seed &+ 1, talk: true, slack: .microseconds(2_500))
      let hasEnded = tree.run()
      if !hasEnded || !tree.violations.isEmpty {
        Issue.record("seed \(seed): \(hasEnded ? "" : "stuck ")\(tree.violations.prefix(3))")
        return
      }
      late += tree.wakes.count { $0.instant.count % 1_000_000 != 0 }
    }
    #expect(late > 1_000)
  }

  @Test("The same seeds make the same run")
  func same() {
    for seed in 0..<200 as Range<UInt64> {
      let trees = (0..<2).map { _ in SimulatedThreads(program: seed, order: seed, talk: true) }
      for tree in trees { _ = tree.run() }
      #expect(trees[0].wakes.elementsEqual(trees[1].wakes, by: ==))
    }
  }

  @Test("Threads that do not talk wake at the same instants in whatever order they run")
  func independent() {
    for seed in 0..<500 as Range<UInt64> {
      let instants = (0..<4 as Range<UInt64>).map { order in
        let tree = SimulatedThreads(program: seed, order: order, talk: false)
        _ = tree.run()
        return tree.wakes.map { [Int64($0.thread), $0.instant.count] }
          .sorted { $0.lexicographicallyPrecedes($1) }
      }
      #expect(Set(instants).count == 1, "seed \(seed)")
    }
  }
}
