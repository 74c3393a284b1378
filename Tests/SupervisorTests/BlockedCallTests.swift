import Testing

@testable import Supervisor

@Suite("The call in which a thread sleeps")
struct BlockedCallTests {
  @Test(
    "A wait for more descriptors than are read is known as such",
    arguments: [
      ("poll", [0, 1_024], false), ("poll", [0, 1_025], true), ("ppoll", [0, 5_000], true),
      ("select", [1_024], false), ("select", [1_025], true), ("pselect6", [4_096], true),
      ("select", [UInt64(truncatingIfNeeded: -1)], false), ("read", [0, 5_000], false),
    ] as [(String, [UInt64], Bool)])
  func descriptors(name: String, arguments: [UInt64], isMore: Bool) throws {
    let number = try #require(SystemCallTable.current.number(of: name))
    let all = arguments + [UInt64](repeating: 0, count: 6 - arguments.count)
    #expect(BlockedCall(number: number, arguments: all).awaitsMoreThanIsRead == isMore)
  }
}
