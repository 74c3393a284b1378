import Testing

@testable import Supervisor

@Suite("Who looks at the clock while computing")
struct ClockReadersTests {
  private let one = ThreadIdentifier(1)
  private let two = ThreadIdentifier(2)

  @Test("Whoever reads between two looks at one instant does; who has read before does not")
  func atOneInstant() {
    var readers = ClockReaders()
    #expect(readers.look(at: [(one, 5), (two, 9)], instant: 1) == nil)
    #expect(readers.look(at: [(one, 5), (two, 9)], instant: 1) == nil)
    #expect(readers.isEmpty)
    #expect(readers.look(at: [(one, 5), (two, 10)], instant: 1) == two)
    #expect(readers.look(at: [(one, 5), (two, 10)], instant: 1) == nil)
    #expect(!readers.isEmpty)
  }

  @Test("Of one that is known to, one read at the next instant is enough; of another it is not")
  func atTheNext() {
    var readers = ClockReaders()
    _ = readers.look(at: [(one, 5), (two, 9)], instant: 1)
    _ = readers.look(at: [(one, 6), (two, 9)], instant: 1)

    #expect(readers.look(at: [(one, 0), (two, 1)], instant: 2) == nil)
    #expect(readers.look(at: [(one, 1), (two, 1)], instant: 3) == one)
  }

  @Test("What was known is forgotten once a thread is gone, and once everything sleeps")
  func forgotten() {
    var readers = ClockReaders()
    _ = readers.look(at: [(one, 5)], instant: 1)
    _ = readers.look(at: [(one, 6)], instant: 1)
    _ = readers.look(at: [(two, 1)], instant: 2)
    #expect(readers.look(at: [(one, 7)], instant: 3) == nil)

    _ = readers.look(at: [(one, 8)], instant: 3)
    readers.forget()
    #expect(readers.look(at: [(one, 9)], instant: 4) == nil)
  }
}
