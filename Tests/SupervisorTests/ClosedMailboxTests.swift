import Testing

@testable import Supervisor

@Suite("A mailbox whose thread has ended")
struct ClosedMailboxTests {
  private final class Held: Sendable {}

  @Test("What comes when the thread has ended is not kept, nor what it holds")
  func closed() throws {
    let mailbox = try Mailbox(isRegistered: false)
    weak var early: Held?
    weak var late: Held?
    do {
      let (first, second) = (Held(), Held())
      (early, late) = (first, second)
      mailbox.post { _ in _ = first }
      #expect(!mailbox.isEmpty)

      mailbox.close()
      mailbox.post { _ in _ = second }
    }
    #expect(mailbox.isEmpty)
    #expect(early == nil && late == nil)
  }
}
