/// A missing requirement of a run on this machine or in this process, with advice.
package struct MachineShortage: Error, Sendable, Hashable {
  /// The available and the required amount, in one line.
  package var message: String
  /// The exact fix.
  package var help: String
}
