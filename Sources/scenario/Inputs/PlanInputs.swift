internal import Cryptography
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner
internal import Synchronization

/// Records the files that are read while a plan is made, and their contents.
final class PlanInputs: Sendable {
  private let found = Mutex<[String: PlanInput]>([:])

  /// Makes a planner read through this log.
  func watch(_ options: inout PlannerOptions) {
    let read = options.readFile
    let list = options.filesBelow
    options.readFile = { [self] path in
      let bytes = read(path)
      record(PlanInput(path: path, sha256: bytes.map { SecureDigest.sha256($0) }))
      return bytes
    }
    options.filesBelow = { [self] folder in
      let names = list(folder)
      if let names {
        record(PlanInput(path: folder + "/", sha256: Self.digest(ofNames: names, below: folder)))
      }
      return names
    }
  }

  /// Returns everything that a plan was made from, sorted.
  ///
  /// - Parameters:
  ///   - sources: the texts of scenario files by their paths; those count that cases come from.
  ///   - folders: the folders in which scenario files were looked for.
  func inputs(
    of plan: ExecutionPlan, sources: [String: String], folders: [String] = []
  ) -> [PlanInput] {
    var inputs = found.withLock { $0 }
    for folder in folders {
      let path = folder + PlanInput.scenarioFiles
      inputs[path] = PlanInput(path: path, sha256: Self.current(path))
    }
    for path in Set(plan.cases.flatMap { [$0.file] + ($0.usedFiles ?? []) }) {
      let sha256 = sources[path].map { SecureDigest.sha256(Array($0.utf8)) } ?? Self.current(path)
      inputs[path] = PlanInput(path: path, sha256: sha256)
    }
    for path in Set(plan.cases.flatMap(\.namedFiles)) where inputs[path] == nil {
      inputs[path] = PlanInput(path: path, sha256: Self.current(path))
    }
    return inputs.values.sorted { $0.path < $1.path }
  }

  /// Returns the inputs of a plan with the files that its requests may name, without the one that it is saved in, sorted.
  static func adding(
    _ paths: Set<String>, to inputs: [PlanInput], apartFrom output: String?
  ) -> [PlanInput] {
    let saved = output.flatMap { RegularFileIdentity(of: $0) }
    let others = paths.subtracting(inputs.map(\.path)).filter { path in
      saved == nil || RegularFileIdentity(of: path) != saved
    }
    return (inputs + others.map { PlanInput(path: $0, sha256: current($0)) })
      .sorted { $0.path < $1.path }
  }

  /// Returns the files that are not what they were when a plan was made.
  static func changed(_ inputs: [PlanInput]) -> [PlanInput] {
    inputs.filter { current($0.path) != $0.sha256 }
  }

  private func record(_ input: PlanInput) {
    found.withLock { $0[input.path] = input }
  }

  /// Returns the digest of the present content at a path; `nil` where nothing can be read.
  private static func current(_ path: String) -> String? {
    if path.hasSuffix(PlanInput.scenarioFiles) {
      let folder = String(path.dropLast(PlanInput.scenarioFiles.count))
      return FileTree.isFolder(folder)
        ? digest(ofNames: ScenarioFiles.below(folder), below: "") : nil
    }
    guard path.hasSuffix("/") else { return try? FileDigest.sha256(of: path) }
    let folder = String(path.dropLast())
    guard FileTree.isFolder(folder) else { return nil }
    return digest(ofNames: FileTree.files(below: folder).map { "\(folder)/\($0)" }, below: folder)
  }

  private static func digest(ofNames names: [String], below folder: String) -> String {
    SecureDigest.sha256(names.sorted().flatMap { Array($0.dropFirst(folder.count).utf8) + [0] })
  }
}

extension PlannedCase {
  /// The files that a run may read, of which only the run knows which.
  ///
  /// A computed name of a reply's file may mean them by the texts that are written in it; without any text it may mean
  /// everything, and says nothing of an input.
  var possibleFiles: [String] {
    bodyFiles.flatMap { file -> [String] in
      guard case .computed(let name) = file,
        name.restricts(to: folder ?? PathText.folder(of: self.file))
      else { return [] }
      let folder = name.folder.isEmpty ? "." : name.folder
      // The runner's own records and those of version control are no replies.
      return FileTree.files(below: folder).filter { path in
        !path.split(separator: "/").contains { $0.hasPrefix(".") }
      }.map { PathText.join(name.folder, $0) }.filter(name.mayMean)
    }
  }

  /// The files whose bytes a run copies for the target, sends or compares with, and which the plan only names.
  fileprivate var namedFiles: [String] {
    var paths: [String] = []
    for file in targets.flatMap(\.files) {
      if case .copy(let path) = file.content { paths.append(path) }
    }
    for file in bodyFiles {
      if case .fixed(let path) = file { paths.append(path) }
    }
    for folder in expectedFolders { paths += FileTree.files(below: folder).map { folder + $0 } }
    return paths
  }
}
