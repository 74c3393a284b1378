internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioRunner

/// The selection of a command line, as it is now, with the files that concern it.
struct WatchedProject {
  /// The cases; `nil` where mistakes keep them from being known.
  private(set) var cases: [PlannedCase]?
  /// The files whose change may matter, absolute.
  private(set) var files: Set<String> = []
  /// Folders in which new files matter, absolute.
  private(set) var roots: Set<String> = []

  /// The files to which places lead by links: links on the way, and the files behind them.
  private var leading: [String: Set<String>] = [:]
  private var sources: [String: String] = [:]
  private var read: Set<String> = []

  /// Reads and plans; mistakes are left for the run to report.
  init(_ selection: SelectionOptions, _ network: NetworkSettings.Mode?) {
    var (input, _) = selection.readInput()
    var options = selection.options(for: input)
    selection.narrow(&options, &input, lastFailed: nil)
    options.networkMode = network
    let inputs = PlanInputs()
    inputs.watch(&options)
    let (plan, found) = Planner.plan(files: input.files, options: options)
    let isBroken = (input.diagnostics + found).contains { $0.severity == .error }
    cases = isBroken ? nil : plan?.cases
    sources = input.sources
    let named =
      plan.map { plan in
        inputs.inputs(of: plan, sources: input.sources).map(\.path)
          + plan.cases.flatMap(\.possibleFiles)
      } ?? []
    read = Set((named.filter { !$0.hasSuffix("/") }).map(Self.absolute))
    var namedFiles = NamedFiles()
    let paths =
      named.filter { !$0.hasSuffix("/") } + Array(input.sources.keys)
      + Array(namedFiles.files(of: plan?.cases ?? []))
    for path in paths { add(path) }
    for path in selection.paths where FileTree.isFolder(path) {
      let root = Self.absolute(path)
      roots.insert(root)
      roots.formUnion(
        FileTree.folders(below: root).filter(ScenarioFiles.mayHoldScenarios).map { "\(root)/\($0)" }
      )
    }
    for folder in named where folder.hasSuffix("/") {
      roots.insert(Self.absolute(String(folder.dropLast())))
    }
  }

  /// Minds a file, and the links that lead to it.
  private mutating func add(_ path: String) {
    let file = Self.absolute(path)
    files.insert(file)
    let trail = SymlinkChain(Self.fromRoot(path))
    for place in trail.links.union([trail.end]) where place != file {
      leading[place, default: []].insert(file)
    }
  }

  /// The folders in which something may happen that matters.
  var folders: Set<String> {
    roots.union(
      files.union(leading.keys).map { file in
        let folder = PathText.folder(of: file)
        return folder.isEmpty ? "/" : folder
      })
  }

  /// Minds files beside those that are named now.
  mutating func remember(_ known: Set<String>) { files.formUnion(known) }

  /// The files of which a change at a place may be one; none where it does not matter.
  func files(changedAt path: String) -> Set<String> {
    (leading[path] ?? []).union(minds(path) ? [path] : [])
  }

  private func minds(_ path: String) -> Bool {
    if files.contains(path) { return true }
    guard let slash = path.lastIndex(of: "/") else { return false }
    let name = path[path.index(after: slash)...]
    return roots.contains(String(path[..<slash])) && !name.hasPrefix(".")
      && PathText.yamlEnding(of: name) != nil
  }

  /// Returns the cases that depend on changed files, by their identifiers.
  func affected(by changed: Set<String>) -> [String] {
    let cases = cases ?? []
    let affected = ChangedCases(paths: changed).among(cases, sources: sources, read: read)
    return cases.map(\.identifier).filter(affected.contains)
  }

  /// A path from the root, its folder without links; the file itself may be one, and need not be there.
  static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in fromRoot(path).split(separator: "/")
    where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    let folder = "/" + parts.dropLast().joined(separator: "/")
    let known = FileTree.canonicalPath(folder) ?? folder
    return known == "/" ? "/\(parts.last ?? "")" : "\(known)/\(parts.last ?? "")"
  }

  /// A path from the root, as it was written otherwise.
  private static func fromRoot(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileTree.canonicalPath(".") ?? "/")/\(path)"
  }
}

extension ScenarioFiles {
  /// Returns whether scenarios are looked for in a folder, by its path below the one that was named.
  static func mayHoldScenarios(_ folder: String) -> Bool {
    !folder.split(separator: "/").contains {
      $0.hasPrefix(".") || $0 == "__recordings__" || $0 == "__explored__"
    }
  }
}
