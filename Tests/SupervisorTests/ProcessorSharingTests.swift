import Foundations
import Testing

@testable import Supervisor

@Suite("Who else wants the supervisor's processor")
struct ProcessorSharingTests {
  @Test("A turn of milliseconds is that of others, and is remembered for a while")
  func contended() {
    var sharing = ProcessorSharing()
    let start = Nanoseconds.seconds(7)
    sharing.record(turnFrom: start, to: start + .microseconds(100))
    #expect(!sharing.isContended(now: start + .milliseconds(1)))

    sharing.record(turnFrom: start, to: start + .milliseconds(3))
    #expect(sharing.isContended(now: start + .milliseconds(4)))
    #expect(sharing.isContended(now: start + .milliseconds(200)))
    #expect(!sharing.isContended(now: start + .milliseconds(300)))
  }
}
