package import Foundations
package import ScenarioModel

/// Who answers requests in the mock server's place.
package struct PlannedHandler: Sendable, Hashable, Codable {
  /// A target of the case that answers.
  package struct Target: Sendable, Hashable, Codable {
    /// The target's name.
    package var name: String
    /// A name or an address at which it is reached.
    package var host: String
    /// The port that it listens on.
    package var port: PlannedText
    /// How long its answer may take to begin, in virtual time.
    package var patience: Nanoseconds

    /// Creates a target.
    package init(name: String, host: String, port: PlannedText, patience: Nanoseconds) {
      self.name = name
      self.host = host
      self.port = port
      self.patience = patience
    }
  }

  /// Who answers.
  package enum Answerer: Sendable, Hashable, Codable {
    /// A target of the case.
    case target(Target)
    /// A program outside of it, with its arguments.
    case program([String])
  }

  /// Who answers.
  package var answerer: Answerer
  /// The meaning of a request that is not answered.
  package var unanswered: NetworkSettings.Unused

  /// Creates a handler.
  package init(_ answerer: Answerer, unanswered: NetworkSettings.Unused) {
    self.answerer = answerer
    self.unanswered = unanswered
  }

  /// True if a program outside of the case's targets answers.
  package var isProgram: Bool {
    if case .program = answerer { true } else { false }
  }

  /// Who answers, in words.
  package var text: String {
    switch answerer {
    case .target(let target): "the target \"\(target.name)\""
    case .program(let command): "the program \"\(command.first ?? "")\""
    }
  }
}
