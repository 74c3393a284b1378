package import Foundations
package import ScenarioModel

/// The scenario's settings for its execution; `nil` leaves them to the run.
package struct PlannedExecution: Sendable, Hashable, Codable {
  /// Names that no two cases that run at once share.
  package var exclusive: [String]?
  /// True if nothing else runs meanwhile.
  package var isAlone: Bool?
  /// The real time between SIGTERM and SIGKILL.
  package var grace: Nanoseconds?
  /// The meaning of processes that outlive the target.
  package var leak: LeakRule?
  /// The number of times that the case is tried again if it does not pass.
  package var retries: Int?

  /// Creates what says nothing.
  package init() {}

  /// Creates the settings of a scenario; `nil` if it has none.
  package init?(_ settings: ExecutionSettings) {
    switch settings.exclusive?.value {
    case .alone?: isAlone = true
    case .names(let names)? where !names.isEmpty: exclusive = names
    default: break
    }
    grace = settings.grace?.value
    leak = settings.leak?.value
    retries = settings.retries?.value
    guard self != PlannedExecution() else { return nil }
  }

  /// Labels and texts for a person.
  package var summary: [(label: String, text: String)] {
    var lines: [(label: String, text: String)] = []
    if let exclusive { lines.append(("exclusive", exclusive.joined(separator: ", "))) }
    if isAlone ?? false { lines.append(("exclusive", "alone")) }
    if let grace { lines.append(("grace", grace.description)) }
    if let leak { lines.append(("leaks", leak.rawValue)) }
    if let retries { lines.append(("retries", "\(retries)")) }
    return lines
  }
}
