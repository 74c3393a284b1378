package import Foundations

/// Who answers requests in the mock server's place: a target of the case, or a command.
package struct Handler: Sendable {
  /// `target:` the target's name; `nil` where a command answers.
  package var target: Located<String>?
  /// `exec:` the command, which answers each line of JSON with one.
  package var command: [Located<String>] = []
  /// `port:` the port that the target listens on; `nil` is the one of its `ready:`.
  package var port: DataNode?
  /// `within:` how long the target's answer may take to begin, in virtual time; `nil` is 30 s.
  package var patience: Nanoseconds?
  /// `unanswered:` the meaning of a request that is not answered.
  package var unanswered = NetworkSettings.Unused.fail
  /// The place of the handler.
  package var range: SourceRange

  /// Creates a handler.
  package init(target: Located<String>? = nil, at range: SourceRange) {
    self.target = target
    self.range = range
  }
}
