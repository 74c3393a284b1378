package import Foundations

/// A piece of a stream, or a message: `send:`.
package enum PieceContent: Sendable {
  /// A text, or `text:`.
  case text(DataNode)
  /// `json:`
  case json(DataNode)
  /// `base64:`
  case bytes([UInt8])
  /// `file:`
  case file(FileContent)
  /// `message:` data for a message of gRPC, whose bytes the .proto files decide.
  case message(DataNode)
}

/// A step of `stream:`.
package struct StreamStep: Sendable {
  /// An action on the stream.
  package enum Action: Sendable {
    /// `send:`
    case send(PieceContent)
    /// `close:`
    case close(ConnectionEnding)
  }

  /// `after:` virtual time since the step before.
  package var delay: ReplyDelay
  /// The action then.
  package var action: Action

  /// Creates a step.
  package init(delay: ReplyDelay, action: Action) {
    self.delay = delay
    self.action = action
  }
}

/// A step of `websocket:`.
package struct WebSocketStep: Sendable {
  /// An action on the connection.
  package enum Action: Sendable {
    /// `expect:` the next message of the client must be so.
    case expect(Matcher)
    /// `expect: { base64: … }` the next message must be these bytes.
    case expectBytes([UInt8])
    /// `expect: end`: the client has no more messages.
    case expectEnd
    /// `send:` text as a text message, bytes as a binary one.
    case send(PieceContent)
    /// `ping:` with a text of at most 125 bytes.
    case ping(String)
    /// `close:` with a code and a reason.
    case close(code: Int, reason: String)
    /// `close:` with a code or a reason that an expression makes, which sees the request.
    case computedClose(code: DataNode, reason: DataNode?)
    /// `close: abrupt` or `close: reset`
    case leave(ConnectionEnding)
  }

  /// `after:` virtual time since the step before.
  package var delay: ReplyDelay
  /// The action then.
  package var action: Action
  /// The place of the step.
  package var range: SourceRange

  /// Creates a step.
  package init(delay: ReplyDelay, action: Action, range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// A step of `grpc:`.
package struct GRPCStep: Sendable {
  /// An action on the WebSocket.
  package enum Action: Sendable {
    /// A message is sent.
    case send(PieceContent)
    /// `expect:` the client's next message must be so.
    case expect(Matcher)
    /// `expect: { message: … }` the client's next message, decoded, must be so.
    case expectMessage(Matcher)
    /// `expect: { base64: … }` the client's next message must be these bytes.
    case expectBytes([UInt8])
    /// `expect: end` the client has no more messages.
    case expectEnd
  }

  /// `after:` virtual time since the step before.
  package var delay: ReplyDelay
  /// The action then.
  package var action: Action
  /// The place of the step.
  package var range: SourceRange

  /// Creates a step.
  package init(delay: ReplyDelay, action: Action, range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// `grpc:` messages and a status.
package struct GRPCReply: Sendable {
  /// The messages in order, each with its delay since the one before.
  ///
  /// With an `expect` among them the reply begins before the request has ended.
  package var messages: [GRPCStep]
  /// `status:` as a number, unless it is computed.
  package var status: Int
  /// `status:` as an expression that sees the request; `nil` if it is written out.
  package var computedStatus: DataNode?
  /// `error:` the text beside the status.
  package var error: DataNode?

  /// Creates a reply.
  package init(messages: [GRPCStep], status: Int, error: DataNode?) {
    self.messages = messages
    self.status = status
    self.error = error
  }
}

extension GRPCReply {
  /// True if the client's messages are waited for.
  package var isConversation: Bool {
    messages.contains { step in
      if case .send = step.action { false } else { true }
    }
  }
}

/// The status codes of gRPC, in order of their numbers.
package enum GRPCStatus: String, Sendable, CaseIterable {
  case ok = "OK"
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case outOfRange = "OUT_OF_RANGE"
  case unimplemented = "UNIMPLEMENTED"
  case `internal` = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case dataLoss = "DATA_LOSS"
  case unauthenticated = "UNAUTHENTICATED"

  /// The number on the wire.
  package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// `encoding:` how the body is packed for the way.
package enum BodyEncoding: String, Sendable, CaseIterable, Codable {
  /// The body is sent as it is; the default.
  case identity
  /// The coding that the client prefers.
  case auto
  /// gzip, asked for or not.
  case gzip
  /// zlib, asked for or not.
  case deflate
  /// Brotli, asked for or not.
  case br
  /// Zstandard, asked for or not.
  case zstd
}
