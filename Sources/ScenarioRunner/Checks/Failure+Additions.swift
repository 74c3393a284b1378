internal import Foundations
internal import ScenarioEvents

extension Failure {
  /// The same failure, pointing to a place.
  func at(_ range: SourceRange) -> Failure {
    var copy = self
    copy.range = copy.range ?? range
    return copy
  }

  /// The same failure with another help.
  func with(help: String?) -> Failure {
    guard let help else { return self }
    var copy = self
    copy.help = help
    return copy
  }

  /// The same failure with one more thing to know.
  func with(hint: String?) -> Failure {
    guard let hint else { return self }
    var copy = self
    copy.help = copy.help.map { "\(hint); \($0)" } ?? hint
    return copy
  }

  /// The same failure with what the mock server was asked last, where the target waits for something that
  /// does not come.
  func with(lastRequest: String?) -> Failure {
    guard ["Stuck", "Timeout", "Endless"].contains(type), let lastRequest else { return self }
    var copy = self
    copy.details.append(lastRequest)
    return copy
  }

  /// The same failure with the help for a request that is never answered.
  func with(helpForHang: String?) -> Failure {
    guard ["Stuck", "Timeout", "Endless"].contains(type), let helpForHang else { return self }
    var copy = self
    copy.help = helpForHang
    return copy
  }

  /// Returns the failure with the requests that programs have not answered yet, for which virtual time stands still.
  func with(unanswered: [String]) -> Failure {
    guard type == "Timeout", !unanswered.isEmpty else { return self }
    var copy = self
    copy.details += unanswered
    copy.help =
      #"let the program answer each line with one, such as {"status": 200, "json": {}}, and flush its output"#
    return copy
  }

  /// Returns the failure with what the programs of handlers have written to standard error last.
  func with(handlerErrors lines: [String]) -> Failure {
    guard !lines.isEmpty else { return self }
    var copy = self
    copy.details += lines
    return copy
  }

  /// Returns the failure with recordings that may be the one that it misses, and the command that gives the first its
  /// name.
  func with(strayRecordings hints: (lines: [String], help: String)?) -> Failure {
    guard let hints else { return self }
    var copy = self
    copy.details = hints.lines + copy.details
    copy.help = copy.help.map { "\(hints.help); or \($0)" } ?? hints.help
    return copy
  }

  /// Returns the failure with the hosts whose clients waited for the server to speak first, where
  /// that may be the reason.
  func with(silences: [String]) -> Failure {
    guard ["Stuck", "Timeout", "Endless", "expect.exit"].contains(type) else { return self }
    var copy = self
    copy.details += silences
    return copy
  }

  /// The same failure with the clients that did not wait for their replies, where that may be the reason.
  func with(abandonments: [String]) -> Failure {
    guard ["expect.exit", "expect.stdout", "expect.stderr", "expect.requests"].contains(type),
      !abandonments.isEmpty
    else { return self }
    var copy = self
    copy.details += ["clients that gave up:"] + abandonments.map { "  " + $0 }
    return copy
  }
}
