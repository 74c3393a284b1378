/// The number of a wall clock: the scenario's, or a target's own.
package struct WallNumber: Hashable, Sendable {
  /// The number of the target that has it, from 0; −1 for the scenario's.
  let target: Int

  /// The scenario's.
  package static let scenario = WallNumber(target: -1)
}
