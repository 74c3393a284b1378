/// What this machine, or this process on it, lacks for a run, with advice.
package struct MachineShortage: Error, Sendable, Hashable {
  /// What there is and what is needed, in one line.
  package var message: String
  /// The exact fix.
  package var help: String
}
