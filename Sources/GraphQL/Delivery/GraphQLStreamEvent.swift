package import Foundations

/// An event of a stream of results.
package enum GraphQLStreamEvent: Sendable, Hashable {
  /// A result: a map with `data`, `errors` and `extensions`.
  case next(Value)
  /// Errors that end the stream.
  case errors(Value)
  /// The end.
  case complete
  /// The end of the WebSocket, with a code; other ways of delivery break off.
  case close(code: Int, reason: String)
  /// The end of the connection, without a word.
  case leave(ConnectionEnding)
}

/// An event of a stream, and when it is due.
package struct GraphQLTimedEvent: Sendable, Hashable {
  /// Virtual time since the event before.
  package var delay: Nanoseconds
  /// The event at that time.
  package var event: GraphQLStreamEvent

  /// Creates an event.
  package init(after delay: Nanoseconds, _ event: GraphQLStreamEvent) {
    self.delay = delay
    self.event = event
  }
}
