package import Foundations

/// `network:`.
package struct NetworkSettings: Sendable {
  /// `unused:` the meaning of an entry that no request used.
  package enum Unused: String, Sendable, CaseIterable, Codable {
    /// The scenario fails.
    case fail
    /// The report says so.
    case warn
    /// No report.
    case ignore
  }

  /// `mode:`.
  package enum Mode: String, Sendable, CaseIterable, Codable {
    /// No packet leaves the machine; the mock server answers.
    case offline
    /// The mock server answers what it can and asks the real host for the rest.
    case spy
    /// The mock server forwards each request to the real host, and the answers are recorded.
    case record
    /// The target's network is left alone.
    case live
  }

  /// `loopback:` the treatment of connections to services on this machine.
  package enum Loopback: String, Sendable, CaseIterable, Codable {
    /// The connections are made, and ports that targets bind while others have them are the case's own.
    case open
    /// The connections are made, and all ports that targets bind are this machine's.
    case shared
    /// The connections are made, and ports that targets bind are the case's own.
    case own
    /// The mock server answers those of TCP, as it does for other machines.
    case answered
    /// The connections are refused, as by a machine on which no process listens.
    case closed

    /// True if connections to services on this machine are made.
    package var isOpen: Bool { [.open, .shared, .own].contains(self) }
  }

  /// The keys as they are written, in file order.
  package var keys: [Located<String>] = []
  /// The place in the file; `nil` where it is not written.
  package var range: SourceRange?
  /// `loopback:`, `open` unless said.
  package var loopback: Located<Loopback>?
  /// `mode:`, `offline` unless said.
  package var mode: Located<Mode>?
  /// `unused:`, `fail` unless said.
  package var unused: Located<Unused>?
  /// `unmatched:`, `fail` unless said.
  package var unmatched: Located<UnmatchedRule>?
  /// `graphql:`.
  package var graphQL: GraphQLSettings?
  /// `grpc:`.
  package var grpc: GRPCSettings?
  /// `openapi:`.
  package var openAPI: [OpenAPISettings] = []
  /// `dns:`.
  package var names: NameServiceSettings?
  /// `hosts:`, whose modes differ; the first pattern that fits a host rules.
  package var hosts: [HostMode] = []
  /// The hosts of `hosts:` for which targets answer.
  package var routes: [HostRoute] = []
  /// `upstreams:`, where real hosts are reached in place of where their names lead.
  package var upstreams: [UpstreamRule] = []
  /// `import:`, the paths of recordings and of other tools' files, relative to the scenario file.
  package var imports: [Located<String>] = []
  /// `recording:`, the path of the case's recording, relative to the scenario file; `nil` follows the scenario's name.
  package var recording: Located<String>?
  /// `trust: { variables: }`, the variables that point every program to the authorities to trust,
  /// and no others; `nil` sets for each program those that its own kind needs.
  package var trustVariables: [TrustVariable]?
  /// `trust: { files: }`, further files by which programs learn which authorities to trust.
  package var trustFiles: [Located<String>]?
  /// `redact:`, names whose values no recording shows, beside those that none shows anyway.
  package var redact: [Located<String>] = []

  /// Creates settings.
  package init(
    mode: Located<Mode>? = nil, unused: Located<Unused>? = nil,
    loopback: Located<Loopback>? = nil, graphQL: GraphQLSettings? = nil
  ) {
    self.loopback = loopback
    self.mode = mode
    self.unused = unused
    self.graphQL = graphQL
  }
}

