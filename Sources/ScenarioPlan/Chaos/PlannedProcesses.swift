package import Patterns
package import ScenarioModel

/// The processes that a chaos entry is about: any that one of its words means.
package struct PlannedProcesses: Sendable, Hashable, Codable {
  /// Globs on the program's names, or on its paths where they hold a slash.
  package var programs: [GlobPattern] = []
  /// Numbers in the order of births, from 1.
  package var ordinals: [Int] = []

  /// Creates an empty list.
  package init() {}

  /// The processes as the author has named them.
  package var summary: String {
    (programs.map(\.text) + ordinals.map(String.init)).joined(separator: ", ")
  }
}

extension ChaosSchedule {
  /// True if the entry's time begins at a moment: then it applies to the processes that live at it,
  /// and to those that begin while it holds.
  package var isMoment: Bool { from != nil || event != nil }
}

extension PlannedProvider {
  /// True if the target may be started again.
  package var restarts: Bool {
    switch self {
    case .restart: true
    case .sequence(let providers): providers.contains(where: \.restarts)
    case .signal(_, _, let then): then.restarts
    default: false
    }
  }
}
