/// The mode of colours in a terminal report.
package enum ColourMode: String, Sendable, Hashable, CaseIterable {
  /// Colours on a terminal that shows them.
  case auto
  /// Colours in any case.
  case always
  /// No colours.
  case never

  /// Returns whether colours are used.
  ///
  /// `auto` honours the usual names: any `NO_COLOR` forbids, any `FORCE_COLOR` but `0` demands, and
  /// `TERM=dumb`, or none, means a terminal that shows none.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the output is a terminal.
  ///   - environment: The caller's environment.
  package func usesColour(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false { return false }
      if let forced = environment["FORCE_COLOR"], !forced.isEmpty { return forced != "0" }
      return isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    }
  }
}
