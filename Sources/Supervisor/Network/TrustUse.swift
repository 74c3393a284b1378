/// By which files and variables a process gets to know whom it may trust.
final class TrustUse {
  /// Bundles of certificates that it opened, by the paths that it asked for, in order.
  private(set) var files: [String] = []
  /// The variables about trust that it was started with; `nil` until somebody wants to know.
  private(set) var variables: [String]?

  /// How many files are kept.
  private static let limit = 16

  init() {}

  /// What a process inherits that was forked and runs the same program on.
  init(inheriting other: TrustUse) {
    files = other.files
    variables = other.variables
  }

  /// Notes that a file was opened.
  func noteFile(_ path: String) {
    if files.count < Self.limit, !files.contains(path) { files.append(path) }
  }

  /// Reads the variables of a process, once (proc(5): /proc/PID/environ).
  func readVariables(of process: ThreadIdentifier, among names: Set<String>) {
    guard variables == nil, !names.isEmpty else { return }
    let text = SmallFile.read("/proc/\(process.number)/environ") ?? ""
    variables = text.split(separator: "\0").compactMap { line in
      let name = line.prefix { $0 != "=" }
      return names.contains(String(name)) ? String(line) : nil
    }
  }
}

/// What is known of how a process came to trust, or not to.
public struct TrustReport: Sendable, Hashable {
  /// Bundles of certificates that it opened.
  public var files: [String]
  /// Variables about trust that it was started with, as `NAME=VALUE`.
  public var variables: [String]
}
