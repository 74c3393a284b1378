package import Foundations

/// Who answers requests in the mock server's place: a target of the case, or a command.
package struct Handler: Sendable {
  /// `target:` the target's name; `nil` where a command answers.
  package var target: Located<String>?
  /// `exec:` the command, which answers each line of JSON with one.
  package var command: [Located<String>] = []
  /// `port:` the port that the target listens on; `nil` is the one of its `ready:`.
  package var port: DataNode?
  /// `within:` how long the target's answer may take to begin, in virtual time.
  package var patience = Nanoseconds.seconds(30)
  /// `unanswered:` the meaning of a request that is not answered.
  package var unanswered = NetworkSettings.Unused.fail

  /// Creates a handler.
  package init(target: Located<String>? = nil) { self.target = target }
}