/// One entry of `responses:`.
package struct ResponseEntry: Sendable {
  /// The kind of request that an entry answers.
  package enum Match: Sendable {
    /// An HTTP request.
    case http(HTTPRequestPattern)
    /// A GraphQL operation.
    case graphQL(GraphQLPattern)
    /// Connections to a host, which go wrong; such an entry has no replies.
    case host(HostPattern)
    /// Connections to a host that follow a script; such an entry has no replies.
    case conversation(ConversationPattern)
    /// Requests for a collection and its items; such an entry makes its replies by itself.
    case store(StorePattern)
  }

  /// The entry's name in messages: `name:` or the request line as written.
  package var name: String
  /// The condition on the requests that it answers.
  package var match: Match
  /// The queue: one reply for each request, in order.
  ///
  /// Empty only for connections that go wrong or follow a script, and for stores.
  package var replies: [Reply]
  /// True if the short form was used: the one reply answers any number of requests.
  package var repeats: Bool
  /// `then:` what happens when the queue is empty.
  package var then: Located<QueueEnd>?
  /// `when:` conditions on the case's state; an entry is skipped where one does not hold.
  package var conditions: [FieldMatcher] = []
  /// `set:` the state behind a request that the entry has answered.
  package var changes: [DataField] = []
  /// The place of the entry.
  package var range: SourceRange

  /// Creates an entry.
  package init(
    name: String, match: Match, replies: [Reply], repeats: Bool, then: Located<QueueEnd>? = nil,
    range: SourceRange
  ) {
    self.name = name
    self.match = match
    self.replies = replies
    self.repeats = repeats
    self.then = then
    self.range = range
  }
}

/// The condition on the HTTP requests that an entry answers.
package struct HTTPRequestPattern: Sendable {
  /// The methods, in capitals; `nil` is any.
  package var methods: Located<[String]>?
  /// `http://` or `https://` with host, optional port, path and optional query.
  ///
  /// In the path `{name}` matches one segment, `*` within a segment, `**` across segments. `nil` if the
  /// host or the path are given on their own.
  package var url: AddressCondition?
  /// Header names (any case) and what their values must satisfy.
  package var headers: [NamedCondition]
  /// The condition on the body, read as JSON.
  package var json: Matcher?
  /// The condition on the body, read as XML.
  package var xml: Matcher?
  /// The condition on the body, read as text.
  package var body: Matcher?
  /// The conditions besides the address.
  package var more = RequestConditions()

  /// Creates a pattern.
  package init(
    methods: Located<[String]>?, url: AddressCondition?, headers: [NamedCondition] = [],
    json: Matcher? = nil, body: Matcher? = nil
  ) {
    self.methods = methods
    self.url = url
    self.headers = headers
    self.json = json
    self.body = body
  }
}

/// A name and what the value behind it must satisfy.
package struct FieldMatcher: Sendable {
  /// The name.
  package var name: Located<String>
  /// The condition.
  package var matcher: Matcher

  /// Creates a field matcher.
  package init(name: Located<String>, matcher: Matcher) {
    self.name = name
    self.matcher = matcher
  }
}

/// One reply of an entry's queue.
package struct Reply: Sendable {
  /// The body of a reply.
  package enum Body: Sendable {
    /// No body.
    case empty
    /// `json:`
    case json(DataNode)
    /// `text:`
    case text(DataNode)
    /// `file:`
    case file(FileContent)
    /// `base64:`
    case bytes([UInt8])
    /// `stream:`
    case stream([StreamStep])
    /// `websocket:`
    case webSocket([WebSocketStep])
    /// `grpc:`
    case grpc(GRPCReply)
    /// `handler:`
    case handler(Handler)
    /// GraphQL `data:`, `errors:` and `extensions:`.
    case graphQL(data: DataNode?, errors: DataNode?, extensions: DataNode?)
    /// GraphQL `stream:`.
    case graphQLStream([GraphQLStreamEntry])
  }

  /// `status:`, 200 unless said.
  package var status: ReplyStatus
  /// `reason:` the words behind the status; `nil` are the usual ones.
  package var reason: String?
  /// `fault:` how the reply goes wrong.
  package var fault: ReplyFaultRule?
  /// `headers:`, a field for each value.
  package var headers: [DataField]
  /// The body.
  package var body: Body
  /// `trailers:` fields behind the body.
  package var trailers: [DataField] = []
  /// `encoding:`, `identity` unless said.
  package var encoding = BodyEncoding.identity
  /// `after:` the delay in virtual time.
  package var delay: ReplyDelay
  /// `webhooks:` requests to targets of the case, once the reply is due.
  package var webhooks: [Webhook] = []
  /// `times:` how many requests in a row this reply answers, at least 1.
  package var times: Int
  /// The place of the reply.
  package var range: SourceRange

  /// Creates a reply.
  package init(
    status: ReplyStatus = .code(200), headers: [DataField] = [], body: Body = .empty,
    delay: ReplyDelay = .length(.zero), times: Int = 1, range: SourceRange
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.times = times
    self.range = range
  }
}
