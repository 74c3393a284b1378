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
      let listing = listing(pattern)
      guard let found = listing.entries.first else { return listing.unlisted.list }
      return [
        Failure(
          category: .expectation, type: "expect.files",
          message: "files: expected no file that matches \"\(pattern.text)\"",
          actual: "\"\(found)\"")
      ]
    case .fileExists(let pattern):
      let listing = listing(pattern)
      return listing.entries.isEmpty ? [listing.unlisted ?? missing(pattern)] : []
    case .file(let pattern, let matcher):
      return check(pattern, matcher)
    case .fileProperties(let pattern, let properties):
      return check(pattern, properties)
    default:
      return []
    }
  }

  private func check(_ pattern: GlobPattern, _ matcher: PlannedMatcher) -> [Failure] {
    let listing = listing(pattern)
    guard !listing.files.isEmpty else { return [listing.unlisted ?? missing(pattern)] }
    var failures = listing.unlisted.list
    for path in listing.files where failures.count < Mismatch.limit {
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
    let paths = FileTree.paths(below: folder)
    let all = paths.files + paths.folders.map { $0 + "/" }
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

  /// What matches a pattern.
  struct Listing {
    var files: [String]
    var folders: [String]
    /// The files, and for a name without wildcards also the folder.
    var entries: [String]
    /// The failure of a folder that cannot be listed and may hold more of them; `nil` if there is none.
    var unlisted: Failure?
  }

  /// Lists what matches a pattern.
  func listing(_ pattern: GlobPattern) -> Listing {
    let place = place(of: pattern.text)
    let paths = FileTree.paths(below: place.folder)
    let files = paths.files.map { place.prefix + $0 }.filter { pattern.matches($0) }
    let folders = paths.folders.map { place.prefix + $0 }.filter { pattern.matches($0) }
    let unlisted = paths.unlisted.first {
      pattern.mayMatch(below: $0.path.isEmpty ? place.prefix : "\(place.prefix)\($0.path)/")
    }
    return Listing(
      files: files, folders: folders,
      entries: files + (pattern.isPlain ? folders.map { $0 + "/" } : []),
      unlisted: unlisted.map { unlisted in
        Failure(
          category: .error, type: "System",
          message: "files: "
            + FileReadError.system(errorNumber: unlisted.errorNumber)
            .listMessage(path: place.prefix + (unlisted.path.isEmpty ? "." : unlisted.path)),
          help: "whether a file in it matches \"\(pattern.text)\" is not known:"
            + " let the target make the folder readable")
      })
  }

  /// The path of a file that was found.
  func absolute(_ path: String) -> String {
    let place = place(of: path)
    return "\(place.folder)/\(path.dropFirst(place.prefix.count))"
  }

  /// The folder that a path counts from, and what the path begins with for it.
  private func place(of path: String) -> (folder: String, prefix: String) {
    world.directory.place(of: path) ?? (world.directory.work, "")
  }
}

extension GlobPattern {
  /// Returns whether a path may match that begins with a folder's; true where only the whole path tells.
  ///
  /// - Parameter folder: ends with a slash, or is empty.
  fileprivate func mayMatch(below folder: String) -> Bool {
    let segments = text.split(separator: "/")
    for (index, name) in folder.split(separator: "/").enumerated() {
      guard index < segments.count - 1 else { return segments.last?.contains("**") ?? false }
      if segments[index].contains("**") { return true }
      guard CompiledGlob(String(segments[index]))?.matches(String(name)) ?? true else {
        return false
      }
    }
    return true
  }
}
