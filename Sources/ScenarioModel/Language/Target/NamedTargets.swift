package import Foundations

/// One entry of `targets:`: an executable under test that steps call by its name.
package struct NamedTarget: Sendable {
  /// What steps call it.
  package var name: Located<String>
  /// What stands below the name.
  package var settings: TargetSettings

  /// Creates a target.
  package init(name: Located<String>, settings: TargetSettings) {
    self.name = name
    self.settings = settings
  }
}

extension [NamedTarget] {
  /// These, and of others those whose names are not among them.
  package func over(_ others: [NamedTarget]) -> [NamedTarget] {
    self + others.filter { other in !contains { $0.name.value == other.name.value } }
  }
}
