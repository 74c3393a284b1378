public import ScenarioModel

/// Something that happens in a stream of results.
public enum GraphQLStreamEvent: Sendable, Hashable {
  /// A result: a map with `data`, `errors` and `extensions`.
  case next(Value)
  /// Errors that end the stream.
  case errors(Value)
  /// The end.
  case complete
}

/// An event of a stream, and when it is due.
public struct GraphQLTimedEvent: Sendable, Hashable {
  /// Virtual time since the event before.
  public var delay: Nanoseconds
  /// What happens then.
  public var event: GraphQLStreamEvent

  /// Creates an event.
  public init(after delay: Nanoseconds, _ event: GraphQLStreamEvent) {
    self.delay = delay
    self.event = event
  }
}
