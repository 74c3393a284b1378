import Testing

@testable import Supervisor

@Suite("Questions for a name server in a target's memory")
struct QuestionInMemoryTests {
  /// A query for an address, as glibc writes it.
  private static func query(
    _ labels: [String], flags: [UInt8] = [1, 0], counts: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0],
    type: [UInt8] = [0, 1]
  ) -> [UInt8] {
    [0x12, 0x34] + flags + counts + labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
      + type + [0, 1]
  }

  @Test("A question is read at its place and nowhere else")
  func question() {
    let bytes = [0, 0, 7] + Self.query(["Foo", "example", "com"]) + [9, 9]

    #expect(QuestionInMemory.name(in: bytes, at: 3) == "foo.example.com")
    let others = bytes.indices.filter { $0 != 3 && QuestionInMemory.name(in: bytes, at: $0) != nil }
    #expect(others == [])
  }

  @Test(
    "What only looks like one is none",
    arguments: [
      query(["a"], flags: [0x81, 0]), query(["a"], flags: [0, 0]), query(["a"], flags: [1, 3]),
      query(["a"], counts: [0, 2, 0, 0, 0, 0, 0, 0]),
      query(["a"], counts: [0, 1, 0, 1, 0, 0, 0, 0]),
      query(["a"], type: [0, 99]), query([]), query(["a b"]), Array(query(["abc"]).dropLast()),
      Array(query(["abc", "de"]).prefix(18)), [],
    ])
  func ambiguities(bytes: [UInt8]) {
    #expect(QuestionInMemory.name(in: bytes, at: 0) == nil)
  }

  @Test("EDNS and other kinds of records are known")
  func kinds() {
    #expect(
      QuestionInMemory.name(in: Self.query(["a"], counts: [0, 1, 0, 0, 0, 0, 0, 1]), at: 0) == "a")
    #expect(
      QuestionInMemory.name(in: Self.query(["_http", "a"], type: [0, 33]), at: 0) == "_http.a")
    #expect(QuestionInMemory.name(in: Self.query(["a"], flags: [1, 0x20]), at: 0) == "a")
  }
}
