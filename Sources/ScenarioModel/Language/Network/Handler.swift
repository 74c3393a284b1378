package import Foundations

/// `handler:` of a reply: a target of the case that answers the request.
package struct Handler: Sendable {
  /// `target:` the target's name.
  package var target: Located<String>
  /// `port:` the port that it listens on; `nil` is the one of its `ready:`.
  package var port: DataNode?
  /// `within:` how long its answer may take to begin, in virtual time.
  package var patience = Nanoseconds.seconds(30)
  /// `unanswered:` the meaning of a request that it does not answer.
  package var unanswered = NetworkSettings.Unused.fail

  /// Creates a handler.
  package init(target: Located<String>, port: DataNode? = nil) {
    self.target = target
    self.port = port
  }
}
