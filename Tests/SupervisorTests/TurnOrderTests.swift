import Foundations
import Testing

@testable import Supervisor

@Suite("Whose turn it is")
struct TurnOrderTests {
  /// Whom an order chooses among a number of threads, and where it lets a turn pass.
  private func choices(seed: Int64, among count: Int, rounds: Int = 200) -> [Int] {
    var order = TurnOrder(seed: seed)
    return (0..<rounds).map { _ in order.mayChange() ? order.next(among: count) : -1 }
  }

  @Test("The same seed makes the same choices, another one makes others")
  func seeds() {
    #expect(choices(seed: 7, among: 5) == choices(seed: 7, among: 5))
    #expect(choices(seed: 7, among: 5) != choices(seed: 8, among: 5))
  }

  @Test("Everybody is chosen in the end, and whoever is alone at once", arguments: [1, 2, 20])
  func fairness(count: Int) {
    var order = TurnOrder(seed: 1)
    let chosen = (0..<count * 100).map { _ in order.next(among: count) }

    #expect(Set(chosen) == Set(0..<count))
    #expect(order.count == UInt64(count * 100))
  }

  @Test("Whoever is alone takes nothing from the choices of others")
  func alone() {
    var order = TurnOrder(seed: 3)
    var other = TurnOrder(seed: 3)
    for _ in 0..<50 {
      _ = other.next(among: 1)
      #expect(order.next(among: 9) == other.next(among: 9))
    }
  }

  @Test("What has happened is one number, in which each part and the order count")
  func digest() {
    func digest(_ events: [(thread: Int, call: Int, result: Int?, now: Int64)]) -> UInt64 {
      var order = TurnOrder(seed: 1)
      for event in events {
        order.record(
          thread: event.thread, call: event.call, result: event.result,
          now: .init(event.now))
      }
      return order.digest
    }
    let first = (thread: 1, call: 202, result: nil as Int?, now: 5 as Int64)
    let second = (thread: 2, call: 0, result: 17 as Int?, now: 6 as Int64)

    #expect(digest([first, second]) == digest([first, second]))
    let others = [
      [second, first], [first], [first, (2, 0, 18, 6)], [first, (2, 0, nil, 6)],
      [first, (2, 1, 17, 6)], [first, (3, 0, 17, 6)], [first, (2, 0, 17, 7)],
    ]
    #expect(Set(others.map(digest) + [digest([first, second])]).count == others.count + 1)
  }
}

@Suite("Events that come before a thread has its turn")
struct EventGatheringTests {
  /// The bytes of an event as x86-64 has it: its kinds and what the program has given, packed.
  private func event(_ kinds: UInt32, _ data: UInt64) -> [UInt8] {
    withUnsafeBytes(of: kinds.littleEndian, Array.init)
      + withUnsafeBytes(of: data.littleEndian, Array.init)
  }

  @Test("Further events come behind those that were told, each descriptor once with all its kinds")
  func merging() {
    var bytes = event(1, 5) + event(1, 6) + event(0x10, 5) + event(4, 9) + event(1, 9)

    #expect(EventGathering.merge(&bytes, told: 2) == 3)
    #expect(Array(bytes.prefix(36)) == event(0x11, 5) + event(1, 6) + event(5, 9))
  }

  @Test("Where nothing else has come, nothing changes")
  func nothing() {
    var bytes = event(1, 5) + event(1, 6)
    let before = bytes

    #expect(EventGathering.merge(&bytes, told: 2) == 2)
    #expect(bytes == before)
  }

  @Test(
    "Events can be told apart where a set has each datum once",
    arguments: [
      (
        "pos:\t0\ntfd:        5 events:       19 data:                5  pos:0 ino:1 sdev:f\n", true
      ),
      ("pos:\t0\nflags:\t02\n", true),
      ("tfd: 5 events: 19 data: 7  pos:0\ntfd: 6 events: 19 data: 8  pos:0\n", true),
      ("tfd: 5 events: 19 data: 7  pos:0\ntfd: 6 events: 19 data: 7  pos:0\n", false),
      ("tfd: 5 events: 19\n", false),
    ])
  func distinctData(information: String, isDistinct: Bool) {
    #expect(EventGathering.hasDistinctData(information) == isDistinct)
  }
}

@Suite("Messages to a supervisor")
struct MailboxTests {
  @Test("Looks are taken without actions, but none that came behind one")
  func looks() throws {
    let mailbox = try Mailbox(isRegistered: false)
    mailbox.post(isLook: true) { _ in }
    mailbox.post(isLook: true) { _ in }
    #expect(!mailbox.hasActions)
    mailbox.post { _ in }
    mailbox.post(isLook: true) { _ in }

    #expect(mailbox.hasActions)
    #expect(mailbox.take(looksOnly: true).count == 2)
    #expect(mailbox.take(looksOnly: true).isEmpty)
    #expect(mailbox.take().count == 2)
    #expect(mailbox.isEmpty && !mailbox.hasActions)
  }
}
