import Foundations
import Testing

@testable import Supervisor

/// What a tree has used that is one process.
private func used(_ length: Nanoseconds) -> TreeProcessorTime {
  TreeProcessorTime(own: [ThreadIdentifier(1): length], withChildren: length)
}

@Suite("What computing costs")
struct ComputingWatchTests {
  private func reading(
    _ thread: Int32, of process: Int32 = 1, spent: Nanoseconds, switches: UInt64 = 0,
    stops: UInt64 = 0
  ) -> ComputingWatch.Reading {
    ComputingWatch.Reading(
      thread: ThreadIdentifier(thread), process: ThreadIdentifier(process), spent: spent,
      switches: switches, stops: stops)
  }

  /// A watch, asked as threads are that have nothing to do with each other.
  private struct Watch {
    var watch = ComputingWatch(cost: .standard)
    var real = Nanoseconds.zero

    mutating func limit(
      for readings: [ComputingWatch.Reading], spinners: [Int32] = [], now: Nanoseconds,
      spentByAll: Nanoseconds = .zero
    ) -> Nanoseconds? {
      // More real time has passed than anybody has used.
      real += .seconds(1_000)
      return watch.limit(
        for: readings, spinners: [ThreadIdentifier(1): Set(spinners.map { ThreadIdentifier($0) })],
        now: now, real: real, chargeable: nil,
        spentByAll: used(spentByAll))?
        .instant
    }
  }

