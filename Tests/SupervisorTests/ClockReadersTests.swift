import Testing

@testable import Supervisor

@Suite("Who looks at the clock while somebody computes")
struct ClockReadersTests {
  private let one = ThreadIdentifier(1)
  private let two = ThreadIdentifier(2)
  private var readers = ClockReaders()

  /// Looks at the two, which have read the clock so often; whether one that looks at it has, at this instant.
  private mutating func look(_ first: UInt64?, _ second: UInt64?, instant: UInt64) -> Bool {
    let processes = [(process: one, reads: first), (process: two, reads: second)]
    readers.look(
      at: processes.compactMap { process, reads in reads.map { (process, $0) } }, instant: instant)
    return readers.haveRead
  }

  @Test("Whoever reads between two looks at one instant does; who has read before does not")
  mutating func atOneInstant() {
    #expect(look(5, 9, instant: 1) == false)
    #expect(look(5, 9, instant: 1) == false)
    #expect(readers.isEmpty)
    #expect(look(5, 10, instant: 1) == true)
    // It has, at this instant, whatever it does next.
    #expect(look(5, 10, instant: 1) == true)
    #expect(!readers.isEmpty)
  }

  @Test("Of one that is known to, one read at the next instant is enough; of another it is not")
  mutating func atTheNext() {
    _ = look(5, 9, instant: 1)
    _ = look(6, 9, instant: 1)

    #expect(look(0, 1, instant: 2) == false)
    #expect(!readers.isEmpty)
    #expect(look(1, 1, instant: 3) == true)
  }

  @Test("What was known is forgotten once a process is gone, and once everything sleeps")
  mutating func forgotten() {
    _ = look(5, nil, instant: 1)
    _ = look(6, nil, instant: 1)
    _ = look(nil, 1, instant: 2)
    #expect(look(7, nil, instant: 3) == false)

    _ = look(8, nil, instant: 3)
    readers.forget()
    #expect(look(9, nil, instant: 4) == false)
  }
}
