internal import Foundations

extension WatchedRun {
  /// The processes that outlive a command, and what they do behind its end while something waits for them.
  struct Survivors {
    /// Those that do not end at once, in start order.
    var left: [(program: String, number: Int32)] = []
    /// True if one of these ended neither by itself nor by SIGTERM.
    var wereKilled = false
    /// The files as they are behind it, by their paths below the working directory.
    var files: [String: File] = [:]
    /// The paths of those that were changed behind the end of the command.
    var latePaths: Set<String> = []
    /// True if they have written to standard output or standard error.
    var haveWritten = false
  }
}

extension WatchedRun.Seen {
  /// Leaves to processes that outlive the command what they have done: a scenario is judged by the moment in which the
  /// command ends, and expects nothing of it.
  mutating func leave(to survivors: WatchedRun.Survivors) {
    var changed: [String] = []
    for (path, later) in survivors.files {
      guard let known = files[path] else {
        // They may need it in a replay as well.
        files[path] = later
        files[path]?.isChanged = false
        if later.isChanged { changed.append(path) }
        continue
      }
      let isLate = survivors.latePaths.contains(path) && later.isChanged
      guard isLate || !known.hasResult(of: later) else { continue }
      files[path]?.isChanged = false
      changed.append(path)
    }
    if let first = survivors.left.first {
      let others = survivors.left.count == 1 ? "" : " and \(survivors.left.count - 1) more"
      notes.append(
        "\(first.program) (process \(first.number))\(others) outlived the command and"
          + (survivors.wereKilled
            ? " was killed: the scenario does not expect what it would have done later"
            : " ended after SIGTERM: the scenario does not expect what it did later"))
    }
    let names =
      changed.sorted().prefix(3).map { "\"\($0)\"" }
      + (changed.count > 3 ? ["\(changed.count - 3) more files"] : [])
      + (survivors.haveWritten ? ["its output"] : [])
    if !names.isEmpty {
      notes.append(
        "processes that outlived the command changed \(names.joined(separator: ", ")) after its exit: the scenario does"
          + " not expect that")
    }
    isOutlived = !survivors.left.isEmpty || !names.isEmpty
  }
}

extension WatchedRun.File {
  /// Returns whether a file is at its end what another is.
  fileprivate func hasResult(of other: Self) -> Bool {
    after == other.after && linkAfter == other.linkAfter && modeAfter == other.modeAfter
  }
}
