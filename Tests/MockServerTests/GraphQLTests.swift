import Foundations
import MockServer
import ScenarioModel
import ScenarioPlan
import Testing

struct GraphQLTests {
  private func entry(
    _ kind: GraphQLOperationKind, _ operation: String, variables: String? = nil,
    replies: [PlannedReply]
  ) throws -> PlannedResponse {
    PlannedResponse(
      name: "\(kind.rawValue) \(operation)",
      match: .graphQL(
        PlannedGraphQLMatch(
          kind: kind, operation: operation,
          variables: try variables.map { .value(try JSONText.parse($0)) })),
      replies: replies, repeats: false, range: anywhere)
  }

  private func post(_ body: String, to test: TestServer) throws -> Client.Response {
    let client = try test.client()
    try client.send(
      "POST /graphql HTTP/1.1\r\nhost: api.test\r\ncontent-type: application/json\r\n"
        + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.response()
  }

  @Test("Operations are told apart by name and by variables")
  func operations() throws {
    let test = try TestServer([
      entry(.query, "GetUser", variables: #"{"id":42}"#, replies: [.text("forty-two")]),
      entry(.query, "GetUser", variables: #"{"id":7}"#, replies: [.text("seven")]),
      entry(.mutation, "Rename", replies: [.text("renamed")]),
    ])
    let document = "query GetUser($id: ID) { user(id: $id) { name } } mutation Rename { rename }"

    let seven = try post(
      #"{"query":"\#(document)","operationName":"GetUser","variables":{"id":7,"extra":1}}"#,
      to: test)
    let renamed = try post(#"{"query":"\#(document)","operationName":"Rename"}"#, to: test)
    let fortyTwo = try post(
      #"{"query":"\#(document)","operationName":"GetUser","variables":{"id":42.0}}"#, to: test)

    #expect([seven.text, renamed.text, fortyTwo.text] == ["seven", "renamed", "forty-two"])
    #expect(test.server.requests().map(\.operation) == ["GetUser", "Rename", "GetUser"])
  }

  @Test("Another operation, and other variables, stay unmatched")
  func unmatched() throws {
    let test = try TestServer([
      entry(.query, "GetUser", variables: #"{"id":42}"#, replies: [.text("x")])
    ])

    let other = try post(#"{"query":"query GetTeam { team }"}"#, to: test)
    let variables = try post(
      #"{"query":"query GetUser { user }","variables":{"id":1}}"#, to: test)

    #expect(other.status == 501)
    #expect(other.text.contains("GetTeam"))
    #expect(variables.status == 501)
    #expect(test.server.unused().count == 1)
  }
}
