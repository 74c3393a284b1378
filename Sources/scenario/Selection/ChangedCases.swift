internal import ScenarioPlan
internal import ScenarioRunner
internal import Synchronization

/// The files that planning has read.
final class ReadFiles: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// Records a file.
  func record(_ path: String) { _ = paths.withLock { $0.insert(path) } }

  /// The recorded paths, absolute and without links.
  var canonicalPaths: Set<String> {
    Set(paths.withLock { $0 }.compactMap { FileTree.canonicalPath($0) })
  }
}

/// The cases that depend on changed files.
struct ChangedCases {
  private let inputs: CaseInputs
  private let canonical: Set<String>

  init(since reference: String, in folder: String) throws(ChangedFiles.Problem) {
    self.init(paths: try ChangedFiles(since: reference, in: folder).paths)
  }

  /// - Parameter paths: The files that have changed, absolute.
  init(paths: Set<String>) {
    inputs = CaseInputs(files: paths)
    canonical = paths
  }

  /// The number of files that have changed.
  var fileCount: Int { canonical.count }

  /// Returns the cases that depend on a changed file.
  ///
  /// - Parameters:
  ///   - sources: The text of each scenario file, by its path.
  ///   - read: Files that planning has read. One that no case names in its plan, such as a schema
  ///     of which only the content counts, concerns the cases of every file that has its name.
  func among(
    _ cases: [PlannedCase], sources: [String: String], read: Set<String>
  ) -> Set<String> {
    let names = read.intersection(canonical).compactMap { $0.split(separator: "/").last }
    var answers: [String: Bool] = [:]
    func mentions(_ file: String) -> Bool {
      guard !names.isEmpty else { return false }
      if let known = answers[file] { return known }
      let text = sources[file] ?? ""
      let answer = names.contains { text.contains($0) }
      answers[file] = answer
      return answer
    }
    return Set(
      cases.filter { planned in
        inputs.affect(planned)
          || ([planned.file] + (planned.usedFiles ?? [])).contains { mentions($0) }
      }.map(\.identifier))
  }
}
