import Foundations
import Testing

@testable import FaultEngine

@Suite("Bits that are flipped")
struct FlippedBitsTests {
  private func choose(
    _ number: Int, among count: Int, at place: Int? = nil, seed: UInt64 = 0
  ) -> [FlippedBits.Bit] {
    var random = SplitMix64(seed: seed)
    return FlippedBits.choose(number, among: count, at: place, &random)
  }

  @Test("No bit is flipped twice, which would change nothing", arguments: 0..<64 as Range<UInt64>)
  func different(seed: UInt64) {
    for (number, count) in [(2, 1), (7, 1), (5, 3), (40, 6)] {
      let bits = choose(number, among: count, seed: seed)
      #expect(bits.count == number)
      #expect(Set(bits).count == number)
      #expect(bits.allSatisfy { (0..<count).contains($0.byte) && $0.bit < 8 })
    }
    let ofByte = choose(2, among: 9, at: 4, seed: seed)
    #expect(Set(ofByte).count == 2)
    #expect(ofByte.allSatisfy { $0.byte == 4 && $0.bit < 8 })
  }

  @Test(
    "Where there are fewer bits than are asked for, all are flipped, and none where there are none")
  func all() {
    #expect(Set(choose(100, among: 2)).count == 16)
    #expect(Set(choose(9, among: 5, at: 3)).count == 8)
    #expect(choose(9, among: 5, at: 3).allSatisfy { $0.byte == 3 })
    #expect(choose(1, among: 5, at: 5).isEmpty)
    #expect(choose(1, among: 0).isEmpty)
    #expect(choose(1, among: Int.max).count == 1)
  }

  @Test("The seed decides, by one draw of a byte and one of a bit")
  func draws() {
    var random = SplitMix64(seed: 7)
    let expected = FlippedBits.Bit(
      byte: Int(random.next(below: 100)), bit: UInt8(random.next(below: 8)))

    #expect(choose(1, among: 100, seed: 7) == [expected])
    #expect(choose(3, among: 100, seed: 7) == choose(3, among: 100, seed: 7))
  }
}
