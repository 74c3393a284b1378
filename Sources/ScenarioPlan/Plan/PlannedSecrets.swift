internal import Foundations
internal import OrderedCollections
package import ScenarioModel

/// The secrets that no report shows: names and expressions, and never a value.
package struct PlannedSecrets: Sendable, Hashable, Codable {
  /// Names of the runner's own variables whose values are secret.
  package var variables: [String]
  /// Regular expressions; what they match is secret.
  package var expressions: [String]

  /// Collects the settings of all files, and of those that they use, each once; `nil` if there are
  /// none.
  package init?(of files: [ScenarioFile]) {
    let settings = files.flatMap(\.allSecrets)
    variables = Array(OrderedSet(settings.flatMap { $0.variables.map(\.value) }))
    expressions = Array(OrderedSet(settings.flatMap { $0.expressions.map(\.value) }))
    if variables.isEmpty && expressions.isEmpty { return nil }
  }
}

extension ScenarioFile {
  /// The settings of secrets of the file and of every file that it uses.
  package var allSecrets: [SecretSettings] { (secrets.map { [$0] } ?? []) + shared.secrets }
}
