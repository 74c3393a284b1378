import Foundations
import Testing

@testable import Supervisor

@Suite("What disturbs a call")
struct WaitInterruptionTests {
  private func wait(_ kind: TimedWait.Kind) -> TimedWait {
    TimedWait(
      kind: kind, deadline: .monotonic(.seconds(1)), requested: .seconds(1), entry: Registers())
  }

  @Test("The kernel's restart code is that of the timed form")
  func restartCodes() {
    #expect(wait(.messageQueue).restart(after: -512) == -512)
    #expect(wait(.futex(.waitVector)).restart(after: -512) == -512)
    #expect(wait(.futex(.waitRequeue)).restart(after: -513) == -513)
    #expect(wait(.futex(.wait)).restart(after: -512) == -514)
    #expect(wait(.semaphores).restart(after: -4) == -514)
    #expect(wait(.datagrams(timeout: 8)).restart(after: -512) == -512)
    // A socket with a timeout of its own.
    #expect(wait(.datagrams(timeout: 8)).restart(after: -4) == -514)
  }

  @Test("A stop ends some calls, lets others begin anew, and most go on")
  func stops() {
    #expect(wait(.epoll).effectOfStop(code: -514) == .fails)
    #expect(wait(.poll).effectOfStop(code: -514) == .goesOn)
    #expect(wait(.timedPoll(timeout: 8)).effectOfStop(code: -514) == .startsWithRest)
    #expect(wait(.maskedEvents).effectOfStop(code: -514) == .startsAnew)
    #expect(wait(.datagrams(timeout: 8)).effectOfStop(code: -512) == .startsAnew)
    #expect(wait(.datagrams(timeout: 8)).effectOfStop(code: -514) == .fails)
  }

  @Test("What a wait returns when its time is up")
  func expiry() {
    #expect(wait(.messageQueue).resultOnExpiry == -110)
    #expect(wait(.semaphores).resultOnExpiry == -11)
    #expect(wait(.signals).resultOnExpiry == -11)
    #expect(wait(.events).resultOnExpiry == 0)
  }

  private func blockedCall(_ text: String) -> BlockedCall? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let bytes = Array(text.utf8)
      _ = buffer.update(fromContentsOf: bytes)
      return BlockedCall(text: buffer[..<bytes.count])
    }
  }

  @Test("The call in which a thread sleeps is read from its file of /proc")
  func blockedCalls() throws {
    let call = try #require(
      blockedCall("45 0x3 0x7ffc0a 0xa 0x0 0x0 0xffffffffffffffff 0x7ffc00 0x7f0000\n"))

    #expect(call.number == 45)
    #expect(call.arguments == [3, 0x7ffc0a, 10, 0, 0, .max])
    #expect(blockedCall("running\n") == nil)
    #expect(blockedCall("-1 0x7ffc00 0x7f0000\n") == nil)
    #expect(blockedCall("") == nil)
  }

  @Test("Each call uses its socket in one direction, a splice either of two")
  func uses() throws {
    func uses(_ number: Int) throws -> [SocketUse] {
      let text = "\(number) 0x3 0x0 0x4 0x0 0x0 0x0 0x0 0x0\n"
      return SocketUse.candidates(try #require(blockedCall(text)))
    }

    #expect(try uses(0) == [SocketUse(descriptor: 3, direction: .receive)])
    #expect(try uses(1) == [SocketUse(descriptor: 3, direction: .send)])
    #expect(try uses(42) == [SocketUse(descriptor: 3, direction: .connect)])
    #expect(
      try uses(275) == [
        SocketUse(descriptor: 3, direction: .receive, pipe: 4),
        SocketUse(descriptor: 4, direction: .send, pipe: 3),
      ])
    #expect(try uses(35) == [])
  }
}
