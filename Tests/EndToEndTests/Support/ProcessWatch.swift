import Glibc

/// Looks at processes that were started by what a test runs.
enum ProcessWatch {
  /// A file did not come to hold a line.
  private struct Missing: Error { let path: String }

  /// Waits until a file holds a line; what it holds.
  static func line(in path: String) throws -> String {
    for _ in 0..<3_000 {
      let text = TemporaryFolder.read(path) ?? ""
      if text.hasSuffix("\n") { return String(text.dropLast()) }
      poll(nil, 0, 10)
    }
    throw Missing(path: path)
  }

  /// Waits until a file holds the number of a process.
  static func number(in path: String) throws -> pid_t {
    guard let number = pid_t(try line(in: path)) else { throw Missing(path: path) }
    return number
  }

  /// Whether a process is gone, or ends soon.
  static func isGone(_ process: pid_t) -> Bool {
    for _ in 0..<1_000 {
      let state = TemporaryFolder.read("/proc/\(process)/stat")?.split(separator: ")").last
      if state == nil || state?.hasPrefix(" Z") ?? false { return true }
      poll(nil, 0, 10)
    }
    return false
  }
}
