/// The number of one of a scenario's targets: its index among them.
package struct TargetNumber: Hashable, Sendable {
  /// The place, from 0.
  package let index: Int

  /// Creates a number.
  package init(_ index: Int) {
    self.index = index
  }

  /// The first target, which is the only one of most scenarios.
  package static let first = TargetNumber(0)
}
