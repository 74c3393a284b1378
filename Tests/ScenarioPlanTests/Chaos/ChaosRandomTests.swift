@testable import FaultEngine
@testable import Foundations
import ScenarioModel
import Testing

@Suite("Chance in chaos")
struct ChaosRandomTests {
  @Test("The hash and the generator are the known ones")
  func vectors() {
    func hash(_ text: String) -> UInt64 {
      var key = StreamKey()
      key.add(text)
      return key.value
    }
    var stream = SplitMix64(seed: 0)

    #expect(hash("") == 0xcbf2_9ce4_8422_2325)
    #expect(hash("a") == 0xaf63_dc4c_8601_ec8c)
    #expect(hash("foobar") == 0x8594_4171_f739_67e8)
    #expect(stream.next() == 0xe220_a839_7b1d_cdaf)
    #expect(stream.next() == 0x6e78_9e6a_a1b9_65f4)
    #expect(stream.next() == 0x06c4_5d18_8009_454f)
  }

  @Test("A number goes into a key as its digits", arguments: [0, 7, 10, 42, -1, .max, .min])
  func digits(number: Int64) {
    var written = StreamKey()
    var key = StreamKey()
    written.add("\(number)")
    key.add(decimal: number)

    #expect(key == written)
  }

  private func draws(_ entries: String, seed: Int64 = 0, count: Int = 20) throws -> [String?] {
    var table = try FaultRuleSet.of(entries, seed: seed)
    return (0..<count).map { _ in table.meet("read") }
  }

  private let random = "  - { name: r, call: read, provide: { random: [0, 1000000] } }"

  @Test("The same seed draws the same, another one others, and each call its own")
  func seeds() throws {
    let first = try draws(random)

    #expect(try draws(random) == first)
    #expect(try draws(random, seed: 1) != first)
    #expect(Set(first).count > 15)
  }

  @Test("Another entry before it moves no draw")
  func independence() throws {
    let other =
      "  - { name: o, call: read, when: { probability: 0.5, skip: 100 }, provide: nil }\n"

    #expect(try draws(other + random) == draws(random))
  }

  @Test("Within a sequence chance goes on, and does not begin again")
  func nested() throws {
    let nested = try draws(
      "  - { name: r, call: read, provide: { sequence: [original, { random: [0, 1000000] }] } }")

    #expect(nested[0] == nil)
    #expect(Set(nested.dropFirst()).count > 15)
  }

  @Test("Another seed with a step draws others from there")
  func reseeding() throws {
    var table = try FaultRuleSet.of(random)
    let first = (0..<5).map { _ in table.meet("read") }
    table.apply(.entry("r"), seed: nil)
    let again = (0..<5).map { _ in table.meet("read") }
    table.apply(.entry("r"), seed: 99)
    let other = (0..<5).map { _ in table.meet("read") }

    #expect(again == first)
    #expect(other != first)
  }

  @Test("A probability is met about as often as it says, and draws nothing from the provider")
  func probability() throws {
    let half =
      "  - { name: r, call: read, when: { probability: 0.25 }, provide: { random: [0, 1000000] } }"
    let taken = try draws(half, count: 4_000)
    let all = try draws(random, count: 4_000)
    let count = taken.count { $0 != nil }

    #expect((800...1_200).contains(count), "\(count)")
    #expect(zip(taken, all).allSatisfy { $0 == nil || $0 == $1 })
  }

  @Test("A random error is one of those that are listed, each for its own call")
  func errors() throws {
    let listed = try draws("  - { call: read, provide: { random: { error: [EIO, EINTR] } } }")
    #expect(Set(listed) == ["EIO", "EINTR"])

    var table = try FaultRuleSet.of(
      "  - { call: [fsync, connect], provide: { random: { error: documented } } }")
    let syncs = Set((0..<40).map { _ in table.meet("fsync") })
    let connects = Set((0..<40).map { _ in table.meet("connect") })
    #expect(syncs.contains("EIO") && !syncs.contains("ECONNREFUSED"))
    #expect(connects.contains("ECONNREFUSED") && !connects.contains("EIO"))
  }

  @Test("A range is drawn from end to end, whatever its width")
  func ranges() {
    var stream = SplitMix64(seed: 5)
    let small = Set((0..<200).map { _ in stream.next(in: -1...1) })

    #expect(small == [-1, 0, 1])
    #expect(stream.next(in: 7...7) == 7)
    #expect(Set((0..<9).map { _ in stream.next(in: .min ... .max) }).count == 9)
  }
}
