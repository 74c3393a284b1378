internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioRunner

/// What a command line selects, as it is now, with the files that bear on it.
struct WatchedProject {
  /// The cases; `nil` where mistakes keep them from being known.
  private(set) var cases: [PlannedCase]?
  /// Every file whose change may matter, absolute.
  private(set) var files: Set<String> = []
  /// Folders in which new files matter, absolute.
  private(set) var roots: Set<String> = []

  private var sources: [String: String] = [:]
  private var read: Set<String> = []

  /// Reads and plans; what is wrong is for the run to tell.
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
    let named = plan.map { inputs.inputs(of: $0, sources: input.sources).map(\.path) } ?? []
    read = Set((named.filter { !$0.hasSuffix("/") }).map(Self.absolute))
    var namedFiles = NamedFiles()
    files = read.union(input.sources.keys.map(Self.absolute))
      .union(namedFiles.files(of: plan?.cases ?? []).map(Self.absolute))
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

  /// The folders in which something may happen that matters.
  var folders: Set<String> {
    roots.union(
      files.map { file in
        file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "/"
      })
  }

  /// Minds files beside those that are named now.
  mutating func remember(_ known: Set<String>) { files.formUnion(known) }

  /// Whether a change of a file may matter.
  func minds(_ path: String) -> Bool {
    if files.contains(path) { return true }
    guard let slash = path.lastIndex(of: "/") else { return false }
    let name = path[path.index(after: slash)...]
    return roots.contains(String(path[..<slash])) && !name.hasPrefix(".")
      && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
  }

  /// The cases that changed files bear on, by their identifiers.
  func affected(by changed: Set<String>) -> [String] {
    let cases = cases ?? []
    let affected = ChangedCases(paths: changed).among(cases, sources: sources, read: read)
    return cases.map(\.identifier).filter(affected.contains)
  }

  /// A path from the root, its folder without links; the file itself may be one, and need not be there.
  static func absolute(_ path: String) -> String {
    let here = FileTree.canonicalPath(".") ?? "/"
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(here)/\(path)").split(separator: "/")
    where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    let folder = "/" + parts.dropLast().joined(separator: "/")
    let known = FileTree.canonicalPath(folder) ?? folder
    return known == "/" ? "/\(parts.last ?? "")" : "\(known)/\(parts.last ?? "")"
  }
}

extension ScenarioFiles {
  /// Whether scenarios are looked for in a folder, by its path below the one that was named.
  static func mayHoldScenarios(_ folder: String) -> Bool {
    !folder.split(separator: "/").contains {
      $0.hasPrefix(".") || $0 == "__recordings__" || $0 == "__explored__"
    }
  }
}
