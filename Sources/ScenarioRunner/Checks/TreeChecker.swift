internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan

/// Checks conditions on whole folders.
struct TreeChecker {
  let files: FileChecker

  private var checker: ExpectationChecker { files.checker }

  /// Returns the reason why the condition does not hold; `nil` if it does.
  func failure(of tree: PlannedTree) -> Failure? {
    let folder = files.absolute(tree.path == "./" ? "" : tree.path)
    let snapshots = checker.world.snapshots
    let work = BoundedWork { Self.failure(of: tree, folder, snapshots) }
    switch work.run(before: checker.deadline, checker.cancellation) {
    case .done(let failure):
      var failure = failure
      if failure?.type == Self.missingFolder {
        failure?.type = "expect.files"
        failure?.details = files.missing(GlobPattern(tree.path)).details
      }
      return failure
    case .cancelled: return .stopped(by: checker.cancellation, at: tree.range)
    case .timedOut:
      return Failure(
        category: .error, type: "Timeout",
        message: "reading the folder \"\(tree.path)\" took longer than the case's limit",
        range: tree.range, help: "exclude files that do not matter with \"ignore\"")
    }
  }

  /// The type of a failure until what is there instead is reported as well.
  private static let missingFolder = "missing folder"

  private static func failure(
    of tree: PlannedTree, _ folder: String, _ snapshots: SnapshotSession
  ) -> Failure? {
    switch tree.condition {
    case .absent, .exists: return presence(of: tree, folder)
    case .equals(let expected): return compare(tree, folder, expected)
    case .only(let patterns): return compare(tree, folder, patterns)
    case .snapshot(let snapshot): return compare(tree, folder, snapshot, snapshots)
    }
  }

  private static func presence(of tree: PlannedTree, _ folder: String) -> Failure? {
    // A folder that may not be opened is there all the same.
    let status = FileStatus(path: folder)
    if status == nil, errno != ENOENT, errno != ENOTDIR { return unopened(tree, errno) }
    let isThere = status?.kind == .folder
    guard tree.condition == .absent else { return isThere ? nil : missing(tree) }
    return isThere ? differs(tree, "expected no folder \"\(tree.path)\"") : nil
  }

  // MARK: - With a folder of the project

  private static func compare(
    _ tree: PlannedTree, _ folder: String, _ expected: String
  ) -> Failure? {
    let ignored = GlobSet(tree.ignored)
    guard let wanted = TreeListing(expected, ignoring: ignored) else {
      return Failure(.system(errorNumber: errno), path: expected).at(tree.range)
    }
    guard let found = TreeListing(folder, ignoring: ignored) else { return unopened(tree, errno) }
    var comparison = TreeComparison(expectedName: expected, actualName: tree.path)
    comparison.compare(wanted, found, modes: tree.comparesModes)
    guard comparison.count > 0 else {
      return comparison.unreadable.isEmpty ? nil : unreadable(tree, comparison.unreadable)
    }
    return differs(
      tree, "expected the folder \"\(tree.path)\" to be as \"\(expected)\"",
      actual: differing(comparison.count), comparison.lines + comparison.unreadable.prefix(20))
  }

  // MARK: - Which files there are

  private static func compare(
    _ tree: PlannedTree, _ folder: String, _ patterns: [GlobPattern]
  ) -> Failure? {
    guard let found = TreeListing(folder, ignoring: GlobSet(tree.ignored)) else {
      return unopened(tree, errno)
    }
    let globs = GlobSet(patterns)
    var isMet = [Bool](repeating: false, count: patterns.count)
    var unexpected: [String] = []
    for path in found.paths where found.entries[path]?.node.kind != .folder {
      let places = globs.places(matching: path.glob)
      if places.isEmpty { unexpected.append("unexpected: \(path.text)") }
      for place in places { isMet[place] = true }
    }
    let missing = zip(patterns, isMet).filter { !$0.1 }.map { "missing: \($0.0.text)" }
    let lines = missing + unexpected
    guard !lines.isEmpty else {
      return found.problems.isEmpty ? nil : unreadable(tree, problems(of: found, tree))
    }
    let shown = 40
    return differs(
      tree,
      patterns.isEmpty
        ? "expected no file in the folder \"\(tree.path)\""
        : "expected only these files in the folder \"\(tree.path)\"",
      actual: differing(lines.count),
      lines.prefix(shown) + (lines.count > shown ? ["… \(lines.count - shown) more"] : [])
        + problems(of: found, tree).prefix(20))
  }

  // MARK: - With a snapshot

  private static func compare(
    _ tree: PlannedTree, _ folder: String, _ snapshot: PlannedSnapshot, _ snapshots: SnapshotSession
  ) -> Failure? {
    guard let found = TreeListing(folder, ignoring: GlobSet(tree.ignored)) else {
      return unopened(tree, errno)
    }
    let text: String
    do throws(TreeText.Problem) {
      text = try TreeText.text(of: found, modes: tree.comparesModes)
    } catch {
      switch error {
      case .unreadable(let error, let path):
        return unreadable(tree, [error.message(path: tree.path + path)])
      case .tooLong:
        return Failure(
          category: .error, type: "System",
          message: "the folder \"\(tree.path)\" contains more text than a snapshot may",
          range: tree.range, help: "exclude files that do not matter with \"ignore\"")
      }
    }
    return snapshots.mismatch(of: text, with: snapshot, at: tree.range, isTree: true).map {
      Failure($0, type: "expect.files", name: tree.path)
    }
  }

  // MARK: - Failures

  private static func unopened(_ tree: PlannedTree, _ errorNumber: Int32) -> Failure {
    errorNumber == ENOENT || errorNumber == ENOTDIR
      ? missing(tree) : Failure(.system(errorNumber: errorNumber), path: tree.path).at(tree.range)
  }

  private static func missing(_ tree: PlannedTree) -> Failure {
    Failure(
      category: .expectation, type: missingFolder,
      message: "files: there is no folder \"\(tree.path)\"", range: tree.range)
  }

  private static func unreadable(_ tree: PlannedTree, _ lines: [String]) -> Failure {
    Failure(
      category: .error, type: "System", message: "files: \(lines.first ?? "")", range: tree.range,
      details: Array(lines.dropFirst().prefix(20)),
      help: "exclude it with \"ignore\", or let the target make it readable")
  }

  private static func problems(of listing: TreeListing, _ tree: PlannedTree) -> [String] {
    listing.problems.map {
      FileReadError.system(errorNumber: $0.errorNumber).message(path: tree.path + $0.path.text)
    }
  }

  private static func differs(
    _ tree: PlannedTree, _ message: String, actual: String? = nil, _ details: [String] = []
  ) -> Failure {
    Failure(
      category: .expectation, type: "expect.files", message: "files: \(message)", range: tree.range,
      actual: actual, details: details)
  }

  private static func differing(_ count: Int) -> String {
    count == 1 ? "1 file differs" : "\(count) files differ"
  }
}
