import FaultEngine
import Foundations
import Testing

@testable import MockServer

@Suite("Clients that get no answer")
struct HandshakeTimerTests {
  /// When a client asks once more, and gives up, in milliseconds, where options are replaced behind some time.
  private func times(
    _ timeouts: TCPTimeouts, then later: (after: Int64, timeouts: TCPTimeouts)? = nil
  ) -> (asked: [Int64], end: Int64) {
    var timer = HandshakeTimer(timeouts)
    var asked: [Int64] = []
    while true {
      let now = timer.due
      if let later, now > .milliseconds(later.after) { timer.timeouts = later.timeouts }
      let time = now.count / 1_000_000
      guard case .asks = timer.expire() else { return (asked, time) }
      asked.append(time)
    }
  }

  private func user(_ milliseconds: Int64) -> TCPTimeouts {
    TCPTimeouts(user: .milliseconds(milliseconds))
  }

  @Test("A client asks once more, and gives up, when Linux does")
  func usual() {
    let times = times(TCPTimeouts())
    #expect(times.asked == [1, 2, 3, 4, 5, 7, 11, 19, 35, 67].map { $0 * 1_000 })
    #expect(times.end == 131_000)
  }

  @Test(
    "A client gives up earlier, and never later, if its socket says so",
    arguments: [
      (1, nil, 3_000, 2), (2, nil, 7_000, 5), (3, nil, 19_000, 7), (4, nil, 35_000, 8),
      (nil, 500, 1_000, 1), (nil, 2_500, 2_500, 2), (nil, 30_000, 30_000, 8), (1, 20_000, 7_000, 5),
      (3, 2_000, 2_000, 1), (nil, 200_000, 131_000, 10),
    ] as [(Int?, Int64?, Int64, Int)])
  func options(retries: Int?, user: Int64?, end: Int64, count: Int) {
    let times = times(
      TCPTimeouts(handshakeRetries: retries, user: user.map { .milliseconds($0) }))
    #expect(times.end == end)
    #expect(times.asked.count == count)
  }

  @Test("Options that come while it waits count from when its timer runs out")
  func later() {
    // The timer that is running runs on.
    #expect(times(TCPTimeouts(), then: (20_000, user(5_000))).end == 35_000)
    #expect(times(TCPTimeouts(), then: (2_000, user(10_000))).end == 10_000)
    #expect(times(TCPTimeouts(), then: (70_000, user(200_000))).end == 131_000)
    #expect(times(TCPTimeouts(), then: (500, TCPTimeouts(handshakeRetries: 1))).end == 3_000)
    // What would have been the end is a time to ask once more.
    let raised = times(user(10_000), then: (8_000, user(30_000)))
    #expect(raised.asked == [1, 2, 3, 4, 5, 7, 10, 18].map { $0 * 1_000 })
    #expect(raised.end == 30_000)
    let taken = times(user(10_000), then: (8_000, TCPTimeouts()))
    #expect(taken.asked == [1, 2, 3, 4, 5, 7, 10, 18, 34, 66].map { $0 * 1_000 })
    #expect(taken.end == 130_000)
  }
}
