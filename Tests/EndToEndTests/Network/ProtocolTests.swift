import Glibc
import Testing

/// Clients of HTTP/2, gRPC and WebSocket under virtual time.
@Suite("Protocols")
struct ProtocolTests {
  /// The environment that `Tests/install-dependencies.sh` makes.
  private static let python: String = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(root)/.build/python/bin/python"
  }()

  private static var hasPython: Bool { access(python, X_OK) == 0 }

  private func run(_ program: String, _ body: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let lines = program.split(separator: "\n").map { "      \($0)\n" }.joined()
    let path = folder.write(
      "version: 2\nclock: { at: 2026-03-01T09:00:00Z, flow: auto }\n"
        + "target:\n  command: [\(Self.python), client.py]\n  files:\n    client.py: |\n\(lines)"
        + body, to: "protocol.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A deadline of gRPC and a delay of the mock server are on one clock", .enabled(if: hasPython),
    arguments: [("9s", "StatusCode.OK"), ("11s", "StatusCode.DEADLINE_EXCEEDED")])
  func deadline(delay: String, code: String) throws {
    let outcome = try run(
      """
      import grpc
      # Found by the resolver that it brings along.
      channel = grpc.insecure_channel("shop.test:80")
      same = lambda value: value
      call = channel.unary_unary("/shop.Cart/Add", same, same)
      try:
          print(call.with_call(b"x", timeout=10)[1].code())
      except grpc.RpcError as error:
          print(error.code())
      """,
      """
      responses:
        - POST http://shop.test/shop.Cart/Add:
            after: \(delay)
            grpc: { messages: { base64: AQID } }
      expect: { exit: 0, stdout: \(code), duration: { between: [9s, 10500ms] } }
      """)

    outcome.expectExit(0)
  }

  @Test("An idle connection of HTTP/2 does not hold the time", .enabled(if: hasPython))
  func idle() throws {
    let outcome = try run(
      """
      import httpx, time
      limits = httpx.Limits(keepalive_expiry=1e9)
      with httpx.Client(http1=False, http2=True, limits=limits) as client:
          for _ in range(3):
              answer = client.get("https://api.test/n")
              print(answer.http_version, answer.text)
              time.sleep(40000)
      """,
      """
      responses:
        - GET https://api.test/n: { after: 1s, text: x }
      expect:
        exit: 0
        stdout: { lines: [HTTP/2 x, HTTP/2 x, HTTP/2 x] }
        duration: { between: [120003s, 120004s] }
      """)

    outcome.expectExit(0)
  }

  @Test("A WebSocket kept alive by pings waits for its message", .enabled(if: hasPython))
  func pings() throws {
    let outcome = try run(
      """
      from websockets.sync.client import connect
      with connect("ws://chat.test/room", proxy=None) as talk:
          for message in talk: print(message)
      """,
      """
      responses:
        - GET http://chat.test/room:
            websocket: [ { after: 10m, send: late }, { close: 1000 } ]
      expect: { exit: 0, stdout: late, duration: { between: [10m, 601s] } }
      """)

    outcome.expectExit(0)
  }

  @Test("A WebSocket client that says the wrong thing fails the scenario", .enabled(if: hasPython))
  func mismatch() throws {
    let outcome = try run(
      """
      from websockets.sync.client import connect
      with connect("ws://chat.test/room", proxy=None) as talk:
          talk.send("hallo")
          for message in talk: print(message)
      """,
      """
      responses:
        - GET http://chat.test/room:
            websocket: [ { expect: hello }, { send: welcome } ]
      """)

    outcome.expectExit(1)
    #expect(outcome.output.contains("the WebSocket of GET http://chat.test/room did not go"))
    #expect(outcome.output.contains("GET http://chat.test/room → 101"), "\(outcome.text)")
    #expect(outcome.output.contains("hallo"))
  }
}
