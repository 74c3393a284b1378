internal import ArgumentParser
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// Which scenarios, and with which seed: what all commands share.
struct SelectionOptions: ParsableArguments {
  @Argument(
    help: "Scenario files or folders; FILE:LINE picks the scenario that LINE stands in.")
  var paths: [String] = ["scenarios"]

  @Option(name: .shortAndLong, help: "Only scenarios whose name matches this regular expression.")
  var filter: String?

  @Option(help: "The seed of random values, in place of the one in the files.")
  var seed: Int64?

  @Option(help: "Colours: auto, always or never.", transform: Self.colourMode)
  var color = ColourMode.auto

  static func colourMode(_ text: String) throws -> ColourMode {
    guard let mode = ColourMode(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of auto, always, never")
    }
    return mode
  }

  /// Reads and plans, or says everything that is wrong and exits.
  func plan(
    networkMode: NetworkSettings.Mode? = nil, exploration: ExplorationWishes? = nil,
    tellsUnused: Bool = false
  ) throws -> PlannedInput {
    let colours = color.usesColour(descriptor: STDERR_FILENO)
    var input = ScenarioInput.read(paths)
    var options = PlannerOptions(
      seed: seed, selections: input.selection, nameFilter: filter,
      fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    options.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    options.missingFunctions = { FunctionSearch.missing($0, in: $1) }
    options.networkMode = networkMode
    options.exploration = exploration
    options.tellsUnused = tellsUnused
    let (plan, diagnostics) = Planner.plan(files: input.files, options: options)
    input.diagnostics += diagnostics
    input.tell(usesColour: colours)
    guard let plan, !input.hasErrors else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    return PlannedInput(plan: plan, sources: input.sources)
  }
}

/// A plan and the texts that it was made from.
struct PlannedInput {
  /// What to run.
  var plan: ExecutionPlan
  /// Each file's text, by its path.
  var sources: [String: String]

  /// - Throws: Exit code 4 if there is nothing to run.
  func requireCases() throws {
    guard plan.cases.isEmpty else { return }
    Console.tell("no scenario was selected\n")
    throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.nothingSelected.rawValue)
  }
}

/// The files that a command line names, read.
struct ScenarioInput {
  /// The files that could be read.
  var files: [ScenarioFile] = []
  /// What is wrong so far.
  var diagnostics: [Diagnostic] = []
  /// Each file's text, by its path.
  var sources: [String: String] = [:]
  /// Files and lines that were asked for.
  var selection: [Selection] = []

  /// Whether anything keeps the scenarios from running.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Reads every file that the paths name.
  static func read(_ paths: [String]) -> ScenarioInput {
    var input = ScenarioInput()
    for path in paths {
      input.add(path)
    }
    return input
  }

  /// Says what is wrong, on standard error.
  func tell(usesColour: Bool) {
    // A mistake may stand in a file that a scenario names, such as a GraphQL schema or an import.
    let renderer = DiagnosticRenderer(isColoured: usesColour) { path in
      sources[path] ?? ImportedSource.text(of: path)
    }
    for diagnostic in diagnostics {
      Console.tell(renderer.render(diagnostic) + "\n")
    }
    let count = diagnostics.count { $0.severity == .error }
    if count > 0 {
      Console.tell("\(count) error\(count == 1 ? "" : "s"); nothing was run\n")
    }
  }

  private mutating func add(_ argument: String) {
    let (path, line) = Self.split(argument)
    guard access(path, F_OK) == 0 else {
      diagnostics.append(
        Diagnostic(
          "cannot read \"\(path)\": \(String(cString: strerror(errno)))", code: .unreadableFile,
          at: nil,
          help: "name a scenario file, or a folder that holds some"))
      return
    }
    for file in FileTree.isFolder(path) ? ScenarioFiles.below(path) : [path] {
      if sources[file] == nil { read(file) }
      if let line { requireLine(line, of: file) }
      selection.append(Selection(path: file, line: line))
    }
  }

  private mutating func read(_ path: String) {
    let bytes: [UInt8]
    do {
      bytes = try FileTree.read(path)
    } catch {
      diagnostics.append(Diagnostic(error.message(path: path), code: .unreadableFile, at: nil))
      return
    }
    sources[path] = String(decoding: bytes, as: UTF8.self)
    let (file, found) = ScenarioFile.parse(bytes: bytes, path: path)
    diagnostics += found
    if let file { files.append(file) }
  }

  /// No scenario stands in a line behind the file's end.
  private mutating func requireLine(_ line: Int, of path: String) {
    guard let text = sources[path] else { return }
    let count = SourceText(path: path, text: text).lineCount
    guard line > count else { return }
    diagnostics.append(
      Diagnostic(
        "\"\(path)\" has no line \(line)", code: .badArguments, at: nil,
        help: "its last line is \(count)"))
  }

  /// `FILE:LINE`, where FILE with the colon does not exist itself.
  private static func split(_ argument: String) -> (path: String, line: Int?) {
    guard access(argument, F_OK) != 0, let colon = argument.lastIndex(of: ":"),
      let line = Int(argument[argument.index(after: colon)...]), line > 0
    else { return (argument, nil) }
    return (String(argument[..<colon]), line)
  }
}

/// Files that scenario files name: imports and recordings.
enum ImportedSource {
  /// The text of a file, for messages about it; `nil` if it cannot be read.
  static func text(of path: String) -> String? {
    (try? FileTree.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Scenario files on disk.
enum ScenarioFiles {
  /// The `.yaml` and `.yml` files below a folder, sorted; hidden files and folders are passed over, and
  /// recordings and what explorations have found.
  static func below(_ folder: String) -> [String] {
    let parent = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    return FileTree.files(below: folder).filter { path in
      let isHidden = path.split(separator: "/").contains {
        $0.hasPrefix(".") || $0 == "__recordings__" || $0 == "__explored__"
      }
      return !isHidden && (path.hasSuffix(".yaml") || path.hasSuffix(".yml"))
    }.map { "\(parent)/\($0)" }
  }
}

extension ColourMode {
  /// Whether colours are used on a stream.
  func usesColour(descriptor: Int32) -> Bool {
    usesColour(isTerminal: isatty(descriptor) == 1, environment: ColourVariables.current())
  }
}

/// The variables of this process that decide about colours.
enum ColourVariables {
  /// Those that are set.
  static func current() -> [String: String] {
    var variables: [String: String] = [:]
    for name in ["NO_COLOR", "FORCE_COLOR", "TERM"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }
}
