package import Foundations

/// A piece of a stream, or a message.
package enum PlannedPiece: Sendable, Hashable, Codable {
  /// Text.
  case text(PlannedText)
  /// Data, sent as JSON.
  case json(PlannedData)
  /// Bytes.
  case bytes([UInt8])
  /// The bytes of a file.
  case file(path: String)
  /// A file whose name is computed.
  case computedFile(PlannedFileName)
  /// Data for a message of gRPC, by the message's full name.
  case message(PlannedData, type: String)
}

/// A step of a stream.
package struct PlannedStreamStep: Sendable, Hashable, Codable {
  /// An action on the stream.
  package enum Action: Sendable, Hashable, Codable {
    /// A piece is sent.
    case send(PlannedPiece)
    /// The stream ends.
    case close(ConnectionEnding)
  }

  /// Virtual time since the step before, unless it is computed.
  package var delay: Nanoseconds
  /// The delay that the request decides; `nil` if it is written out.
  package var computedDelay: PlannedReplyComputation.Delay?
  /// The action then.
  package var action: Action

  /// Creates a step.
  package init(delay: Nanoseconds = .zero, _ action: Action) {
    self.delay = delay
    self.action = action
  }
}

/// A step of a WebSocket's script.
package struct PlannedWebSocketStep: Sendable, Hashable, Codable {
  /// An action on the connection.
  package enum Action: Sendable, Hashable, Codable {
    /// The next message of the client must be so.
    case expect(PlannedMatcher)
    /// The next message of the client must be binary, and these bytes.
    case expectBytes([UInt8])
    /// The client has no more messages, and closes the connection.
    case expectEnd
    /// A message is sent: text and JSON as text, bytes and files as binary.
    case send(PlannedPiece)
    /// A ping is sent.
    case ping(String)
    /// The mock server says goodbye.
    case close(code: Int, reason: String)
    /// The mock server says goodbye with a code and a reason that the request decides.
    case computedClose(code: PlannedReplyComputation.Part, reason: PlannedText?)
    /// The mock server leaves without a word.
    case leave(ConnectionEnding)
  }

  /// Virtual time since the step before, unless it is computed.
  package var delay: Nanoseconds
  /// The delay that the request decides; `nil` if it is written out.
  package var computedDelay: PlannedReplyComputation.Delay?
  /// The action then.
  package var action: Action
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a step.
  package init(delay: Nanoseconds = .zero, _ action: Action, at range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// A step of a call in which both sides send in turn.
package struct PlannedCallStep: Sendable, Hashable, Codable {
  /// An action on the WebSocket.
  package enum Action: Sendable, Hashable, Codable {
    /// A message is sent.
    case send(PlannedPiece)
    /// The client's next message must be so.
    case expect(PlannedMatcher)
    /// The client's next message, decoded as one of that full name, must be so.
    case expectMessage(PlannedMatcher, type: String)
    /// The client's next message must be these bytes.
    case expectBytes([UInt8])
    /// The client has no more messages.
    case expectEnd
  }

  /// Virtual time since the step before, unless it is computed.
  package var delay: Nanoseconds
  /// The delay that the request decides; `nil` if it is written out.
  package var computedDelay: PlannedReplyComputation.Delay?
  /// The action then.
  package var action: Action
  /// The place in the scenario file.
  package var range: SourceRange

  /// Creates a step.
  package init(delay: Nanoseconds = .zero, _ action: Action, at range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// Messages and a status of gRPC.
package struct PlannedGRPC: Sendable, Hashable, Codable {
  /// The messages; each step sends one.
  package var messages: [PlannedStreamStep]
  /// The script in place of the messages, where the client's are waited for: the reply begins before the
  /// request has ended.
  package var conversation: [PlannedCallStep] = []
  /// The status, unless it is computed.
  package var status: Int
  /// The status that the request decides, as a number or a name; `nil` if it is written out.
  package var computedStatus: PlannedReplyComputation.Part?
  /// The text beside the status.
  package var error: PlannedText?

  /// Creates a reply.
  package init(messages: [PlannedStreamStep], status: Int = 0, error: PlannedText? = nil) {
    self.messages = messages
    self.status = status
    self.error = error
  }
}
