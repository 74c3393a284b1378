package import Foundations

/// One entry of `targets:`: an executable under test that steps call by its name.
package struct NamedTarget: Sendable {
  /// The name in steps.
  package var name: Located<String>
  /// The settings below the name.
  package var settings: TargetSettings

  /// Creates a target.
  package init(name: Located<String>, settings: TargetSettings) {
    self.name = name
    self.settings = settings
  }
}

extension [NamedTarget] {
  /// These with what they do not say taken from others of their names, and the others.
  package func over(_ others: [NamedTarget]) -> [NamedTarget] {
    map { target in
      let other = others.first { $0.name.value == target.name.value }
      return NamedTarget(name: target.name, settings: target.settings.over(other?.settings))
    } + others.filter { other in !contains { $0.name.value == other.name.value } }
  }
}
