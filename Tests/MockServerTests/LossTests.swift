import FaultEngine
import Foundations
import NIOCore
import ScenarioModel
import Testing

@testable import MockServer

@Suite("Lost packets between hosts")
struct LossTests {
  /// What comes, and when, of bytes that are sent at once in pieces.
  private func arrivals(
    of length: Int, in pieces: Int, loss: Double, seed: UInt64
  ) -> (bytes: Int, times: [Nanoseconds], hasEnded: Bool) {
    var line = RelayedLine()
    var output: [LinkSegment] = []
    line.replaceFaults(
      with: [Toxic(.loss(loss), stream: .both)], stream: .up, random: SplitMix64(seed: seed),
      at: .zero, into: &output)
    for _ in 0..<pieces {
      line.take(
        .bytes(ByteBuffer(repeating: 7, count: length / pieces)), at: .zero, into: &output)
    }
    line.take(.end(.half), at: .zero, into: &output)
    var times = [Nanoseconds](repeating: .zero, count: output.reduce(0) { $0 + $1.count })
    while let due = line.due {
      let before = output.count
      line.advance(to: due, into: &output)
      let count = output[before...].reduce(0) { $0 + $1.count }
      times += [Nanoseconds](repeating: due, count: count)
    }
    return (output.reduce(0) { $0 + $1.count }, times, output.last == .end(.half))
  }

  @Test("All bytes come in order, those that were lost later, however they were cut into pieces")
  func streams() {
    let whole = arrivals(of: 144_800, in: 1, loss: 0.1, seed: 3)
    #expect(whole.bytes == 144_800 && whole.hasEnded)
    #expect(whole.times.first == .zero && (whole.times.last ?? .zero) >= .milliseconds(200))
    #expect(whole.times == arrivals(of: 144_800, in: 100, loss: 0.1, seed: 3).times)
    #expect(whole.times == arrivals(of: 144_800, in: 200, loss: 0.1, seed: 3).times)
    #expect(whole.times != arrivals(of: 144_800, in: 1, loss: 0.1, seed: 4).times)
    let unharmed = arrivals(of: 144_800, in: 7, loss: 0, seed: 3).times
    #expect(unharmed.allSatisfy { $0 == .zero })
  }

  @Test(
    "What comes before there is room waits, and goes in as there is, in whatever pieces it comes")
  func room() {
    let length = 12_000_000
    let times = [1, 96, 1_000].map { arrivals(of: length, in: $0, loss: 0.02, seed: 3).times }
    let count = times[0].count
    #expect(count == length)
    // Millions of instants are too many to be shown.
    let areAlike = times[0] == times[1] && times[0] == times[2]
    #expect(areAlike)
    // Without room for more than so much, each lost packet of 200 milliseconds is waited for.
    let last = times[0].last ?? .zero
    #expect(last > .seconds(1))
  }

  @Test("Behind a line that is cut no more goes in than there is room for")
  func cut() {
    func instants(pieces: Int) -> [Nanoseconds] {
      var line = RelayedLine()
      var output: [LinkSegment] = []
      line.replaceFaults(
        with: [Toxic(.latency(.milliseconds(10), jitter: .zero), stream: .both)], stream: .up,
        random: SplitMix64(seed: 1), at: .zero, into: &output)
      line.setCut(true, at: .zero)
      for _ in 0..<pieces {
        line.take(
          .bytes(ByteBuffer(repeating: 7, count: 3_000_000 / pieces)), at: .zero, into: &output)
      }
      line.advance(to: .milliseconds(100), into: &output)
      #expect(output.isEmpty)
      line.setCut(false, at: .milliseconds(100))
      var times: [Nanoseconds] = []
      while let due = line.due {
        let before = output.count
        line.advance(to: due, into: &output)
        let count = output[before...].reduce(0) { $0 + $1.count }
        times += [Nanoseconds](repeating: due, count: count)
      }
      let count = times.count
      #expect(count == 3_000_000)
      return times
    }
    let whole = instants(pieces: 1)
    let areAlike = whole == instants(pieces: 100)
    #expect(areAlike)
    let first = whole.count { $0 == whole.first }
    #expect(first == 1 << 20)
  }

  @Test("Of datagrams about as many are lost and doubled as was asked for, and some are faster")
  func datagrams() {
    func arrivals(_ kinds: [Toxic.Kind]) -> [[Nanoseconds]] {
      var faults = DatagramFaults(kinds.map { Toxic($0) }, random: SplitMix64(seed: 5))
      return (0..<1_000).map { faults.arrivals(of: 100, at: .milliseconds(Int64($0))) }
    }
    let lost = arrivals([.loss(0.3)]).count { $0.isEmpty }
    #expect((250...350).contains(lost))
    let doubled = arrivals([.duplicate(0.2)]).count { $0.count == 2 }
    #expect((150...250).contains(doubled))
    let silent = arrivals([.timeout(.zero)])
    #expect(silent.allSatisfy { $0.isEmpty })
    let late = arrivals([.latency(.seconds(1), jitter: .milliseconds(500))]).compactMap(\.first)
    #expect(late == late.sorted() && late.count == 1_000)
    let mixed = arrivals([.latency(.seconds(1), jitter: .zero), .reorder(0.1)]).compactMap(\.first)
    let faster = zip(0..<1_000, mixed).count { $1 == .milliseconds(Int64($0)) }
    #expect((60...140).contains(faster))
    let thin = arrivals([.bandwidth(bytesPerSecond: 1_000)]).compactMap(\.first)
    #expect(thin.first == .milliseconds(100) && thin.last == .seconds(100))
  }
}
