package import Foundations

/// What a client sends in a call of gRPC, decoded.
package struct IncomingCall: Sendable, Hashable {
  /// The messages in order; what a client leaves out has its default.
  package var messages: [Value]
  /// The messages with only what the client has sent.
  package var written: [Value]
  /// True if the client may send any number of messages.
  package var isStream: Bool
  /// The reason why the rest is no message; `nil` if all of it is.
  package var problem: String?

  /// Creates a call.
  package init(messages: [Value] = [], written: [Value] = [], isStream: Bool) {
    self.messages = messages
    self.written = written
    self.isStream = isStream
  }
}
