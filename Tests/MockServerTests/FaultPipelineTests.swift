import Foundations
import NIOCore
import ScenarioModel
import Testing

@testable import MockServer

@Suite("Toxics on a direction of a link")
struct LinkPipeTests {
  /// What came out of a pipe, and when.
  private struct Arrival: Equatable, CustomStringConvertible {
    var text: String
    var time: Nanoseconds

    var description: String { "\(text)@\(time)" }
  }

  /// Sends texts at instants, lets everything happen that is due, and lists what came out.
  ///
  /// A text `FIN`, `CLOSE` or `RST` is an end.
  private static func send(
    _ sent: [(text: String, time: Nanoseconds)], through kinds: [Toxic.Kind], seed: UInt64 = 1,
    until limit: Nanoseconds = .seconds(1_000)
  ) -> [Arrival] {
    var pipe = FaultPipeline()
    var arrivals: [Arrival] = []
    var output: [LinkSegment] = []
    func record(_ time: Nanoseconds) {
      for item in output {
        let text =
          switch item {
          case .bytes(let buffer): String(buffer: buffer)
          case .end(.half): "FIN"
          case .end(.closed): "CLOSE"
          case .end(.reset): "RST"
          }
        if let last = arrivals.last, last.time == time, item.count > 0, last.text.first != "!" {
          arrivals[arrivals.count - 1].text += text
        } else {
          arrivals.append(Arrival(text: item.count > 0 ? text : "!" + text, time: time))
        }
      }
      output = []
    }
    func advance(to time: Nanoseconds) {
      while let due = pipe.due, due <= time {
        pipe.advance(to: due, into: &output)
        record(due)
      }
    }
    pipe.replaceStages(
      with: kinds.map { Toxic($0) }, stream: .down, random: SplitMix64(seed: seed), at: .zero,
      into: &output)
    record(.zero)
    for (text, time) in sent {
      advance(to: time)
      let ends: [String: LinkEnd] = ["FIN": .half, "CLOSE": .closed, "RST": .reset]
      let item = ends[text].map { LinkSegment.end($0) } ?? .bytes(ByteBuffer(string: text))
      pipe.take(item, at: time, into: &output)
      record(time)
    }
    advance(to: limit)
    return arrivals
  }

  private static func ms(_ count: Int64) -> Nanoseconds { .milliseconds(count) }

  @Test("Without toxics everything comes at once, in order")
  func plain() {
    let arrivals = Self.send([("a", .zero), ("b", Self.ms(5)), ("FIN", Self.ms(5))], through: [])

    #expect(arrivals.map(\.description) == ["a@0s", "b@5ms", "!FIN@5ms"])
  }

