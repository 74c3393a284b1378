internal import Glibc

/// Whether this process is part of an automatic build.
enum AutomaticBuild {
  /// True if the variable CI says so, as the usual services set it.
  static var isOn: Bool {
    let word = getenv("CI").map { String(cString: $0).lowercased() } ?? ""
    return !["", "0", "false", "no"].contains(word)
  }
}
