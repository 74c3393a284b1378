public import ScenarioModel

/// A change that `$mutate` makes to the data of a case.
public struct PlannedMutation: Sendable, Hashable, Codable {
  /// The place: `build.bob.address.city`.
  public var path: String
  /// In which way it is changed.
  public var kind: MutationKind
  /// What stood there, as JSON, shortened.
  public var before: String
  /// What stands there now; `nil` if its key or element is gone.
  public var after: String?
  /// Where the rule stands.
  public var range: SourceRange

  /// The change in one line.
  public var text: String {
    "\(path): \(before) → \(after ?? "left out") (\(kind.rawValue))"
  }
}
