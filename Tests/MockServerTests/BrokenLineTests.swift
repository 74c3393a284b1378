import FaultEngine
import Foundations
import NIOCore
import Testing

@testable import MockServer

@Suite("Lines between hosts that are cut off from each other")
struct BrokenLineTests {
  private func bytes(_ text: String) -> LinkSegment { .bytes(ByteBuffer(string: text)) }

  /// What comes out at an instant.
  private func advance(_ line: inout BrokenLine, to now: Nanoseconds) -> [LinkSegment] {
    var output: [LinkSegment] = []
    line.advance(to: now, into: &output)
    return output
  }

  private func take(
    _ item: LinkSegment, _ line: inout BrokenLine, at now: Nanoseconds
  ) -> [LinkSegment] {
    var output: [LinkSegment] = []
    line.take(item, at: now, into: &output)
    return output
  }

  @Test("TCP sends again when Linux does")
  func schedules() {
    let data = RetransmissionSchedule.data
    #expect(data.instants.count == 15)
    #expect(Array(data.instants.prefix(4)) == [200, 600, 1_400, 3_000].map { .milliseconds($0) })
    #expect(data.end == .milliseconds(924_600))
    #expect(data.next(from: .milliseconds(601)) == .milliseconds(1_400))
    #expect(data.next(from: .milliseconds(600)) == .milliseconds(600))
    #expect(data.next(from: .seconds(900)) == nil)
  }

  @Test("What is sent over a line that is whole comes at once")
  func whole() {
    var line = BrokenLine()
    #expect(line.isPlain && line.due == nil)
    #expect(take(bytes("a"), &line, at: .zero) == [bytes("a")])
    #expect(take(.end(.half), &line, at: .zero) == [.end(.half)])
  }

  @Test("What is sent over a cut line comes in order, once it is sent again behind the mending")
  func held() {
    var line = BrokenLine()
    line.setCut(true, at: .seconds(5))
    #expect(line.due == nil && !line.isPlain)
    #expect(take(bytes("a"), &line, at: .seconds(10)).isEmpty)
    #expect(take(bytes("b"), &line, at: .seconds(12)).isEmpty)
    #expect(take(.end(.half), &line, at: .seconds(12)).isEmpty)
    #expect(line.heldCount == 2 && line.due == .milliseconds(934_600))
    line.setCut(false, at: .milliseconds(13_500))
    #expect(line.due == .milliseconds(16_200))
    #expect(take(.end(.reset), &line, at: .seconds(14)).isEmpty)
    #expect(advance(&line, to: .milliseconds(16_199)).isEmpty)
    #expect(
      advance(&line, to: .milliseconds(16_200))
        == [bytes("a"), bytes("b"), .end(.half), .end(.reset)])
    #expect(line.isPlain && line.due == nil && line.heldCount == 0)
  }

  @Test("A line that is cut once more before anything was sent again holds it back")
  func cutAgain() {
    var line = BrokenLine()
    line.setCut(true, at: .zero)
    _ = take(bytes("a"), &line, at: .zero)
    line.setCut(false, at: .milliseconds(250))
    #expect(line.due == .milliseconds(600))
    line.setCut(true, at: .milliseconds(300))
    #expect(advance(&line, to: .seconds(1)).isEmpty)
    line.setCut(false, at: .seconds(1))
    #expect(advance(&line, to: .milliseconds(1_400)) == [bytes("a")])
  }

  @Test("A sender that nobody answers for long enough gives up, and nothing comes any more")
  func expired() {
    var line = BrokenLine()
    line.setCut(true, at: .zero)
    _ = take(bytes("a"), &line, at: .seconds(1))
    #expect(advance(&line, to: .milliseconds(925_599)).isEmpty && !line.hasExpired)
    #expect(advance(&line, to: .milliseconds(925_600)).isEmpty && line.hasExpired)
    line.setCut(false, at: .seconds(1_000))
    #expect(take(bytes("b"), &line, at: .seconds(1_001)).isEmpty)
    #expect(line.heldCount == 0 && line.due == nil)
  }

  @Test("A sender with a timeout of its own gives up when that has passed")
  func userTimeout() {
    var line = BrokenLine()
    line.userTimeout = .seconds(30)
    line.setCut(true, at: .zero)
    _ = take(bytes("a"), &line, at: .seconds(1))
    #expect(line.due == .seconds(31))
    line.setCut(false, at: .seconds(26))
    #expect(line.due == .milliseconds(26_400))
    line.setCut(true, at: .seconds(26))
    #expect(advance(&line, to: .seconds(31)).isEmpty && line.hasExpired)

    var hurried = BrokenLine()
    hurried.userTimeout = .milliseconds(1)
    hurried.setCut(true, at: .zero)
    _ = take(bytes("a"), &hurried, at: .zero)
    #expect(hurried.due == .milliseconds(200))
  }

  @Test("Probes of an idle connection end it after as many as are lost")
  func probes() throws {
    let keepAlive = TCPTimeouts.KeepAlive(idle: .seconds(10), interval: .seconds(3), count: 2)
    var probes = try #require(
      KeepAliveProbes(TCPTimeouts(keepAlive: keepAlive), at: .zero, isCut: false))
    #expect(probes.end == nil)
    // Probes after 10 and 20 seconds are answered.
    probes.setCut(true, at: .seconds(25))
    #expect(probes.end == .seconds(36))
    // That after 30 is lost, that after 33 is answered.
    probes.setCut(false, at: .seconds(32))
    #expect(probes.end == nil)
    probes.setCut(true, at: .seconds(34))
    #expect(probes.end == .seconds(49))
    probes.hear(at: .seconds(40))
    #expect(probes.end == .seconds(56))
    // Years pass at once.
    probes.setCut(false, at: .seconds(41))
    probes.setCut(true, at: .seconds(1_000_000_005))
    #expect(probes.end == .seconds(1_000_000_016))

    for (user, end) in [(1_000, 13), (14_000, 16), (16_500, 19)] as [(Int64, Int64)] {
      let timeouts = TCPTimeouts(user: .milliseconds(user), keepAlive: keepAlive)
      #expect(KeepAliveProbes(timeouts, at: .zero, isCut: true)?.end == .seconds(end))
    }
    #expect(KeepAliveProbes(TCPTimeouts(), at: .zero, isCut: false) == nil)
  }

  @Test("Hosts of different groups are cut off from each other, and who is in none is not")
  func groups() {
    let partition = HostPartition(name: nil, groups: [0: 0, 1: 1, 2: 1])
    #expect(partition.separates(0, 1) && partition.separates(2, 0))
    #expect(!partition.separates(1, 2) && !partition.separates(0, 3) && !partition.separates(3, 3))
  }
}
