extension DiagnosticExplanation {
  /// What the codes of the network mean; `nil` for any other code.
  static func network(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .badRequest:
      DiagnosticExplanation(
        title: "no client makes such a request",
        text: """
          A request is a method in capitals and a URL, as in "GET \
          https://api.example.com/users/{id}". "request: { url: … }" stands for any method.
          """,
        wrong: .file(
          """
          responses: [{ request: get https://api.example.com/, reply: { text: hello } }]
          """),
        right: .file(
          """
          responses: [{ request: GET https://api.example.com/, reply: { text: hello } }]
          """))
    case .badStatus:
      DiagnosticExplanation(
        title: "the number is no status",
        text: """
          A status is a number from 200 to 599 (RFC 9110, section 15). Whether it goes with what \
          is asked is up to the scenario.
          """,
        wrong: .file(
          """
          responses: [{ GET https://api.example.com/: { status: 2000 } }]
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { status: 200 } }]
          """))
    case .badHeader:
      DiagnosticExplanation(
        title: "the header cannot go over the wire",
        text: """
          Names of headers are letters, digits and "-"; their values stand on one line (RFC 9110, \
          section 5). A header that comes several times is a list.
          """,
        wrong: .file(
          """
          responses: [{ GET https://api.example.com/: { headers: { "x y": a } } }]
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { headers: { x-y: a } } }]
          """))
    case .unreachableResponse:
      DiagnosticExplanation(
        title: "the response never gets its turn",
        text: """
          The first entry that matches and still has replies answers. An entry without an end \
          that matches everything which a later one does leaves nothing for it. Write the more \
          special one first.
          """,
        wrong: .file(
          """
          responses:
            - GET https://api.example.com/{any}: { text: any }
            - GET https://api.example.com/users: { text: users }
          """),
        right: .file(
          """
          responses:
            - GET https://api.example.com/users: { text: users }
            - GET https://api.example.com/{any}: { text: any }
          """))
    case .badReply:
      DiagnosticExplanation(
        title: "the reply cannot be given",
        text: """
          A reply needs something to say, and a fault that breaks a body needs a body to break. \
          Add a body, or take the fault.
          """,
        wrong: .file(
          """
          responses: [{ GET https://api.example.com/: { fault: close } }]
          """),
        right: .file(
          """
          responses: [{ GET https://api.example.com/: { fault: close, text: hello } }]
          """))
    case .unreadableImport:
      DiagnosticExplanation(
        title: "the recording cannot be taken over",
        text: """
          Decoy's JSON, HAR 1.2 and WireMock's mappings are taken over as far as this language \
          can say the same; what it cannot is told, never left out in silence.
          """,
        wrong: .command(
          """
          echo '{ "nothing": 1 }' > r.json; printf 'version: 1\\ntarget: { command: [date] \
          }\\nnetwork: { import: [r.json] }\\n' > a.yaml; scenario check a.yaml
          """),
        right: .command(
          """
          echo '{ "request": { "url": "/" }, "response": { "body": "hello" } }' > r.json; printf \
          'version: 1\\ntarget: { command: [date] }\\nnetwork: { import: [r.json] }\\n' > a.yaml; \
          scenario check a.yaml
          """))
    case .badGraphQLSchema:
      DiagnosticExplanation(
        title: "the GraphQL schema has a mistake",
        text: """
          The schema that "network.graphql.schema" names is read and checked as the specification \
          says (section 3) before anything is checked against it. The message points into the \
          schema's file.
          """,
        wrong: .command(
          """
          echo 'type Query { user: Usr } type User { id: ID }' > s.graphql; printf 'version: \
          1\\ntarget: { command: [date] }\\nnetwork: { graphql: { schema: s.graphql } \
          }\\nresponses: [{ query: GetUser, replies: [{ data: { user: null } }] }]\\n' > a.yaml; \
          scenario check a.yaml
          """),
        right: .command(
          """
          echo 'type Query { user: User } type User { id: ID }' > s.graphql; printf 'version: \
          1\\ntarget: { command: [date] }\\nnetwork: { graphql: { schema: s.graphql } \
          }\\nresponses: [{ query: GetUser, replies: [{ data: { user: null } }] }]\\n' > a.yaml; \
          scenario check a.yaml
          """))
    case .badGraphQLDocument:
      DiagnosticExplanation(
        title: "no client could send the document",
        text: """
          A document is parsed, and checked against the schema if there is one, as a server would \
          do it: an entry whose document is refused could never be asked for. The message says \
          what a server would say.
          """,
        wrong: .file(
          """
          responses: [{ query: GetUser, document: "query GetUser { user", replies: [{ data: { \
          user: null } }] }]
          """),
        right: .file(
          """
          responses: [{ query: GetUser, document: "query GetUser { user }", replies: [{ data: { \
          user: null } }] }]
          """))
    case .badGraphQLReply:
      DiagnosticExplanation(
        title: "the schema refuses the reply",
        text: """
          With a schema, replies are checked before anything runs: no real server could give what \
          it refuses, so a test with such a reply shows nothing. Change the reply, or the schema \
          that it is held against.
          """,
        wrong: .command(
          """
          echo 'type Query { name: String! }' > s.graphql; printf 'version: 1\\ntarget: { \
          command: [date] }\\nnetwork: { graphql: { schema: s.graphql } }\\nresponses: [{ query: \
          GetName, replies: [{ data: { name: null } }] }]\\n' > a.yaml; scenario check a.yaml
          """),
        right: .command(
          """
          echo 'type Query { name: String! }' > s.graphql; printf 'version: 1\\ntarget: { \
          command: [date] }\\nnetwork: { graphql: { schema: s.graphql } }\\nresponses: [{ query: \
          GetName, replies: [{ data: { name: Ada } }] }]\\n' > a.yaml; scenario check a.yaml
          """))
    default: nil
    }
  }
}
