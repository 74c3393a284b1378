package import Foundations

/// The end of the piece of a byte stream that `expect:` reads.
package enum PieceEnd: Sendable, Hashable, Codable {
  /// A line feed, which does not count, nor does a carriage return in front of it.
  case line
  /// `until:` a text, which does not count.
  case text(String)
  /// `bytes:` a number of bytes.
  case length(Int)
}

/// A step of `tcp:`.
package struct ConversationStep: Sendable {
  /// An action on the connection.
  package enum Action: Sendable {
    /// `expect:` the client's next piece must be so.
    case expect(Matcher, upTo: PieceEnd)
    /// `expect: { base64: … }` the client's next bytes must be these.
    case expectBytes([UInt8])
    /// `expect: end`: the client has no more bytes, and closes its side.
    case expectEnd
    /// `send:`
    case send(PieceContent)
    /// `starttls:` both sides go on in TLS.
    case startTLS
    /// `close:`
    case close(ConnectionEnding)
  }

  /// `after:` virtual time since the step before.
  package var delay: Nanoseconds
  /// The action then.
  package var action: Action
  /// The place of the step.
  package var range: SourceRange

  /// Creates a step.
  package init(delay: Nanoseconds, action: Action, range: SourceRange) {
    self.delay = delay
    self.action = action
    self.range = range
  }
}

/// An entry of `responses:` with `host:` and `tcp:`: connections that follow a script.
package struct ConversationPattern: Sendable {
  /// `host:` the name, may hold `*`, with a port where only one is meant.
  package var host: Located<String>
  /// `tls:` true if the connection begins with TLS.
  package var isSecure: Bool
  /// `times:` how many connections follow it; `nil` is all.
  package var times: Int?
  /// `tcp:`, never empty.
  package var steps: [ConversationStep]

  /// Creates a pattern.
  package init(
    host: Located<String>, isSecure: Bool, times: Int?, steps: [ConversationStep]
  ) {
    self.host = host
    self.isSecure = isSecure
    self.times = times
    self.steps = steps
  }
}
