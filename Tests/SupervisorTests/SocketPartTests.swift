import Testing

@testable import Supervisor

@Suite("Calls on sockets with timeouts that go on by parts")
struct SocketPartTests {
  private func lines(_ name: String) throws -> [String] {
    try WaitProgram.output(["socket_waits", name]).split(separator: "\n").map(String.init)
  }

  @Test(
    "The time counts over the whole of a call, and the next call has all of it again",
    arguments: [
      (
        "all-parts", ["result=6 error=none elapsed_ms=3000", "result=8 error=none elapsed_ms=3000"]
      ),
      (
        "all-parts-local",
        ["result=6 error=none elapsed_ms=3000", "result=8 error=none elapsed_ms=3000"]
      ),
      // What has all its bytes in time ends then.
      (
        "all-message",
        [
          "result=6 error=none elapsed_ms=2400", "result=6 error=none elapsed_ms=2400",
          "result=4 error=none elapsed_ms=3000",
        ]
      ),
      ("shared", ["result=-1 error=EAGAIN elapsed_ms=3000"]),
      ("write-parts", ["result=1 error=none elapsed_ms=3000"]),
      ("send-parts", ["result=1 error=none elapsed_ms=3000"]),
      ("message-parts", ["result=1 error=none elapsed_ms=3000"]),
    ])
  func whole(name: String, expected: [String]) throws {
    #expect(try lines(name) == expected.map { "\(name) \($0)" })
  }

  @Test("Each part of what a Unix socket sends has the whole time, as the kernel gives it")
  func localParts() throws {
    #expect(try lines("local-parts") == ["local-parts result=1600000 error=none elapsed_ms=0"])
  }
}
