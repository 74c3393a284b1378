import Foundations
import Testing

@testable import Supervisor

@Suite("What computing costs beside a sleeper of the same process")
struct ComputingWatchTests {
  private func reading(
    _ thread: Int32, spent: Nanoseconds, switches: UInt64 = 0, stops: UInt64 = 0
  ) -> ComputingWatch.Reading {
    ComputingWatch.Reading(
      thread: ThreadIdentifier(thread), spent: spent, switches: switches, stops: stops)
  }

  @Test("Nothing up to the bound, and behind it what was used")
  func bound() {
    var watch = ComputingWatch()
    let now = Nanoseconds.seconds(100)

    #expect(watch.limit(for: [reading(1, spent: .seconds(7))], now: now) == nil)
    #expect(watch.limit(for: [reading(1, spent: .seconds(8))], now: now) == nil)
    #expect(
      watch.limit(for: [reading(1, spent: .seconds(8) + .milliseconds(3))], now: now)
        == now + .milliseconds(3))
  }

  @Test("Time follows the thread that has used least; one that got no processor holds it")
  func least() {
    var watch = ComputingWatch()
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
    var watch = ComputingWatch()
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
    var watch = ComputingWatch()
    let now = Nanoseconds.seconds(100)
    _ = watch.limit(for: [reading(1, spent: .zero)], now: now)

    watch.forget()
    #expect(watch.limit(for: [reading(1, spent: .seconds(5))], now: now) == nil)
    #expect(watch.limit(for: [], now: now) == nil)
  }

  @Test("Looks take a bounded share of real time")
  func looks() {
    var watch = ComputingWatch()

    watch.recordLook(from: .seconds(1), to: .seconds(2), hasLead: true)
    #expect(watch.nextLook == .seconds(12))
    watch.recordLook(from: .seconds(1), to: .seconds(1), hasLead: true)
    #expect(watch.nextLook == .seconds(1) + .milliseconds(1))
  }
}
