import Testing

@testable import Supervisor

@Suite("Streams of random bytes")
struct EntropyStreamTests {
  @Test("A byte depends on its place alone, however many are drawn at once")
  func places() {
    var whole = EntropyStream(seed: 7, processOrdinal: 3)
    let expected = whole.bytes(100)

    var parts = EntropyStream(seed: 7, processOrdinal: 3)
    var drawn: [UInt8] = []
    for count in [1, 2, 3, 5, 8, 13, 21, 34, 13] { drawn += parts.bytes(count) }

    #expect(drawn == expected)
    #expect(parts.position == 100)
  }

  @Test("Another seed and another process have other bytes")
  func keys() {
    var all: Set<[UInt8]> = []
    for seed in [Int64.min, -1, 0, 1, 2, 7, .max] {
      for ordinal in 1...40 {
        var stream = EntropyStream(seed: seed, processOrdinal: ordinal)
        all.insert(stream.bytes(8))
      }
    }

    #expect(all.count == 280)
  }

  @Test("Every value of a byte comes about as often as any other")
  func distribution() {
    var stream = EntropyStream(seed: 0, processOrdinal: 1)
    var counts = [Int](repeating: 0, count: 256)
    for byte in stream.bytes(256_000) { counts[Int(byte)] += 1 }

    // Seven standard deviations of a binomial distribution around 1000.
    #expect(counts.allSatisfy { abs($0 - 1_000) < 220 })
  }

  @Test("A UUID says that it is a random one")
  func identifiers() throws {
    var stream = EntropyStream(seed: 0, processOrdinal: 1)
    let first = String(decoding: stream.identifierLine(), as: UTF8.self)
    let second = String(decoding: stream.identifierLine(), as: UTF8.self)

    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n/
    #expect(try form.wholeMatch(in: first) != nil)
    #expect(try form.wholeMatch(in: second) != nil)
    #expect(first != second)
  }
}
