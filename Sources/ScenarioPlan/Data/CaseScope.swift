public import ScenarioModel

/// What a run knows outside of replies: the case's directory.
public struct CaseScope: RunScope, Sendable {
  /// The absolute path of the case's directory.
  public var directory: String

  /// Creates a scope.
  public init(directory: String) {
    self.directory = directory
  }

  /// The directory as the root `dir`.
  public func value(of root: String) -> Value? {
    root == "dir" ? .string(directory) : nil
  }
}
