internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the network and its responses.
  static let networkDefinitions: [LanguageDefinition] = [
    .shape(
      "networkMode", "Who answers: the mock server, the real host, or both.",
      .words(of: NetworkSettings.Mode.self)),
    Grammar.network.definition,
    Grammar.grpcTypes.definition,
    Grammar.openAPI.definition,
    Grammar.trust.definition,
    .shape(
      "response", "A request pattern, and its replies.",
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
    "network", "The target's network."
  ) {
    Field(
      "mode", .word(),
      """
      offline: the mock server answers, and nothing leaves the machine. spy: requests that \
      match no response go to the real host. record: all requests go to the real host and are \
      written to __recordings__. live: the network is not intercepted.
      """, \.mode)
    Field(
      "loopback", .word(),
      """
      Connections to services on this machine. open (default): they are made, and ports that \
      targets bind are the case's own if another case or program has them, so that cases with one \
      fixed port run at once. own: they are made, and all ports that targets bind are the case's \
      own. shared: they are made, and all ports are this machine's. answered: the mock server answers TCP connections, except those to the target's own \
      servers. closed: they are refused.
      """, \.loopback)
    Field(
      "hosts", .map(of: .either(.the("networkMode"), .the("targetName"))),
      """
      Modes of individual hosts, such as api.example.com or *.internal.test; the first matching \
      pattern applies. A target's name instead of a mode makes that target the host.
      """
    ) { decoder, node, network in
      (network.hosts, network.routes) = decoder.decodeHosts(node)
    }
    Field(
      "upstreams", .map(of: .pattern("^https?://|:[0-9]+$")),
      """
      Where to reach a real host in the modes spy and record: maps HOST or HOST:PORT to the \
      HOST:PORT to connect to. Names, certificates and headers remain those of the original \
      host. `http://HOST:PORT` connects without TLS, also for clients of HTTPS, and `https://HOST:PORT` with it.
      """, \.upstreams
    ) { $0.decodeUpstreams($1) }
    Field(
      "import", .textList,
      """
      Files or folders with more responses, which come after the file's own: recordings, \
      Decoy's JSON, HAR 1.2, WireMock mappings.
      """, \.imports)
    Field(
      "recording", .text,
      """
      The case's recording, relative to the scenario file (default: __recordings__/NAME.yaml, after the scenario's \
      name). It is written in mode record, and answers requests in the modes offline and spy.
      """, \.recording)
    Field(
      "redact", .textList,
      """
      Names of headers, query items, form fields and JSON keys whose values are removed from \
      recordings, in addition to the usual ones.
      """, \.redact)
    Field(
      "trust", .the("trust"), "How programs come to trust the run's certificate authority."
    ) { decoder, node, network in
      (network.trustVariables, network.trustFiles) = decoder.decodeTrust(node)
    }
    Field(
      "unmatched", .map(.the("shortReply"), or: .words(of: UnmatchedRule.Word.self)),
      """
      The reply to a request that matches no response. fail (default): an error status, and \
      the scenario fails. refuse: the connection is refused. hang: no reply. Or a reply, such \
      as { status: 404 }.
      """, \.unmatched
    ) { $0.decodeUnmatched($1) }
    Field(
      "unused", .word(), "What happens when a response is unused (default: fail).", \.unused)
    Field(
      "graphql", .the("graphQL"), "GraphQL endpoints: their schemas and persisted documents.",
      \.graphQL
    ) { $0.decodeGraphQLSettings($1) }
    Field(
      "dns", .either(.the("dns"), .nothing),
      "How names resolve: their DNS records, and what is not known.",
      \.names
    ) { $0.decodeNameService($1) }
    Field("grpc", .the("grpcTypes"), "gRPC: what describes its messages.", \.grpc) {
      $0.decodeGRPCSettings($1)
    }
    Field(
      "openapi", .oneOrMore(.map(.the("openAPI"), or: .string)),
      """
      Documents of OpenAPI 3.0 or 3.1 that describe APIs, as paths relative to the scenario file: they answer \
      requests that no response answers, and requests and replies are compared with them.
      """, \.openAPI
    ) { $0.decodeOpenAPI($1) }
  }

  static let openAPI = MapGrammar<OpenAPISettings>(
    "openAPI", "A document that describes an API.", rules: [.someOf(["file"])]
  ) {
    Field(
      "file", .string,
      """
      The document, in YAML or JSON, relative to the scenario file. It may refer to other files beside it.
      """, \.file)
    Field(
      "servers", .textList,
      """
      The URLs of the API, such as https://api.example.com/v1, in place of those that the document has. Needed \
      where these name no host.
      """, \.servers)
    Field(
      "replies", .word(),
      """
      The replies to requests that no response answers. examples (default): those of the document, or values that \
      its schemas allow. none: there are none.
      """, \.replies)
    Field(
      "check", .word(),
      """
      What must be as the document says, or the scenario fails: all (default), requests, replies or none.
      """, \.check)
  }

  static let grpcTypes = MapGrammar<GRPCSettings>(
    "grpcTypes", "The description of gRPC messages.", rules: [.someOf(["protos"])]
  ) {
    Field(
      "protos", .textList,
      """
      .proto files, folders of them, patterns such as api/*.proto, or descriptor sets of protoc, relative to \
      the scenario file.
      """, \.protos)
    Field(
      "roots", .textList,
      """
      The folders that imports count from, relative to the scenario file, besides that of the importing file. \
      The files google/protobuf/*.proto are built in.
      """, \.roots)
  }

  static let trust = MapGrammar<Void>(
    "trust", "How programs come to trust the run's certificate authority.",
    rules: [.someOf(["variables", "files"])]
  ) {
    Field(
      "variables",
      .either(.words(["none"]), .list(of: .words(of: TrustVariable.self), atLeast: 1)),
      """
      The variables that name the authority's file: none, or a list to set for every program. \
      By default each program gets those that its kind needs, and most need none.
      """)
    Field(
      "files", .list(of: .string, atLeast: 1),
      """
      Further files of certificates in PEM by which programs decide whom to trust, such as the one of an option \
      or of a setting. Who opens one reads the run's authority behind what the file has when the case begins. \
      Relative paths count from the working directory; $HOME/ and $TMPDIR/ from these.
      """)
  }

  static let httpResponse = MapGrammar<Void>(
    "httpResponse", "An HTTP request and the queue of its replies."
  ) {
    Field("name", .name, "The entry's name in messages.")
    Field(
      "request", .map(.the("request"), or: .pattern("^[A-Z-]+ https?://")),
      "METHOD URL, or a pattern.", isRequired: true)
    Field(
      "reply", .oneOrMore(.the("reply")),
      "The reply, or a queue of replies: one per request, in order.",
      isRequired: true
    ).formerly("replies")
    Field(
      "then", .words(of: QueueEnd.self),
      "What happens when the queue is empty. fail: the next request fails the scenario. next: later entries "
        + "answer, or unmatched applies. By default later entries answer, and a request that no entry answers "
        + "fails the scenario.")
    stateFields
  }

  static let hostResponse = MapGrammar<Void>(
    "hostResponse", "Connections to a host that fail before any request, or follow a script.",
    rules: [.exactlyOne(["fault", "tcp"]), .needs("tls", "tcp")]
  ) {
    Field(
      "host", .name, "The host; * matches any characters. Add a port to match only that port.",
      isRequired: true)
    Field("name", .name, "The entry's name in messages.")
    Field(
      "fault", .map(.the("connectionFault"), or: .words(["refuse", "unreachable"])),
      "How the connections fail.")
    Field(
      "tcp", .list(of: .the("conversationStep"), atLeast: 1),
      """
      What the mock server and the client say on each connection, in order, whatever the protocol: servers that \
      speak first, lines, bytes.
      """)
    Field(
      "tls", .truth,
      "Whether the connections begin with TLS (default: false; `starttls` begins it later).")
    Field(
      "times", .integer(1...),
      """
      The number of connections, or of lookups with `dns`, to which the entry applies (default: all). A resolver \
      that asks again after `servfail` or `timeout`, as glibc does once, makes another lookup.
      """)
  }

  static let connectionFault = MapGrammar<Void>(
    "connectionFault", "A fault that has a value.", rules: [.exactlyOneKey]
  ) {
    Field(
      "dns", .words(of: ConnectionFault.NameFault.self), "How name resolution fails.")
    Field(
      "tls", .words(of: ConnectionFault.HandshakeFault.self),
      "The fault in the TLS handshake.")
  }
}