  @Test("Latency delays each byte and the end by the same, to the nanosecond")
  func latency() {
    let length = Nanoseconds(2_999_999_999)
    let arrivals = Self.send(
      [("a", .zero), ("b", Nanoseconds(7)), ("CLOSE", Nanoseconds(7))],
      through: [.latency(length, jitter: .zero)])

    #expect(
      arrivals == [
        Arrival(text: "a", time: length), Arrival(text: "b", time: length + Nanoseconds(7)),
        Arrival(text: "!CLOSE", time: length + Nanoseconds(7)),
      ])
  }

  @Test("Jitter is the same for one seed, within its bounds, and never changes the order")
  func jitter() {
    let sent = (0..<100).map { (text: "\($0 % 10)", time: Self.ms(Int64($0) * 10)) }
    let toxic = Toxic.Kind.latency(Self.ms(100), jitter: Self.ms(30))
    let arrivals = Self.send(sent, through: [toxic])

    #expect(arrivals == Self.send(sent, through: [toxic]))
    #expect(arrivals != Self.send(sent, through: [toxic], seed: 2))
    #expect(arrivals.map(\.text).joined() == sent.map(\.text).joined())
    #expect(arrivals.map(\.time) == arrivals.map(\.time).sorted())
    #expect(Set(arrivals.map { $0.time.count % 10_000_000 }).count > 20)
    #expect((arrivals.first?.time ?? .zero) >= Self.ms(70))
    #expect((arrivals.last?.time ?? .zero) <= Self.ms(990 + 130))
  }

  @Test("In which pieces bytes come at one instant does not matter")
  func pieces() {
    let kinds: [[Toxic.Kind]] = [
      [.latency(Self.ms(50), jitter: Self.ms(40))], [.bandwidth(bytesPerSecond: 70)],
      [.slicer(averageSize: 5, sizeVariation: 3, delay: Self.ms(3))],
      [
        .latency(Self.ms(50), jitter: Self.ms(40)), .bandwidth(bytesPerSecond: 70),
        .slicer(averageSize: 5, sizeVariation: 3, delay: Self.ms(3)),
      ],
    ]
    let text = String(repeating: "0123456789", count: 9)
    for kinds in kinds {
      let whole = Self.send([(text, .zero), (text, Self.ms(20))], through: kinds)
      let single = Self.send(
        text.map { (text: String($0), time: .zero) }
          + text.map { (text: String($0), time: Self.ms(20)) }, through: kinds)

      #expect(whole == single, "\(kinds)")
      #expect(whole.map(\.text).joined() == text + text)
    }
  }

  @Test("A line of 32 KiB a second takes two seconds for 64 KiB, exactly")
  func bandwidth() {
    let text = String(repeating: "x", count: 64 << 10)
    let arrivals = Self.send(
      [(text, .zero), ("CLOSE", .zero)], through: [.bandwidth(bytesPerSecond: 32 << 10)])

    #expect(arrivals.last == Arrival(text: "!CLOSE", time: .seconds(2)))
    #expect(arrivals.dropLast().last?.time == .seconds(2))
    #expect(arrivals.map { $0.text.count }.reduce(0, +) == text.count + "!CLOSE".count)
    // Little by little, and never faster than the line.
    #expect(arrivals.count > 20)
    var count = 0
    for arrival in arrivals.dropLast() {
      count += arrival.text.count
      #expect(arrival.time.count >= Int64(count) * 1_000_000_000 / (32 << 10))
    }
  }

  @Test("A line that has been free does not save time up")
  func idleBandwidth() {
    let arrivals = Self.send(
      [("ab", .zero), ("cd", .seconds(10))], through: [.bandwidth(bytesPerSecond: 1)])

    #expect(
      arrivals.map(\.description) == ["a@1s", "b@2s", "c@11s", "d@12s"])
  }

  @Test("The largest rate and the smallest one count right")
  func rates() {
    let text = String(repeating: "x", count: 3)
    let fast = Self.send([(text, .zero)], through: [.bandwidth(bytesPerSecond: 1 << 40)])
    let slow = Self.send([(text, .zero)], through: [.bandwidth(bytesPerSecond: 7)])

    #expect(fast.map(\.description) == ["xxx@1ns"])
    #expect(slow.last?.time == Nanoseconds(428_571_429))
  }

  @Test("A slow close delays the end and nothing else")
  func slowClose() {
    let arrivals = Self.send(
      [("a", .zero), ("CLOSE", Self.ms(1))], through: [.slowClose(delay: .seconds(3))])

    #expect(arrivals.map(\.description) == ["a@0s", "!CLOSE@3.001s"])
  }

  @Test("A timeout lets nothing through and closes; one of zero never does")
  func timeout() {
    let sent = [(text: "a", time: Self.ms(1)), (text: "FIN", time: Self.ms(2))]

    #expect(
      Self.send(sent, through: [.timeout(.seconds(4))]).map(\.description) == ["!CLOSE@4s"])
    #expect(Self.send(sent, through: [.timeout(.zero)]).isEmpty)
  }

  @Test("A reset comes with the first byte, behind so many, or some time after that")
  func reset() {
    func resets(_ timeout: Nanoseconds, _ bytes: Int) -> [String] {
      Self.send(
        [("abcd", .seconds(1)), ("e", .seconds(2))],
        through: [.resetPeer(timeout: timeout, bytes: bytes)]
      ).map(\.description)
    }

    #expect(resets(.zero, 0) == ["!RST@1s"])
    #expect(resets(.seconds(5), 0) == ["!RST@6s"])
    #expect(resets(.zero, 3) == ["abc@1s", "!RST@1s"])
    #expect(resets(.zero, 4) == ["abcd@1s", "!RST@2s"])
    #expect(resets(.zero, 5) == ["abcd@1s", "e@2s"])
  }

  @Test("A limit closes as soon as so many bytes have passed")
  func limit() {
    func limited(_ bytes: Int) -> [String] {
      Self.send(
        [("abcd", .seconds(1)), ("e", .seconds(2))], through: [.limitData(bytes: bytes)]
      ).map(\.description)
    }

    #expect(limited(0) == ["!CLOSE@0s"])
    #expect(limited(3) == ["abc@1s", "!CLOSE@1s"])
    #expect(limited(4) == ["abcd@1s", "!CLOSE@1s"])
    #expect(limited(6) == ["abcd@1s", "e@2s"])
  }

  @Test("A slicer changes no byte, and its delays add up")
  func slicer() {
    let sizes = Self.send(
      [("0123456789", .zero), ("CLOSE", .zero)],
      through: [.slicer(averageSize: 4, sizeVariation: 0, delay: Self.ms(10))])

    #expect(sizes.map(\.description) == ["0123@0s", "4567@10ms", "89@20ms", "!CLOSE@20ms"])
    let varied = Self.send(
      [(String(repeating: "0123456789", count: 100), .zero)],
      through: [.slicer(averageSize: 10, sizeVariation: 5, delay: Self.ms(1))])
    #expect(varied.map(\.text).joined() == String(repeating: "0123456789", count: 100))
    #expect(varied.dropLast().allSatisfy { (5...15).contains($0.text.count) })
    #expect(Set(varied.map(\.text.count)).count > 5)
  }

  @Test("Several toxics work in the order in which they are written")
  func order() {
    let sent = [(text: "abcdef", time: Nanoseconds.zero)]
    let limit = Toxic.Kind.limitData(bytes: 4)
    let latency = Toxic.Kind.latency(.seconds(1), jitter: .zero)
    let slow = Toxic.Kind.slowClose(delay: .seconds(2))

    // Cut first, the end is as late as the bytes; cut behind the delay, it is so as well.
    #expect(
      Self.send(sent, through: [limit, latency]).map(\.description) == ["abcd@1s", "!CLOSE@1s"])
    // A slow close in front of the limit has no end to delay; behind it, it has.
    #expect(
      Self.send(sent, through: [slow, limit]).map(\.description) == ["abcd@0s", "!CLOSE@0s"])
    #expect(
      Self.send(sent, through: [limit, slow]).map(\.description) == ["abcd@0s", "!CLOSE@2s"])
  }

  @Test("What a toxic holds back comes at once, in order, when it is taken away")
  func release() {
    var pipe = FaultPipeline()
    var output: [LinkSegment] = []
    let toxics = [
      Toxic(.latency(.seconds(1), jitter: .zero)), Toxic(.timeout(.zero)),
      Toxic(.timeout(.zero), stream: .up),
    ]
    pipe.replaceStages(
      with: toxics, stream: .down, random: SplitMix64(seed: 1), at: .zero, into: &output)
    pipe.take(.bytes(ByteBuffer(string: "a")), at: .zero, into: &output)
    pipe.advance(to: .seconds(1), into: &output)
    pipe.take(.bytes(ByteBuffer(string: "b")), at: .seconds(1), into: &output)
    #expect(output.isEmpty)
    #expect(pipe.heldCount == 2)
    #expect(pipe.hasActed)

    pipe.replaceStages(
      with: [], stream: .down, random: SplitMix64(seed: 1), at: .seconds(1), into: &output)

    #expect(
      output == [.bytes(ByteBuffer(string: "a")), .bytes(ByteBuffer(string: "b"))])
    #expect(pipe.isPlain)
  }

  @Test("A pipe that is looked at late does everything as of its own instants")
  func late() {
    var pipe = FaultPipeline()
    var output: [LinkSegment] = []
    let toxics = [
      Toxic(.latency(.seconds(1), jitter: .zero)), Toxic(.bandwidth(bytesPerSecond: 1)),
    ]
    pipe.replaceStages(
      with: toxics, stream: .down, random: SplitMix64(seed: 1), at: .zero, into: &output)
    pipe.take(.bytes(ByteBuffer(string: "abc")), at: .zero, into: &output)

    pipe.advance(to: Nanoseconds(3_999_999_999), into: &output)

    #expect(output.map(\.count) == [1, 1])
    #expect(pipe.due == .seconds(4))
  }
}
