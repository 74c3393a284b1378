import Foundations
import Testing

@testable import Supervisor

@Suite("What is known of spinners")
struct SpinRecordTests {
  private func yield(
    _ record: inout SpinRecord, _ count: Int, at instant: UInt64 = 1, from place: UInt64 = 7,
    spent: Nanoseconds = .zero
  ) -> [SpinRecord.Yield] {
    (0..<count).map { _ in record.countYield(at: instant, from: place) { spent } }
  }

  @Test("Many yields from one place are a wait; as many at several instants are not")
  func instants() {
    var record = SpinRecord()
    #expect(yield(&record, 1) == [.progress])
    #expect(yield(&record, SpinRecord.freeYields - 1).allSatisfy { $0 == .pass })
    #expect(yield(&record, 1) == [.wait])

    var other = SpinRecord()
    for instant in 1...1_000 {
      #expect(!yield(&other, 2, at: UInt64(instant)).contains(.wait))
    }
  }

  @Test("Once held, a few yields are enough; after a sleep it has all of them again")
  func held() {
    var record = SpinRecord()
    _ = yield(&record, SpinRecord.freeYields + 1)
    record.hold(at: 1)
    record.release(at: 2, spent: .zero, count: 0)
    #expect(yield(&record, SpinRecord.furtherYields, at: 2).last == .wait)

    record.release(at: 2, spent: .zero, count: 0)
    #expect(yield(&record, 1, at: 3) == [.pass])
  }

  @Test("Once held, a few long turns do not make a yielder one that works; a hundred do")
  func heldOnBusyMachine() {
    var record = SpinRecord()
    _ = yield(&record, SpinRecord.freeYields + 1)
    record.hold(at: 1)
    record.release(at: 2, spent: .zero, count: 0)
    var spent = Nanoseconds.zero
    func turn(_ length: Nanoseconds) -> SpinRecord.Yield {
      spent += length
      return record.countYield(at: 2, from: 7) { spent }
    }

    let long = (0..<20).map { _ in turn(.microseconds(100)) }
    #expect(long.allSatisfy { $0 == .pass })
    #expect(turn(.microseconds(10)) == .wait)
    record.release(at: 2, spent: spent, count: 0)
    let works = (0..<SpinRecord.freeYields).map { _ in turn(.microseconds(100)) }
    #expect(works.last == .work && !works.contains(.wait))
  }

  @Test("A thread that works between its yields does not wait")
  func work() {
    var record = SpinRecord()
    var spent = Nanoseconds.zero
    for _ in 0..<1_000 {
      spent += .microseconds(100)
      #expect(record.countYield(at: 1, from: 7) { spent } != .wait)
    }
  }

  @Test("What stops cost is the least of a few repetitions, and never makes idle turns shorter")
  func stopCost() {
    let thread = ThreadIdentifier(7)
    func measured(_ lengths: [Int64]) -> StopCost {
      var cost = StopCost(idleTurn: .microseconds(25))
      var spent = Nanoseconds.zero
      cost.begin(with: thread, spent: spent)
      #expect(cost.repetition(of: ThreadIdentifier(8), spent: { .zero }) == nil)
      for (index, length) in lengths.enumerated() {
        spent += .microseconds(length)
        #expect(cost.repetition(of: thread, spent: { spent }) == (index + 1 < lengths.count))
      }
      #expect(cost.isKnown)
      #expect(cost.repetition(of: thread, spent: { spent }) == nil)
      return cost
    }

    #expect(measured([90, 40, 80, 80, 80, 80, 80, 80]).idleTurn == .microseconds(200))
    #expect(measured([4, 3, 3, 3, 3, 3, 3, 3]).idleTurn == .microseconds(25))
  }

  @Test("Each clock read by system call allows a turn as much again", arguments: [0, 1])
  func stops(reads: Int) {
    var record = SpinRecord()
    var spent = Nanoseconds.zero
    let yields = (0...SpinRecord.freeYields).map { _ in
      for _ in 0..<reads { _ = record.countRead(at: 1) }
      spent += .microseconds(40)
      return record.countYield(at: 1, from: 7) { spent }
    }
    #expect(yields.contains(.wait) == (reads == 1))
  }

  @Test("A machine that makes most turns long does not make a wait look like work")
  func noise() {
    var record = SpinRecord()
    var spent = Nanoseconds.zero
    let yields = (0...SpinRecord.freeYields).map { turn in
      spent += .microseconds(turn == 50 ? 5 : 500)
      return record.countYield(at: 1, from: 7) { spent }
    }
    #expect(yields.last == .wait)
  }

  @Test("A loop that only counts is a wait in the end")
  func counting() {
    var record = SpinRecord()
    let yields = (1..<20_000).map { place in
      record.countYield(at: 1, from: UInt64(place)) { .zero }
    }
    #expect(yields.prefix(SpinRecord.progressLimit).allSatisfy { $0 == .progress })
    #expect(yields.contains(.wait))
  }

  @Test("Who has read the clock since it was let go waits for the clock")
  func readers() {
    var record = SpinRecord()
    #expect(!record.readsClock(at: 1, count: 5))
    record.release(at: 1, spent: .zero, count: 5)
    #expect(!record.readsClock(at: 1, count: 5))
    #expect(record.readsClock(at: 1, count: 6))
    _ = record.countRead(at: 1)
    #expect(record.readsClock(at: 1, count: 5))
  }
}
