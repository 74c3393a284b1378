/// The files and variables by which a process learns which certificate authorities to trust.
final class TrustUse {
  /// The certificate bundles that the process opened, by the paths that it used, in order.
  private(set) var files: [String] = []
  /// The variables about trust that it was started with; `nil` until they are read.
  private(set) var variables: [String]?
  /// The variables that it was given by its kind, as `NAME=VALUE`.
  private var given: [String] = []
  /// The variables that the program before was given and that this one was started without.
  private var withdrawn: [String] = []

  /// The largest number of files that are kept.
  private static let limit = 16

  init() {}

  /// Creates the copy for a forked process, which runs the same program on.
  init(inheriting other: TrustUse) {
    files = other.files
    variables = other.variables
    given = other.given
    withdrawn = other.withdrawn
  }

  /// Records that a file was opened.
  func recordFile(_ path: String) {
    if files.count < Self.limit, !files.contains(path) { files.append(path) }
  }

  /// True if it was given variables by its kind, which it may hand on.
  var isTold: Bool { !given.isEmpty }

  /// Records the variables that a program which begins was given by its kind, and those that were
  /// removed, as `NAME=VALUE`.
  func record(given: [String], withdrawn: [String]) {
    self.given = given
    self.withdrawn = withdrawn
  }

  /// Reads the variables of a process, once.
  ///
  /// /proc/PID/environ has what the caller of execve(2) wrote, and not what its kind was given behind that.
  func readVariables(of process: ThreadIdentifier, among names: Set<String>) {
    guard variables == nil, !names.isEmpty else { return }
    let text = SmallFile.read("/proc/\(process.number)/environ") ?? ""
    let written = text.split(separator: "\0").compactMap { line in
      let name = line.prefix { $0 != "=" }
      return names.contains(String(name)) ? String(line) : nil
    }
    variables = written.filter { !withdrawn.contains($0) && !given.contains($0) } + given
  }
}

/// The files and variables from which a process read its trusted authorities, or did not.
package struct TrustReport: Sendable, Hashable {
  /// Bundles of certificates that it opened.
  package var files: [String]
  /// Variables about trust that it was started with, as `NAME=VALUE`.
  package var variables: [String]
  /// True if SIGKILL has ended the process that made the connection.
  package var wasKilled = false
}
