package import Foundations

/// The names that expressions may use in one place, prepared for all mistakes that are made there.
package final class ExpressionFields {
  /// The names in their order.
  package let names: [String]
  private lazy var all = Set(names)
  private var prepared: [[String]: KnownNames] = [:]

  /// Creates a list of names.
  package init(_ names: [String]) {
    self.names = names
  }

  /// Returns whether a name is among them.
  package func contains(_ name: String) -> Bool { all.contains(name) }

  /// These names and some others.
  package func known(and others: [String] = []) -> KnownNames {
    if let known = prepared[others] { return known }
    let known = KnownNames(names + others)
    prepared[others] = known
    return known
  }
}
