internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the network and its responses.
  static let networkDefinitions: [LanguageDefinition] = [
    .shape(
      "networkMode", "Who answers: the mock server, the real host, or the one for the other.",
      .words(of: NetworkSettings.Mode.self)),
    Grammar.network.definition,
    Grammar.trust.definition,
    .shape(
      "response", "A request and what answers it.",
      .map(
        by: [
          (["block"], .the("blockUse")),
          (["request"], .the("httpResponse")), (["host"], .the("hostResponse")),
          (["store"], .the("storeResponse")),
          (Grammar.graphQLKinds + ["document"], .the("graphQLResponse")),
        ],
        else: .either(
          .the("shortResponse"), .the("httpResponse"), .the("graphQLResponse"),
          .the("hostResponse"),
          .the("storeResponse")
        ))),
    .shape(
      "shortResponse", "METHOD URL: one reply for any number of requests.",
      .map(keys: "^[A-Z-]+ https?://", of: .the("shortReply"))),
    Grammar.httpResponse.definition,
    Grammar.hostResponse.definition,
    Grammar.connectionFault.definition,
  ]
}

extension Grammar {
  static let network = MapGrammar<NetworkSettings>(
    "network", "How the target's network is treated."
  ) {
    Field(
      "mode", .word(),
      """
      offline: the mock server answers, nothing leaves the machine. spy: what no response \
      answers is asked of the real host. record: everything is asked of the real host, and \
      written to __recordings__. live: the network is left alone.
      """, \.mode)
    Field(
      "loopback", .word(),
      """
      Connections to services on this machine: open, they are made (unless said \
      otherwise); answered, the mock server answers those of TCP, but for those to the target's own \
      servers; closed, they are refused.
      """, \.loopback)
    Field(
      "hosts", .map(of: .either(.the("networkMode"), .the("targetName"))),
      """
      Hosts whose modes differ, such as api.example.com or *.internal.test; the first that \
      fits rules. The name of a target in place of a mode: the target is the host.
      """
    ) { decoder, node, network in
      (network.hosts, network.routes) = decoder.decodeHosts(node)
    }
    Field(
      "upstreams", .map(of: .pattern(":[0-9]+$")),
      """
      Where a real host is reached: HOST or HOST:PORT, and the HOST:PORT to connect to \
      instead, in the modes spy and record. Names, certificates and headers stay those of the host that was meant.
      """, \.upstreams
    ) { $0.decodeUpstreams($1) }
    Field(
      "import", .textList,
      """
      Files or folders with more responses, which come behind the file's own: recordings, \
      Decoy's JSON, HAR 1.2, WireMock mappings.
      """, \.imports)
    Field(
      "redact", .textList,
      """
      Names of headers, query items, form fields and JSON keys whose values no recording \
      shows, beside the usual ones.
      """, \.redact)
    Field(
      "trust", .the("trust"), "How programs are told to trust the run's certificate authority.",
      \.trustVariables
    ) { $0.decodeTrust($1) }
    Field(
      "unmatched", .map(.the("shortReply"), or: .words(of: UnmatchedRule.Word.self)),
      """
      What a request gets that no response answers: fail, a status that tells so, and the \
      scenario fails (unless said otherwise); refuse, what a host gives on which nobody \
      listens; hang, nothing; or a reply such as { status: 404 }.
      """, \.unmatched
    ) { $0.decodeUnmatched($1) }
    Field(
      "unused", .word(), "What a response that nobody asked for means; fail unless said.", \.unused)
    Field(
      "graphql", .the("graphQL"), "GraphQL endpoints: their schema and their persisted documents.",
      \.graphQL
    ) { $0.decodeGraphQLSettings($1) }
  }

  static let trust = MapGrammar<Void>(
    "trust", "How programs are told to trust the run's certificate authority."
  ) {
    Field(
      "variables",
      .either(.words(["none"]), .list(of: .words(of: TrustVariable.self), atLeast: 1)),
      """
      The variables that name the authority's file: none, or those of a list, for every \
      program. Unless said, each program has what its own kind needs, and most need none.
      """, isRequired: true)
  }

  static let httpResponse = MapGrammar<Void>(
    "httpResponse", "An HTTP request and the queue of its replies."
  ) {
    Field("name", .name, "What messages call the entry.")
    Field(
      "request", .map(.the("request"), or: .pattern("^[A-Z-]+ https?://")),
      "METHOD URL, or a pattern.", isRequired: true)
    Field(
      "reply", .oneOrMore(.the("reply")),
      "The reply, or a queue of some: one for each request, in order.",
      isRequired: true
    ).formerly("replies")
    Field(
      "then", .words(of: QueueEnd.self),
      "What happens when the queue is empty. fail: the next request fails the scenario. next: later entries "
        + "answer, or unmatched does. Unless said, later entries answer, and a request that none answers "
        + "fails the scenario.")
    stateFields
  }

  static let hostResponse = MapGrammar<Void>(
    "hostResponse", "Connections to a host that go wrong before any request."
  ) {
    Field(
      "host", .name, "The host; may hold *, and a port where only one is meant.",
      isRequired: true)
    Field("name", .name, "What messages call the entry.")
    Field(
      "fault", .map(.the("connectionFault"), or: .words(["refuse", "unreachable"])),
      "How they go wrong.", isRequired: true)
    Field("times", .integer(1...), "How many go wrong; all unless said.")
  }

  static let connectionFault = MapGrammar<Void>(
    "connectionFault", "A fault that has a value.", rules: [.exactlyOneKey]
  ) {
    Field(
      "dns", .words(of: ConnectionFault.NameFault.self), "How the name is not resolved.")
    Field(
      "tls", .words(of: ConnectionFault.HandshakeFault.self),
      "What is wrong with the TLS handshake.")
  }
}
