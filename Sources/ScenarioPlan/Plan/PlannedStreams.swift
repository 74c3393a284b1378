public import ScenarioModel

/// A piece of a stream, or a message.
public enum PlannedPiece: Sendable, Hashable, Codable {
  /// Text.
  case text(PlannedText)
  /// Data, sent as JSON.
  case json(PlannedData)
  /// Bytes.
  case bytes([UInt8])
  /// The bytes of a file.
  case file(path: String)
}

/// A step of a stream.
public struct PlannedStreamStep: Sendable, Hashable, Codable {
  /// What happens.
  public enum Action: Sendable, Hashable, Codable {
    /// A piece is sent.
    case send(PlannedPiece)
    /// The stream ends.
    case close(ConnectionEnding)
  }

  /// Virtual time since the step before.
  public var delay: Nanoseconds
  /// What happens then.
  public var action: Action

  /// Creates a step.
  public init(delay: Nanoseconds = .zero, _ action: Action) {
    self.delay = delay
    self.action = action
  }
}

/// A step of a WebSocket's script.
public struct PlannedWebSocketStep: Sendable, Hashable, Codable {
  /// What happens.
  public enum Action: Sendable, Hashable, Codable {
    /// The next message of the client must be so.
    case expect(PlannedMatcher)
    /// The next message of the client must be binary, and these bytes.
    case expectBytes([UInt8])
    /// A message is sent: text and JSON as text, bytes and files as binary.
    case send(PlannedPiece)
    /// A ping is sent.
    case ping(String)
    /// The stand-in says goodbye.
    case close(code: Int, reason: String)
    /// The stand-in leaves without a word.
    case leave(ConnectionEnding)
  }

  /// Virtual time since the step before.
  public var delay: Nanoseconds
  /// What happens then.
  public var action: Action
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a step.
  public init(delay: Nanoseconds = .zero, _ action: Action, at range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// A step of a call in which both sides speak in turn.
public struct PlannedCallStep: Sendable, Hashable, Codable {
  /// What happens.
  public enum Action: Sendable, Hashable, Codable {
    /// A message is sent.
    case send(PlannedPiece)
    /// The client's next message must be so.
    case expect(PlannedMatcher)
    /// The client's next message must be these bytes.
    case expectBytes([UInt8])
    /// The client has no more messages.
    case expectEnd
  }

  /// Virtual time since the step before.
  public var delay: Nanoseconds
  /// What happens then.
  public var action: Action
  /// Where the author wrote it.
  public var range: SourceRange

  /// Creates a step.
  public init(delay: Nanoseconds = .zero, _ action: Action, at range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// Messages and a status of gRPC.
public struct PlannedGRPC: Sendable, Hashable, Codable {
  /// The messages; each step sends one.
  public var messages: [PlannedStreamStep]
  /// The script in place of the messages, where the client's are waited for: the reply begins before the
  /// request has ended.
  public var conversation: [PlannedCallStep] = []
  /// The status.
  public var status: Int
  /// The text beside the status.
  public var error: PlannedText?

  /// Creates a reply.
  public init(messages: [PlannedStreamStep], status: Int = 0, error: PlannedText? = nil) {
    self.messages = messages
    self.status = status
    self.error = error
  }
}
