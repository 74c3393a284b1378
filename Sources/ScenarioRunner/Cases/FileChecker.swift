internal import ScenarioEvents
internal import ScenarioModel
internal import ScenarioPlan

/// Checks conditions on files below the case's directory.
struct FileChecker {
  let checker: ExpectationChecker

  private var world: World { checker.world }

  /// Why a condition on files does not hold; `nil` if it does.
  func failure(of subject: PlannedExpectation.Subject) -> Failure? {
    switch subject {
    case .fileAbsent(let pattern):
      guard let found = files(pattern).first else { return nil }
      return Failure(
        category: .expectation, type: "expect.files",
        message: "files: expected none that matches \"\(pattern.text)\"", actual: "\"\(found)\"")
    case .fileExists(let pattern):
      return files(pattern).isEmpty ? missing(pattern) : nil
    case .file(let pattern, let matcher):
      return check(pattern, matcher)
    default:
      return nil
    }
  }

  private func check(_ pattern: GlobPattern, _ matcher: PlannedMatcher) -> Failure? {
    let found = files(pattern)
    guard !found.isEmpty else { return missing(pattern) }
    for path in found {
      let bytes: [UInt8]
      do {
        bytes = try FileTree.read("\(world.directory.work)/\(path)")
      } catch {
        var failure = Failure(error, path: path)
        failure.message = "files: \(failure.message)"
        return failure
      }
      if let failure = checker.match(matcher, .bytes(bytes), type: "expect.files", name: path) {
        return failure
      }
    }
    return nil
  }

  private func missing(_ pattern: GlobPattern) -> Failure {
    let all = FileTree.files(below: world.directory.work)
    return Failure(
      category: .expectation, type: "expect.files",
      message: "files: none matches \"\(pattern.text)\"",
      details: all.isEmpty
        ? ["the case's directory is empty"] : ["the case's directory holds:"] + all.prefix(20))
  }

  private func files(_ pattern: GlobPattern) -> [String] {
    FileTree.files(below: world.directory.work).filter { pattern.matches($0) }
  }
}
