internal import Glibc
internal import ScenarioReport

extension ColourMode {
  /// Returns whether colours are used on a stream.
  func usesColour(descriptor: Int32) -> Bool {
    usesColour(isTerminal: isatty(descriptor) == 1, environment: ColourVariables.current())
  }
}

/// The variables of this process that decide about colours.
enum ColourVariables {
  /// Returns the variables that are set.
  static func current() -> [String: String] {
    var variables: [String: String] = [:]
    for name in ["NO_COLOR", "FORCE_COLOR", "TERM"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }
}
