package import Foundations
package import ScenarioModel

/// A change that `$mutate` makes to the data of a case.
package struct PlannedMutation: Sendable, Hashable, Codable {
  /// The place: `build.bob.address.city`.
  package var path: String
  /// The way in which it is changed.
  package var kind: MutationKind
  /// The former value, as JSON, shortened.
  package var before: String
  /// The new value; `nil` if its key or element is gone.
  package var after: String?
  /// The place of the rule.
  package var range: SourceRange

  /// Creates a change.
  package init(
    path: String, kind: MutationKind, before: String, after: String? = nil, range: SourceRange
  ) {
    self.path = path
    self.kind = kind
    self.before = before
    self.after = after
    self.range = range
  }

  /// The change in one line.
  package var text: String {
    "\(path): \(before) → \(after ?? "left out") (\(kind.rawValue))"
  }
}
