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

  @Option(
    help: "How mistakes are told: text, json, github or sarif.", transform: Self.diagnosticFormat)
  var diagnostics = DiagnosticFormat.text

  static func diagnosticFormat(_ text: String) throws -> DiagnosticFormat {
    guard let format = DiagnosticFormat(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of text, json, github, sarif")
    }
    return format
  }

  /// Reads and plans, or says everything that is wrong and exits.
  ///
  /// - Parameters:
  ///   - format: How mistakes are told, in place of what `--diagnostics` says; on standard output then.
  ///   - whenInvalid: Called with what is wrong before the exit.
  func plan(
    networkMode: NetworkSettings.Mode? = nil, exploration: ExplorationWishes? = nil,
    tellsUnused: Bool = false, format: DiagnosticFormat? = nil,
    whenInvalid: (ScenarioInput) throws -> Void = { _ in }
  ) throws -> PlannedInput {
    let colours = color.usesColour(descriptor: STDERR_FILENO)
    let (found, plan, options) = read(
      networkMode: networkMode, exploration: exploration, tellsUnused: tellsUnused)
    if let format, format != .text {
      try Console.print(found.document(format))
    } else {
      found.tell(usesColour: colours, as: diagnostics)
    }
    guard let plan, !found.hasErrors else {
      try whenInvalid(found)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    let files = found.files
    return PlannedInput(plan: plan, sources: found.sources) { identifier, mutations in
      var options = options
      options.selections = []
      options.nameFilter = nil
      options.reduced = (identifier, mutations)
      return Planner.plan(files: files, options: options).plan?.cases.first
    }
  }

  /// Reads and plans; there is no plan if anything is wrong.
  func read(
    networkMode: NetworkSettings.Mode? = nil, exploration: ExplorationWishes? = nil,
    tellsUnused: Bool = false
  ) -> (input: ScenarioInput, plan: ExecutionPlan?, options: PlannerOptions) {
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
    input.addMistakes(ofBroken: options)
    return (input, input.hasErrors ? nil : plan, options)
  }
}

/// A plan and the texts that it was made from.
struct PlannedInput {
  /// What to run.
  var plan: ExecutionPlan
  /// Each file's text, by its path.
  var sources: [String: String]
  /// Plans a case anew with some of the changes to its data.
  var replan: @Sendable (_ identifier: String, _ mutations: Set<Int>) -> PlannedCase?

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
  /// What is left of files with errors.
  var broken: [ScenarioFile] = []
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
  func tell(usesColour: Bool, as format: DiagnosticFormat = .text) {
    guard format == .text else {
      if !diagnostics.isEmpty { Console.tell(document(format)) }
      return
    }
    let list = list
    let renderer = renderer(usesColour: usesColour)
    for diagnostic in list.shown {
      Console.tell(renderer.render(diagnostic) + "\n")
    }
    if list.omitted > 0 {
      Console.tell("and \(list.omitted) more, which are not shown\n\n")
    }
    if list.errors > 0 {
      Console.tell("\(list.errors) error\(list.errors == 1 ? "" : "s"); nothing was run\n")
    }
  }

  /// What is wrong, in a format for programs.
  func document(_ format: DiagnosticFormat) -> String {
    format.document(list, version: Version.text, source: source) ?? ""
  }

  /// What is wrong, as far as it is told.
  var list: DiagnosticList { DiagnosticList(diagnostics, source: source) }

  /// Shows excerpts of every file that a mistake can stand in.
  func renderer(usesColour: Bool) -> DiagnosticRenderer {
    // A mistake may stand in a file that a scenario names, such as a GraphQL schema or an import.
    DiagnosticRenderer(isColoured: usesColour) { [sources] path in
      sources[path] ?? ImportedSource.text(of: path)
    }
  }

  private func source(_ path: String) -> SourceText? {
    (sources[path] ?? ImportedSource.text(of: path)).map { SourceText(path: path, text: $0) }
  }

  /// Plans what is left of files with errors: not to run it, but for the mistakes that are ones whatever
  /// the missing part says.
  mutating func addMistakes(ofBroken options: PlannerOptions) {
    let places = Set(diagnostics.compactMap { $0.range.map { [$0.file, "\($0.line)"] } })
    for file in broken {
      for diagnostic in Planner.plan(files: [file], options: options).diagnostics {
        guard diagnostic.code.standsAlone, let range = diagnostic.range,
          !places.contains([range.file, "\(range.line)"])
        else { continue }
        diagnostics.append(diagnostic)
      }
    }
    guard !broken.isEmpty else { return }
    diagnostics = Self.sorted(diagnostics, files: selection.map(\.path))
  }

  /// By file, and from top to bottom in each.
  private static func sorted(_ list: [Diagnostic], files: [String]) -> [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
      guard let range = diagnostic.range else { return (-1, 0, 0) }
      return (files.firstIndex(of: range.file) ?? files.count, range.line, range.column)
    }
    return list.enumerated().sorted { left, right in
      let (leftKey, rightKey) = (key(left.element), key(right.element))
      return leftKey != rightKey ? leftKey < rightKey : left.offset < right.offset
    }.map(\.element)
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
      bytes = try FileTree.read(path, limit: ScenarioFile.sizeLimit)
    } catch {
      let isTooLarge = if case .tooLarge = error { true } else { false }
      diagnostics.append(
        Diagnostic(
          error.message(path: path), code: isTooLarge ? .tooLarge : .unreadableFile, at: nil,
          help: isTooLarge ? "split the scenarios over several files" : nil))
      return
    }
    sources[path] = String(decoding: bytes, as: UTF8.self)
    let (file, found) = ScenarioFile.parsePart(bytes: bytes, path: path)
    diagnostics += found
    guard let file else { return }
    if found.contains(where: { $0.severity == .error }) {
      broken.append(file)
    } else {
      files.append(file)
    }
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
