import Foundations
import Testing

@testable import Supervisor

@Suite("The time stamp counter")
struct TimestampCounterTests {
  @Test("It shows how much time has passed, from its start and at its rate")
  func passed() {
    var counter = TimestampCounter(start: 1_000_000, rate: 2.5)
    let first = counter.read(elapsed: .zero)
    let second = counter.read(elapsed: .seconds(1))
    let later = counter.read(elapsed: .seconds(31_557_600))

    #expect((1_000_000..<1_001_000).contains(first))
    #expect((2_500_000_000..<2_500_001_000).contains(second - first))
    #expect((later - second) / 2_500_000_000 == 31_557_599)
  }

  @Test("Readings at one instant are larger each time, and at no regular distance")
  func irregular() {
    var counter = TimestampCounter()
    let readings = (0..<900).map { _ in counter.read(elapsed: .seconds(5)) }
    let distances = zip(readings.dropFirst(), readings).map { $0 - $1 }

    #expect(distances.allSatisfy { $0 > 0 && $0 < 1_000 })
    #expect(zip(distances.dropFirst(), distances).count { $0 == $1 } < 90)
  }

  @Test("A loop that waits for it ends, however long it waits")
  func waiting() {
    var counter = TimestampCounter()
    let begin = counter.read(elapsed: .zero)
    var count = 1
    while count < 20_000, counter.read(elapsed: .zero) - begin < 10_000_000_000 { count += 1 }

    #expect((1_000..<15_000).contains(count))
  }

  @Test("Who has read it at many instants has not read it over and over")
  func readings() {
    var readings = ReadingsAtInstant()
    for second in 0..<5_000 { readings.add(at: .seconds(Int64(second))) }
    #expect(!readings.areMany(at: .seconds(4_999)))

    for _ in 0..<ReadingsAtInstant.limit { readings.add(at: .seconds(4_999)) }
    #expect(readings.areMany(at: .seconds(4_999)))
    #expect(!readings.areMany(at: .seconds(5_000)))
  }

  @Test(
    "Both of its instructions are recognised, also behind prefixes",
    arguments: [
      ([0x0f, 0x31], true), ([0x0f, 0x31, 0x90, 0x90], true), ([0x0f, 0x01, 0xf9], true),
      ([0x48, 0x0f, 0x31], true), ([0xf2, 0x48, 0x0f, 0x01, 0xf9], true), ([0x0f, 0x30], false),
      ([0x0f, 0x01, 0xf8], false), ([0x90, 0x0f, 0x31], false), ([0x0f], false), ([], false),
    ] as [([UInt8], Bool)])
  func instructions(bytes: [UInt8], isOne: Bool) {
    #expect((CounterInstruction(bytes) != nil) == isOne)
  }
}
