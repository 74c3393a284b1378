package import Foundations

/// The parts of the files that `include:` names: a fallback, behind everything that the file itself
/// says.
package struct SharedParts: Sendable {
  /// A file that `include:` names, directly or through others.
  package struct File: Sendable {
    /// Its path as messages show it.
    package var path: String
    /// The folder that paths in it count from; empty is the runner's own.
    package var folder: String
    /// The entry of `include:` by which it came.
    package var usedAt: SourceRange

    /// Creates a file.
    package init(path: String, folder: String, usedAt: SourceRange) {
      self.path = path
      self.folder = folder
      self.usedAt = usedAt
    }
  }

  /// The files, each once, in the order in which they were met.
  package var files: [File] = []
  /// `target:` of the one file that has it.
  package var target: TargetSettings?
  /// `targets:`, each name once.
  package var targets: [NamedTarget] = []
  /// `factories:`, each name once.
  package var factories: [FactoryDefinition] = []
  /// `sequences:`, each name once.
  package var sequences: [SequenceDefinition] = []
  /// `responses:`, in the order of the files.
  package var responses: [ResponseEntry] = []
  /// `chaos:`, in the order of the files.
  package var chaos: [ChaosEntry] = []
  /// `vars:`, each name once.
  package var variables: [VariableDefinition] = []
  /// `secrets:` of each file that has some.
  package var secrets: [SecretSettings] = []
  /// The names that expressions of the files read.
  package var namesRead = NamesRead()

  /// True if anything is missing because a file could not be read, or not as a whole.
  package var isPartial = false

  /// Creates parts that bring nothing.
  package init() {}
}

extension SharedParts {
  /// The parts without what a file overrides.
  package func without(_ keys: [Located<String>]) -> SharedParts {
    var parts = self
    for key in keys {
      switch key.value {
      case "chaos": parts.chaos = []
      case "factories": parts.factories = []
      case "responses": parts.responses = []
      case "sequences": parts.sequences = []
      case "target": parts.target = nil
      case "targets": parts.targets = []
      default: break
      }
    }
    return parts
  }
}
