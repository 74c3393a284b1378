package import Foundations
package import ScenarioModel

/// A step of the script of a TCP connection.
package struct PlannedConversationStep: Sendable, Hashable, Codable {
  /// An action on the connection.
  package enum Action: Sendable, Hashable, Codable {
    /// The client's next piece must be so.
    case expect(PlannedMatcher, upTo: PieceEnd)
    /// The client's next bytes must be these.
    case expectBytes([UInt8])
    /// The client has no more bytes, and closes its side.
    case expectEnd
    /// Bytes are sent.
    case send(PlannedPiece)
    /// Both sides go on in TLS.
    case startTLS
    /// The mock server closes the connection.
    case close(ConnectionEnding)
  }

  /// Virtual time since the step before.
  package var delay: Nanoseconds
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

/// Connections to a host that follow a script.
package struct PlannedConversation: Sendable, Hashable, Codable {
  /// The name in messages.
  package var name: String
  /// The host in lower case; may hold `*`.
  package var host: String
  /// The port; `nil` is any.
  package var port: UInt16?
  /// True if the connection begins with TLS.
  package var isSecure: Bool
  /// The script, never empty.
  package var steps: [PlannedConversationStep]
  /// The number of connections that follow it; `nil` is all.
  package var times: Int?
  /// True if it is used only after the scenario's own requests, as a response is; `nil` is no.
  package var isFallback: Bool?
  /// The place in the scenario file.
  package var range: SourceRange

  /// True if clients need to trust the mock server's certificate.
  package var speaksTLS: Bool { isSecure || steps.contains { $0.action == .startTLS } }

  /// Creates an entry.
  package init(
    name: String, host: String, port: UInt16?, isSecure: Bool = false,
    steps: [PlannedConversationStep], times: Int? = nil, range: SourceRange
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.steps = steps
    self.times = times
    self.range = range
  }
}
