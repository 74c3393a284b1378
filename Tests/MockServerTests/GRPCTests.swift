import Foundations
import MockEngine
import MockServer
import ScenarioPlan
import Testing

@Suite(.enabled(if: RealClients.hasPython))
struct GRPCTests {
  private static let opening = """
    import grpc, sys
    channel = grpc.insecure_channel("127.0.0.1:" + sys.argv[1],
        options=[("grpc.default_authority", "api.test"), ("grpc.enable_http_proxy", 0)])
    same = lambda value: value

    """

  private func reply(_ messages: [[UInt8]], status: Int = 0, error: String? = nil) -> PlannedReply {
    .with(
      .grpc(
        PlannedGRPC(
          messages: messages.map { PlannedStreamStep(.send(.bytes($0))) }, status: status,
          error: error.map { PlannedText($0) })))
  }

  @Test("A unary call gets its message and its status")
  func unary() throws {
    let test = try TestServer([.entry("POST", "/shop.Cart/Add", replies: [reply([[1, 2, 3]])])])

    let result = try RealClients.run(
      Self.opening + """
        call = channel.unary_unary("/shop.Cart/Add", same, same)
        answer, state = call.with_call(b"question", timeout=20)
        print(answer, state.code())
        """, ["\(test.port())"])

    #expect(result.output == "b'\\x01\\x02\\x03' StatusCode.OK\n")
    let request = try #require(test.server.requests().first)
    #expect(request.url == "http://api.test/shop.Cart/Add")
    #expect(request.body == [0, 0, 0, 0, 8] + Array("question".utf8))
    #expect(request.headers.contains { $0.name == "te" && $0.value == "trailers" })
  }

  @Test("A status without a message is an error with its text")
  func failure() throws {
    let test = try TestServer([
      .entry("POST", "/shop.Cart/Add", replies: [reply([], status: 5, error: "100 % fort – ü")])
    ])

    let result = try RealClients.run(
      Self.opening + """
        try:
            channel.unary_unary("/shop.Cart/Add", same, same)(b"", timeout=20)
        except grpc.RpcError as error:
            print(error.code(), error.details())
        """, ["\(test.port())"])

    #expect(result.output == "StatusCode.NOT_FOUND 100 % fort – ü\n")
  }

  @Test("Streams go both ways, and end with a status")
  func streams() throws {
    let test = try TestServer([
      .entry(
        "POST", "/shop.Cart/Watch",
        replies: [reply([[1], [], [2, 2]], status: 8, error: "enough")])
    ])

    let result = try RealClients.run(
      Self.opening + """
        answers = channel.stream_stream("/shop.Cart/Watch", same, same)(
            iter([b"a", b"bc"]), timeout=20)
        try:
            for answer in answers: print(answer)
        except grpc.RpcError as error:
            print(error.code(), error.details())
        """, ["\(test.port())"])

    #expect(
      result.output
        == "b'\\x01'\nb''\nb'\\x02\\x02'\nStatusCode.RESOURCE_EXHAUSTED enough\n")
    #expect(
      test.server.requests().map(\.body) == [
        [0, 0, 0, 0, 1, UInt8(ascii: "a"), 0, 0, 0, 0, 2, UInt8(ascii: "b"), UInt8(ascii: "c")]
      ])
  }

  @Test("A client whose deadline passes first is reported")
  func deadline() throws {
    var late = reply([[1]])
    late.delay = .seconds(30)
    let test = try TestServer([.entry("POST", "/shop.Cart/Add", replies: [late])])

    let result = try RealClients.run(
      Self.opening + """
        try:
            channel.unary_unary("/shop.Cart/Add", same, same)(b"", timeout=0.5)
        except grpc.RpcError as error:
            print(error.code())
        """, ["\(test.port())"])

    #expect(result.output == "StatusCode.DEADLINE_EXCEEDED\n")
    #expect(
      test.world.wait {
        if case .clientClosed = $0.events.last { return true }
        return false
      })
  }
}
