package import Foundations
package import ScenarioModel

/// The network of a case.
package struct PlannedNetwork: Sendable, Hashable, Codable {
  /// Whether the mock server answers, or the target's network is left alone.
  package var mode: NetworkSettings.Mode
  /// The meaning of an entry that no request has used.
  package var unused: NetworkSettings.Unused
  /// The handling of connections to services on this machine.
  package var loopback: NetworkSettings.Loopback
  /// The entries, the scenario's own before the file's.
  package var responses: [PlannedResponse]
  /// The state that the entries share, before the first request; `nil` if it is empty.
  package var state: [PlannedStateChange]?
  /// The settings of GraphQL endpoints; `nil` if there are none.
  package var graphQL: PlannedGraphQL?
  /// The .proto files that describe messages of gRPC, as a `google.protobuf.FileDescriptorSet` in Base64; `nil` if there
  /// are none.
  package var descriptors: String?
  /// The documents that describe APIs; `nil` if there are none.
  package var openAPI: [PlannedOpenAPI]?
  /// How names resolve; `nil` where the file says nothing of it.
  package var names: PlannedNames?
  /// Hosts whose modes differ; the first that fits rules.
  package var hosts: [PlannedHostMode] = []
  /// The real addresses of hosts, in place of those that their names lead to.
  package var upstreams: [UpstreamRule] = []
  /// Names whose values no recording shows, beside the usual ones; in lower case.
  package var redact: [String] = []
  /// The variables that point every program to the authorities to trust; `nil` sets for each those
  /// that its own kind needs.
  package var trustVariables: [TrustVariable]?
  /// Further files by which programs learn which authorities to trust, as the author writes them.
  package var trustFiles: [Located<String>]?
  /// The path of the case's recording, present or future.
  package var recordingPath: String?
  /// Connections that go wrong; the first entry that fits and has not come to its end rules.
  package var connectionFaults: [PlannedConnectionFault] = []
  /// Connections that follow a script; the first entry that fits and has not come to its end rules.
  package var conversations: [PlannedConversation] = []
  /// The answer to a request that no entry answers.
  package var unmatched = PlannedUnmatched.fail

  /// Creates a network.
  package init(
    mode: NetworkSettings.Mode = .offline, unused: NetworkSettings.Unused,
    loopback: NetworkSettings.Loopback = .open, responses: [PlannedResponse],
    graphQL: PlannedGraphQL? = nil
  ) {
    self.loopback = loopback
    self.graphQL = graphQL
    self.mode = mode
    self.unused = unused
    self.responses = responses
  }
}

/// One entry of the network's queue.
package struct PlannedResponse: Sendable, Hashable, Codable {
  /// The condition on the requests that the entry answers.
  package enum Match: Sendable, Hashable, Codable {
    /// HTTP requests.
    case http(PlannedRequest)
    /// GraphQL operations.
    case graphQL(PlannedGraphQLMatch)
  }

  /// The name in messages.
  package var name: String
  /// The condition on the requests that the entry answers.
  package var match: Match
  /// The queue, never empty.
  package var replies: [PlannedReply]
  /// True if the one reply answers any number of requests.
  package var repeats: Bool
  /// The behaviour when the queue is empty; `nil` lets later entries answer, and is a failure where
  /// none does.
  package var then: QueueEnd?
  /// The state that it needs and changes; `nil` if it does neither.
  package var state: PlannedStateUse?
  /// The store that makes its replies; `nil` if they are written.
  package var store: PlannedStore?
  /// The number, from 0, of the `responses:` step that enables it; `nil` if it is enabled from the
  /// beginning.
  package var step: Int?
  /// True if it is used only after the scenario's own responses: it is from the top of its file,
  /// from a file that it uses, or from a recording; `nil` is no.
  package var isFallback: Bool?
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates an entry.
  package init(
    name: String, match: Match, replies: [PlannedReply], repeats: Bool, range: SourceRange
  ) {
    self.name = name
    self.match = match
    self.replies = replies
    self.repeats = repeats
    self.range = range
  }
}

/// One reply of a queue.
package struct PlannedReply: Sendable, Hashable, Codable {
  /// The body of the reply.
  package enum Body: Sendable, Hashable, Codable {
    /// No body.
    case empty
    /// Data, sent as JSON.
    case json(PlannedData)
    /// Text.
    case text(PlannedText)
    /// The bytes of a file.
    case file(path: String)
    /// The text of a file, with its expressions.
    case template(PlannedText, path: String)
    /// A file whose name is computed.
    case computedFile(PlannedFileName)
    /// Bytes.
    case bytes([UInt8])
    /// GraphQL results, one after the other.
    case graphQLStream([PlannedGraphQLEvent])
    /// Pieces over virtual time.
    case stream([PlannedStreamStep])
    /// The script of a WebSocket.
    case webSocket([PlannedWebSocketStep])
    /// Messages and a status of gRPC.
    case grpc(PlannedGRPC)
    /// Whatever a target answers.
    case handler(PlannedHandler)
  }

  /// Fields behind the body.
  package var trailers: [PlannedVariable] = []
  /// The coding of the body for transfer.
  package var encoding = BodyEncoding.identity
  /// The HTTP status, unless it is computed.
  package var status: Int
  /// The words behind the status; `nil` are the usual ones.
  package var reason: String?
  /// The fault of the reply.
  package var fault: ReplyFault?
  /// Headers in order; a `content-type` is added by the mock server where it is missing.
  package var headers: [PlannedVariable]
  /// The body of the reply.
  package var body: Body
  /// The delay in virtual time, unless it is computed.
  package var delay: Nanoseconds
  /// The parts that are known only when the request has come; `nil` if there are none.
  package var computation: PlannedReplyComputation?
  /// Requests to targets of the case, once the reply is due; `nil` if there are none.
  package var webhooks: [PlannedWebhook]?
  /// The number of requests in a row that it answers.
  package var times: Int
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a reply.
  package init(
    status: Int, headers: [PlannedVariable], body: Body, delay: Nanoseconds, times: Int,
    range: SourceRange
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.times = times
    self.range = range
  }
}
