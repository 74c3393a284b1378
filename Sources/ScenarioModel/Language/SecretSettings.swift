/// `secrets:` what no report shows, whatever prints it.
public struct SecretSettings: Sendable {
  /// `env:` names of the runner's own variables whose values are secret.
  public var variables: [Located<String>] = []
  /// `matches:` regular expressions; what they match is secret.
  public var expressions: [Located<String>] = []

  /// Creates settings by which nothing is secret.
  public init() {}
}
