package import Foundations

/// `secrets:` what no report shows, whatever prints it.
package struct SecretSettings: Sendable {
  /// `env:` names of the runner's own variables whose values are secret.
  package var variables: [Located<String>] = []
  /// `matches:` regular expressions; what they match is secret.
  package var expressions: [Located<String>] = []

  /// Creates settings by which nothing is secret.
  package init() {}
}
