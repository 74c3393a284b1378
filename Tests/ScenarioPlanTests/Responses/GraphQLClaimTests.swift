import Foundations
import MockEngine
import Patterns
import ScenarioPlan
import Testing

@Suite("GraphQL in the queue")
struct GraphQLClaimTests {
  private func claim(_ response: String, method: String = "POST", body: String) throws
    -> MatchResult
  {
    let planned = try Samples.onlyCase(
      "target: { command: [./program] }\nresponses:\n" + response)
    var queue = StubQueue(responses: try #require(planned.network).responses)
    let request = IncomingRequest(
      method: method,
      target: try RequestTarget(scheme: "https", authority: "h", target: "/graphql"),
      headers: [], body: Array(body.utf8))
    return queue.claim(request, scope: CaseScope(directory: "/case"))
  }

  private let entry = """
      - query: GetUser
        variables: { id: 42, filter: { tags: [a] } }
        reply: [{ data: { user: { name: Ada } } }]
    """

  private let exactEntry = """
      - query: GetUser
        variables: { exact: { id: 42 } }
        reply: [{ data: { user: null }, errors: [{ message: boom, path: [user] }] }]
    """

  @Test(
    "An operation matches by kind, name and a subset of its variables",
    arguments: [
      (
        #"{"query":"query GetUser { u }","variables":{"id":42,"filter":{"tags":["b","a"]},"x":1}}"#,
        true
      ),
      (#"{"query":"query GetUser { u }","variables":{"id":42.0,"filter":{"tags":["a"]}}}"#, true),
      (#"{"query":"query GetUser { u }","variables":{"id":43,"filter":{"tags":["a"]}}}"#, false),
      (#"{"query":"query GetUser { u }"}"#, false),
      (#"{"query":"query Other { u }","variables":{"id":42,"filter":{"tags":["a"]}}}"#, false),
      (#"{"query":"mutation GetUser { u }","variables":{"id":42,"filter":{"tags":["a"]}}}"#, false),
      (#"{"query":"{ GetUser }","variables":{"id":42,"filter":{"tags":["a"]}}}"#, false),
      (#"{"query":"query GetUser { u ","variables":{"id":42}}"#, false),
      (#"{"id":42}"#, false), ("query GetUser { u }", false), ("", false),
    ])
  func subset(body: String, isMatch: Bool) throws {
    var isReply = false
    if case .reply(let reply) = try claim(entry, body: body) {
      isReply = true
      #expect(reply.operation == "GetUser")
    }

    #expect(isReply == isMatch)
  }

  @Test(
    "Exact variables allow nothing else",
    arguments: [
      (#"{"query":"query GetUser { u }","variables":{"id":42}}"#, true),
      (#"{"query":"query GetUser { u }","variables":{"id":42,"x":1}}"#, false),
    ])
  func exact(body: String, isMatch: Bool) throws {
    guard case .reply(let reply) = try claim(exactEntry, body: body) else {
      #expect(!isMatch)
      return
    }

    #expect(isMatch)
    guard case .json(.value(let value)) = reply.reply.body else {
      Issue.record("no JSON")
      return
    }
    #expect(
      value.jsonText() == #"{"errors":[{"message":"boom","path":["user"]}],"data":{"user":null}}"#)
  }

  @Test(
    "A condition on a variable is one on that variable, whatever its name is spelled with",
    arguments: ["token", "1", "a-b", "a.b", "it's", #"a\b"#, "a b"])
  func variableNames(name: String) throws {
    let entry = """
          - query: GetUser
            variables: { exact: { id: { \(Value.string(name).jsonText()): { starts_with: x }, n: 1 } } }
            reply: [{ data: { user: null } }]
      """
    func isAnswered(_ value: String, n: Int = 1) throws -> Bool {
      let key = Value.string(name).jsonText()
      let body =
        #"{"query":"query GetUser { u }","variables":{"id":{\#(key):"\#(value)","n":\#(n)}}}"#
      if case .reply = try claim(entry, body: body) { return true }
      return false
    }

    #expect(try isAnswered("x1"))
    #expect(try !isAnswered("y1"))
    #expect(try !isAnswered("x1", n: 2))
  }

  @Test("operationName decides among several operations")
  func operationName() throws {
    let document = "query GetUser { u } query Other { o }"
    let chosen = #"{"query":"\#(document)","operationName":"GetUser","variables":{"id":42}}"#
    let other = #"{"query":"\#(document)","operationName":"Other","variables":{"id":42}}"#

    guard case .reply = try claim(exactEntry, body: chosen) else {
      Issue.record("no reply")
      return
    }
    guard case .unmatched(let lines, _) = try claim(exactEntry, body: other) else {
      Issue.record("a reply")
      return
    }
    #expect(lines.contains("  operation: expected GetUser, got Other"))
  }

  @Test("A near miss tells which variable differs")
  func nearMiss() throws {
    let body = #"{"query":"query GetUser { u }","variables":{"id":42,"filter":{"tags":[]}}}"#

    guard case .unmatched(let lines, _) = try claim(entry, body: body) else {
      Issue.record("a reply")
      return
    }
    #expect(lines.contains("  variables.filter.tags: expected \"a\", got []"))
  }

  @Test("A broken document is reported with the place where it breaks")
  func broken() throws {
    guard case .unmatched(let lines, _) = try claim(entry, body: #"{"query":"query GetUser { u"}"#)
    else {
      Issue.record("a reply")
      return
    }
    #expect(lines.contains { $0.contains("1:18: Syntax Error: ") })
  }
}