  @Test("Nothing up to the bound, and behind it what was used")
  func bound() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)

    #expect(watch.limit(for: [reading(1, spent: .seconds(7))], now: now) == nil)
    #expect(watch.limit(for: [reading(1, spent: .seconds(8))], now: now) == nil)
    #expect(
      watch.limit(for: [reading(1, spent: .seconds(8) + .milliseconds(3))], now: now)
        == now + .milliseconds(3))
  }

  @Test("Time follows the thread that has used least; one that got no processor holds it")
  func least() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero), reading(2, spent: .zero)], now: now)

    let limit = watch.limit(
      for: [reading(1, spent: .seconds(9)), reading(2, spent: .seconds(3))], now: now)
    #expect(limit == now + .seconds(2))

    let starved = watch.limit(
      for: [reading(1, spent: .seconds(20)), reading(3, spent: .zero)], now: now)
    #expect(starved == nil)
  }

  @Test("A wait begins anew, and a stop of the supervisor's is none")
  func waits() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now)

    let stopped = watch.limit(
      for: [reading(1, spent: .seconds(2), switches: 5, stops: 5)], now: now)
    #expect(stopped == now + .seconds(1))

    let later = now + .milliseconds(500)
    let waited = watch.limit(
      for: [reading(1, spent: .seconds(3), switches: 7, stops: 6)], now: later)
    #expect(waited == nil)
    #expect(
      watch.limit(for: [reading(1, spent: .seconds(5), switches: 7, stops: 6)], now: later)
        == later + .seconds(1))
  }

  @Test("What was known is forgotten once everything sleeps, and where nobody computes")
  func forgotten() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now)

    watch.watch.forget(but: [])
    #expect(watch.limit(for: [reading(1, spent: .seconds(5))], now: now) == nil)
    #expect(watch.limit(for: [], now: now) == nil)
  }

  @Test("Looks come when time is due to pass, and take a bounded share of real time")
  func looks() {
    var watch = ComputingWatch(cost: .standard)

    watch.recordLook(from: .seconds(1), to: .seconds(2), lead: .zero)
    #expect(watch.nextLook == .seconds(12))
    let intervals: [(lead: Nanoseconds?, interval: Nanoseconds)] = [
      (.zero, .milliseconds(1)), (-.seconds(1), .milliseconds(1)),
      (.milliseconds(7), .milliseconds(7)), (.seconds(3_600), .milliseconds(20)),
      (.forever, .milliseconds(20)), (nil, .milliseconds(20)),
    ]
    for (lead, interval) in intervals {
      watch.recordLook(from: .seconds(1), to: .seconds(1), lead: lead)
      #expect(watch.nextLook == .seconds(1) + interval)
    }
  }

  @Test("Who only asks for the time while everything else sleeps has not waited")
  func spinners() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero), reading(2, spent: .zero)], now: now)
    watch.watch.forget(but: [ThreadIdentifier(1)])

    #expect(watch.limit(for: [reading(1, spent: .seconds(3))], now: now) == now + .seconds(2))
    #expect(watch.limit(for: [reading(2, spent: .seconds(3))], now: now) == nil)
  }

  @Test("Processes that relieve each other count together, by how many are at work at once")
  func common() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    #expect(
      watch.limit(for: [reading(1, of: 1, spent: .zero)], now: now, spentByAll: .seconds(50)) == nil
    )
    let free = watch.limit(
      for: [reading(2, of: 2, spent: .zero)], now: now, spentByAll: .seconds(55))
    #expect(free == nil)

    let one = watch.limit(
      for: [reading(3, of: 3, spent: .zero)], now: now, spentByAll: .seconds(64))
    #expect(one == now + .seconds(9))
    let two = watch.limit(
      for: [reading(4, of: 4, spent: .zero), reading(5, of: 5, spent: .zero)], now: now,
      spentByAll: .seconds(66))
    #expect(two == now + .seconds(10))
    let later = watch.limit(
      for: [reading(6, of: 6, spent: .zero)], now: now, spentByAll: .seconds(68))
    #expect(later == now + .seconds(11))
  }

  @Test(
    "Threads of a process that wake each other count together, beyond twice what is free for one")
  func ofOneProcess() {
    let now = Nanoseconds.seconds(100)
    /// Two threads that wait for each other again and again, and share a second of processor time at each look.
    func limits(of processes: [Int32]) -> [Nanoseconds?] {
      var watch = Watch()
      return (0..<5).map { second in
        let spent = Nanoseconds.milliseconds(Int64(second) * 500)
        let readings = processes.enumerated().map { index, process in
          reading(
            Int32(index + 1), of: process, spent: spent, switches: UInt64(second * 100), stops: 0)
        }
        return watch.limit(for: readings, now: now, spentByAll: .seconds(Int64(second)))
          .map { $0 - now }
      }
    }

    #expect(limits(of: [1, 1]) == [nil, nil, nil, .milliseconds(500), .seconds(1)])
    // One that waits in vain for threads of other processes has waited.
    #expect(limits(of: [1, 2]) == [nil, nil, nil, nil, nil])
    #expect(limits(of: [1]) == [nil, nil, nil, nil, nil])
  }

  @Test("A spinner counts as one at work, held or not, and as much is free for each")
  func spinnersOfOneProcess() {
    let now = Nanoseconds.seconds(100)
    /// Two threads are seen in turn, beside so many that spin; all share 20 seconds of processor time.
    func limit(spinners: Range<Int32>) -> Nanoseconds? {
      var watch = Watch()
      return (0...20).map { second in
        watch.limit(
          for: [reading(1 + Int32(second % 2), spent: .zero, switches: UInt64(second))],
          spinners: Array(spinners), now: now, spentByAll: .seconds(Int64(second)))
      }.last ?? nil
    }

    #expect(limit(spinners: 0..<0) == now + .seconds(17))
    #expect(limit(spinners: 3..<4) == now + .milliseconds(8_500))
    #expect(limit(spinners: 3..<6) == now + .milliseconds(3_250))
    #expect(limit(spinners: 3..<22) == nil)
  }

  @Test(
    "The work of a process is forgotten once it rests beside others, or all sleep but for spinners of others"
  )
  func ofRestedProcess() {
    let now = Nanoseconds.seconds(100)
    func limit(after rest: (inout Watch) -> Void) -> Nanoseconds? {
      var watch = Watch()
      func look(_ watch: inout Watch, _ second: Int64) -> Nanoseconds? {
        let readings = [1, 2].map {
          reading($0, spent: .seconds(second), switches: UInt64(second * 100), stops: 0)
        }
        return watch.limit(for: readings, now: now, spentByAll: .seconds(second))
      }
      _ = look(&watch, 0)
      _ = look(&watch, 2)
      rest(&watch)
      return look(&watch, 4)
    }

    #expect(limit { _ in } == now + .seconds(1))
    #expect(limit { $0.watch.forget(but: [ThreadIdentifier(2)]) } == now + .seconds(1))
    #expect(limit { $0.watch.forget(but: [ThreadIdentifier(3)]) } == nil)
    #expect(limit { $0.watch.forget(but: []) } == nil)
    #expect(
      limit { watch in
        _ = watch.limit(
          for: [reading(9, of: 9, spent: .zero)], now: now, spentByAll: .seconds(2))
      } == nil)
  }

  @Test("What relieves each other is charged no more than real time has passed")
  func commonInRealTime() {
    var watch = ComputingWatch(cost: .standard)
    let now = Nanoseconds.seconds(100)
    func limit(_ thread: Int32, real: Nanoseconds, spentByAll: Nanoseconds) -> Nanoseconds? {
      watch.limit(
        for: [reading(thread, of: thread, spent: .zero)], spinners: [:], now: now, real: real,
        chargeable: nil,
        spentByAll: used(spentByAll))?.instant
    }
    #expect(limit(1, real: .seconds(7), spentByAll: .zero) == nil)

    #expect(limit(2, real: .seconds(15), spentByAll: .seconds(20)) == now + .seconds(3))
    #expect(limit(3, real: .seconds(16), spentByAll: .seconds(40)) == now + .seconds(4))
  }

  @Test("What processes have used counts, and what those have whom somebody has waited for")
  func trees() {
    func tree(_ own: [Int32: Int64], withChildren: Int64) -> TreeProcessorTime {
      TreeProcessorTime(
        own: Dictionary(
          uniqueKeysWithValues: own.map { (ThreadIdentifier($0), Nanoseconds.seconds($1)) }),
        withChildren: .seconds(withChildren))
    }
    let former = tree([1: 3, 2: 5], withChildren: 8)

    #expect(tree([1: 4, 2: 7], withChildren: 11).used(since: former) == .seconds(3))
    // One has ended, and the other has waited for it, and for a third.
    #expect(tree([1: 3], withChildren: 12).used(since: former) == .seconds(4))
    // One has ended, and nobody has waited for it; another one has begun.
    #expect(tree([1: 3, 7: 2], withChildren: 5).used(since: former) == .seconds(2))
    // Another one has its number.
    #expect(tree([1: 3, 2: 1], withChildren: 4).used(since: former) == .seconds(1))
  }

  @Test("What was used while nobody waited brings no deadline nearer that is filed later")
  func unawaited() {
    var watch = ComputingWatch(cost: .standard)
    let now = Nanoseconds.seconds(100)
    func limit(spent: Nanoseconds, chargeable: Nanoseconds?) -> Nanoseconds? {
      watch.limit(
        for: [reading(1, spent: spent)], spinners: [:], now: now, real: spent,
        chargeable: chargeable,
        spentByAll: used(spent))?.instant
    }
    #expect(limit(spent: .zero, chargeable: .zero) == nil)
    #expect(limit(spent: .seconds(20), chargeable: .zero) == nil)

    #expect(
      limit(spent: .seconds(20) + .milliseconds(300), chargeable: nil) == now + .milliseconds(300))
  }

  @Test("Where others have moved time on, what was used before is no debt")
  func moved() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now)
    _ = watch.limit(for: [reading(1, spent: .seconds(3))], now: now)

    let later = now + .seconds(3_600)
    #expect(watch.limit(for: [reading(1, spent: .seconds(4))], now: later) == later)
    #expect(watch.limit(for: [reading(1, spent: .seconds(5))], now: later) == later + .seconds(1))
  }

  @Test("Computing costs nothing, all of it, or many times as much where the clock says so")
  func cost() throws {
    let rate = try #require(ClockRate(billionths: 2_000_000_000))
    let now = Nanoseconds.seconds(100)
    func limit(_ cost: ComputingCost) -> ComputingWatch.Limit? {
      var watch = ComputingWatch(cost: cost)
      _ = watch.limit(
        for: [reading(1, spent: .zero)], spinners: [:], now: now, real: .zero, chargeable: nil,
        spentByAll: used(.zero))
      return watch.limit(
        for: [reading(1, spent: .milliseconds(1_234))], spinners: [:], now: now, real: .zero,
        chargeable: nil, spentByAll: used(.zero))
    }

    #expect(limit(.free) == nil)
    #expect(limit(.charged(after: .zero, rate: .one))?.instant == now + .milliseconds(1_234))
    #expect(limit(.charged(after: .zero, rate: rate))?.instant == now + .milliseconds(2_468))
    #expect(limit(.charged(after: .seconds(1), rate: .one))?.instant == now + .milliseconds(234))
    #expect(limit(.charged(after: .seconds(2), rate: .one)) == nil)
  }

  @Test("Time moves in round steps where no deadline lies before, each once it is used")
  func steps() {
    var watch = ComputingWatch(cost: .standard)
    let begin = Nanoseconds.seconds(100)
    func step(spent: Nanoseconds, now: Nanoseconds) -> Nanoseconds? {
      watch.limit(
        for: [reading(1, spent: spent)], spinners: [:], now: begin + now, real: .zero,
        chargeable: nil,
        spentByAll: used(.zero))?.step.map { $0 - begin }
    }
    #expect(step(spent: .zero, now: .zero) == nil)

    #expect(step(spent: .milliseconds(1_009), now: .zero) == nil)
    #expect(step(spent: .milliseconds(1_010), now: .zero) == .milliseconds(10))
    #expect(step(spent: .milliseconds(1_019), now: .milliseconds(10)) == nil)
    #expect(step(spent: .milliseconds(5_009), now: .milliseconds(10)) == .milliseconds(4_000))
    #expect(step(spent: .milliseconds(101_299), now: .seconds(4)) == .milliseconds(100_200))
  }

  @Test("Time never passes faster than processors work, whoever computes, waits and takes turns")
  func schedules() {
    let limits = (0..<10_000 as Range<UInt64>).reduce(0) { $0 + checkSchedule($1) }
    #expect(limits > 10_000)
  }

  /// Some threads compute on some processors, which others use as well, sleep and end; time is looked at now and then,
  /// awaited or not, and now and then moved by others; returns how often time might go on.
  private func checkSchedule(_ seed: UInt64) -> Int {
    struct Thread {
      var spent = Nanoseconds.zero
      var switches: UInt64 = 0
      var sleeps = false
    }
    var random = SeededGenerator(seed)
    var watch = ComputingWatch(
      cost: .charged(after: .milliseconds(Int64(random.below(50))), rate: .one))
    var threads = (0...random.below(5)).map { _ in Thread() }
    let processors = 1 + random.below(4)
    var now = Nanoseconds.seconds(100)
    var real = Nanoseconds.zero
    // How far time may have gone: as long as processors have worked since somebody waits, and what others moved.
    var allowed = now
    var count = 0
    for _ in 0..<60 {
      let length = Nanoseconds.milliseconds(Int64(random.below(20)))
      let first = random.below(threads.count)
      let running = threads.indices.map { ($0 + first) % threads.count }
        .filter { !threads[$0].sleeps }.prefix(processors)
      for index in running { threads[index].spent = threads[index].spent + length }
      // The processors do something else as well.
      real += length + .milliseconds(Int64(random.below(20)))
      if !running.isEmpty { allowed = allowed + length }
      for index in threads.indices where random.below(8) == 0 {
        if !threads[index].sleeps { threads[index].switches += 1 }
        threads[index].sleeps.toggle()
      }
      if random.below(16) == 0 {
        now = now + .milliseconds(Int64(random.below(100)))
        allowed = max(allowed, now)
      }
      if threads.allSatisfy(\.sleeps) {
        watch.forget(but: [])
        allowed = now
        continue
      }
      let chargeable: Nanoseconds? = [.zero, .milliseconds(5), nil, nil, nil][random.below(5)]
      let computing = threads.indices.filter { !threads[$0].sleeps }
      let limit = watch.limit(
        for: computing.map {
          reading(Int32($0 + 1), spent: threads[$0].spent, switches: threads[$0].switches)
        }, spinners: [:], now: now, real: real, chargeable: chargeable,
        spentByAll: used(threads.reduce(.zero) { $0 + $1.spent }))
      if let chargeable { allowed = min(allowed, now + chargeable) }
      guard let limit else { continue }
      #expect(limit.instant <= allowed, "seed \(seed)")
      #expect(limit.step.map { $0 <= limit.instant } ?? true)
      if limit.instant > now { now = limit.instant }
      count += 1
    }
    return count
  }
}
