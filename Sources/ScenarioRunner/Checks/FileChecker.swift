internal import Patterns
internal import ScenarioEvents
internal import ScenarioPlan

/// Checks conditions on files below the case's directory, its home and its folder for temporary files.
struct FileChecker {
  let checker: ExpectationChecker

  private var world: CaseEnvironment { checker.world }

  /// Checks a condition on files; no failures if it holds.
  func failures(of subject: PlannedExpectation.Subject) -> [Failure] {
    switch subject {
    case .fileAbsent(let pattern):
      guard let found = entries(pattern).first else { return [] }
      return [
        Failure(
          category: .expectation, type: "expect.files",
          message: "files: expected no file that matches \"\(pattern.text)\"",
          actual: "\"\(found)\"")
      ]
    case .fileExists(let pattern):
      return entries(pattern).isEmpty ? [missing(pattern)] : []
    case .file(let pattern, let matcher):
      return check(pattern, matcher)
    case .fileProperties(let pattern, let properties):
      return check(pattern, properties)
    default:
      return []
    }
  }

  private func check(_ pattern: GlobPattern, _ matcher: PlannedMatcher) -> [Failure] {
    let found = files(pattern)
    guard !found.isEmpty else { return [missing(pattern)] }
    var failures: [Failure] = []
    for path in found where failures.count < Mismatch.limit {
      let bytes: [UInt8]
      do {
        bytes = try FileTree.read(absolute(path))
      } catch {
        var failure = Failure(error, path: path)
        failure.message = "files: \(failure.message)"
        failures.append(failure)
        continue
      }
      failures += checker.matchText(matcher, bytes, type: "expect.files", name: path)
    }
    return failures
  }

  // MARK: - What is there

  func missing(_ pattern: GlobPattern) -> Failure {
    let (folder, prefix) = place(of: pattern.text)
    let name = prefix.isEmpty ? "the case's directory" : String(prefix.dropLast())
    let all = FileTree.files(below: folder) + FileTree.folders(below: folder).map { $0 + "/" }
    return Failure(
      category: .expectation, type: "expect.files",
      message: "files: no file matches \"\(pattern.text)\"",
      details: all.isEmpty
        ? ["\(name) is empty"] : ["\(name) contains:"] + all.prefix(20).map { prefix + $0 })
  }

  func missingFolder(_ pattern: GlobPattern) -> Failure {
    Failure(
      category: .expectation, type: "expect.files",
      message: "files: no folder matches \"\(pattern.text)\"")
  }

  func files(_ pattern: GlobPattern) -> [String] {
    let place = place(of: pattern.text)
    return FileTree.files(below: place.folder).map { place.prefix + $0 }
      .filter { pattern.matches($0) }
  }

  /// Returns the files that match a pattern, and for a name without wildcards also a folder.
  private func entries(_ pattern: GlobPattern) -> [String] {
    files(pattern) + (pattern.isPlain ? folders(pattern).map { $0 + "/" } : [])
  }

  func folders(_ pattern: GlobPattern) -> [String] {
    let place = place(of: pattern.text)
    return FileTree.folders(below: place.folder).map { place.prefix + $0 }
      .filter { pattern.matches($0) }
  }

  /// The path of a file that was found.
  func absolute(_ path: String) -> String {
    let place = place(of: path)
    return "\(place.folder)/\(path.dropFirst(place.prefix.count))"
  }

  /// The folder that a path counts from, and what the path begins with for it.
  private func place(of path: String) -> (folder: String, prefix: String) {
    for (name, folder) in [
      ("$HOME", world.directory.home), ("$TMPDIR", world.directory.temporary),
    ] where path.hasPrefix(name + "/") {
      return (folder, name + "/")
    }
    return (world.directory.work, "")
  }
}
