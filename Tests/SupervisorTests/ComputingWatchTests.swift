import Foundations
import Testing

@testable import Supervisor

@Suite("What computing costs")
struct ComputingWatchTests {
  private func reading(
    _ thread: Int32, spent: Nanoseconds, switches: UInt64 = 0, stops: UInt64 = 0
  ) -> ComputingWatch.Reading {
    ComputingWatch.Reading(
      thread: ThreadIdentifier(thread), spent: spent, switches: switches, stops: stops)
  }

  /// A watch, asked as threads are that have nothing to do with each other.
  private struct Watch {
    var watch = ComputingWatch(cost: .standard)

    mutating func limit(
      for readings: [ComputingWatch.Reading], now: Nanoseconds, spentByAll: Nanoseconds = .zero
    ) -> Nanoseconds? {
      watch.limit(for: readings, now: now, spentByAll: { spentByAll })?.instant
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

  @Test("Looks take a bounded share of real time")
  func looks() {
    var watch = ComputingWatch(cost: .standard)

    watch.recordLook(from: .seconds(1), to: .seconds(2), hasLead: true)
    #expect(watch.nextLook == .seconds(12))
    watch.recordLook(from: .seconds(1), to: .seconds(1), hasLead: true)
    #expect(watch.nextLook == .seconds(1) + .milliseconds(1))
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

  @Test("Threads that relieve each other have worked for as long as all of them, by how many did at once")
  func common() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    #expect(watch.limit(for: [reading(1, spent: .zero)], now: now, spentByAll: .seconds(50)) == nil)
    let free = watch.limit(for: [reading(2, spent: .zero)], now: now, spentByAll: .seconds(55))
    #expect(free == nil)

    let one = watch.limit(for: [reading(3, spent: .zero)], now: now, spentByAll: .seconds(64))
    #expect(one == now + .seconds(9))
    let two = watch.limit(
      for: [reading(4, spent: .zero), reading(5, spent: .zero)], now: now,
      spentByAll: .seconds(64))
    #expect(two == now + .seconds(2))
    // Two at once have been seen: what comes later is divided as well.
    let later = watch.limit(for: [reading(6, spent: .zero)], now: now, spentByAll: .seconds(66))
    #expect(later == now + .seconds(3))
  }

  @Test("Where somebody ends for whom nobody has waited, the account of all begins anew")
  func lost() {
    var watch = Watch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now, spentByAll: .seconds(50))
    _ = watch.limit(for: [reading(2, spent: .zero)], now: now, spentByAll: .seconds(40))

    #expect(watch.limit(for: [reading(3, spent: .zero)], now: now, spentByAll: .seconds(45)) == nil)
    let limit = watch.limit(for: [reading(4, spent: .zero)], now: now, spentByAll: .seconds(47))
    #expect(limit == now + .seconds(2))
  }

  @Test("Computing costs nothing, all of it, or many times as much where the clock says so")
  func cost() throws {
    let rate = try #require(ClockRate(billionths: 2_000_000_000))
    let now = Nanoseconds.seconds(100)
    func limit(_ cost: ComputingCost) -> ComputingWatch.Limit? {
      var watch = ComputingWatch(cost: cost)
      _ = watch.limit(for: [reading(1, spent: .zero)], now: now, spentByAll: { .zero })
      return watch.limit(
        for: [reading(1, spent: .milliseconds(1_234))], now: now, spentByAll: { .zero })
    }

    #expect(limit(.free) == nil)
    #expect(limit(.charged(after: .zero, rate: .one))?.instant == now + .milliseconds(1_234))
    #expect(limit(.charged(after: .zero, rate: rate))?.instant == now + .milliseconds(2_468))
    #expect(limit(.charged(after: .seconds(1), rate: .one))?.instant == now + .milliseconds(234))
    #expect(limit(.charged(after: .seconds(2), rate: .one)) == nil)
  }

  @Test("Who only looks at the clock sees round lengths, none of which was not used")
  func roundLengths() {
    var watch = ComputingWatch(cost: .standard)
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now, spentByAll: { .zero })

    let limit = watch.limit(
      for: [reading(1, spent: .milliseconds(1_239))], now: now, spentByAll: { .zero })
    #expect(limit?.roundInstant == now + .milliseconds(230))
    #expect(limit?.thread == ThreadIdentifier(1))
  }
}
