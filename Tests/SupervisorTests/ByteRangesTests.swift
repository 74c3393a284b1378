import Testing

@testable import Supervisor

@Suite("Sets of bytes")
struct ByteRangesTests {
  @Test("Ranges that meet are one, and what is taken out of one leaves two")
  func ranges() {
    var bytes = ByteRanges()
    bytes.insert(10..<20)
    bytes.insert(30..<40)
    bytes.insert(20..<25)
    bytes.insert(5..<5)
    #expect(bytes.ranges == [10..<25, 30..<40])
    bytes.remove(12..<14)
    #expect(bytes.ranges == [10..<12, 14..<25, 30..<40])
    #expect(bytes.within(11..<31) == [11..<12, 14..<25, 30..<31])
    #expect(bytes.missing(in: 0..<50) == [0..<10, 12..<14, 25..<30, 40..<50])
    bytes.insert(0..<100)
    #expect(bytes.ranges == [0..<100])
    bytes.remove(0..<Int64.max)

    #expect(bytes.isEmpty)
    #expect(bytes.missing(in: 3..<3) == [])
  }
}
