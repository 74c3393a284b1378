internal import Patterns
internal import ScenarioPlan

extension PlannedProcesses {
  /// Returns whether a process is meant.
  ///
  /// - Parameters:
  ///   - ordinal: its number.
  ///   - program: what it runs; unknown if it is about to run something else.
  func mean(ordinal: Int, program: ProgramNames) -> Bool {
    if ordinals.contains(ordinal) { return true }
    guard !program.isUnknown else { return false }
    return programs.contains { pattern in
      guard let glob = CompiledGlob(pattern.text) else { return false }
      return program.match(glob, isAboutPath: pattern.text.contains("/"))
    }
  }
}
