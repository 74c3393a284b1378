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

  @Option(help: rootHelp)
  var root: String?

  @Flag(help: "Heed \"only: true\" where the variable CI is set as well.")
  var allowOnly = false

  static let rootHelp = ArgumentHelp(
    "Let files use others below this folder as well as below that of their project.",
    valueName: "folder")

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
  /// - Parameter whenInvalid: Called with what is wrong before the exit.
  func plan(
    networkMode: NetworkSettings.Mode? = nil, exploration: ExplorationWishes? = nil,
    whenInvalid: (ScenarioInput) throws -> Void = { _ in }
  ) throws -> PlannedInput {
    var input = ScenarioInput.read(paths, root: root)
    var options = options(for: input)
    options.networkMode = networkMode
    options.exploration = exploration
    let (plan, found) = Planner.plan(files: input.files, options: options)
    input.diagnostics += found
    input.addMistakes(ofBroken: options)
    try tell(input, whenInvalid)
    guard let plan else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    let files = input.files
    return PlannedInput(plan: plan, sources: input.sources) { [options] identifier, mutations in
      var options = options
      options.selections = []
      options.nameFilter = nil
      options.only = .ignored
      options.reduced = (identifier, mutations)
      return Planner.plan(files: files, options: options).plan?.cases.first
    }
  }

  /// Reads and plans to find what is wrong, says it and exits; how many cases were selected.
  ///
  /// - Parameter format: How it is told; on standard output, unless it is text.
  func check(format: DiagnosticFormat) throws -> Int {
    let (input, count) = review()
    if format == .text {
      try tell(input)
    } else {
      try Console.print(input.document(format))
      guard !input.hasErrors else {
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
      }
    }
    return count
  }

  /// Reads and plans to find what is wrong; how many cases were selected.
  func review() -> (input: ScenarioInput, count: Int) {
    var input = ScenarioInput.read(paths, root: root)
    var options = options(for: input)
    options.tellsUnused = true
    if options.only == .heeded { options.only = .ignored }
    let (count, found) = Planner.check(files: input.files, options: options)
    input.diagnostics += found
    input.addMistakes(ofBroken: options)
    return (input, count)
  }

  private func options(for input: ScenarioInput) -> PlannerOptions {
    var options = PlannerOptions(
      seed: seed, selections: input.selection, nameFilter: filter,
      fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    options.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    options.missingFunctions = { FunctionSearch.missing($0, in: $1) }
    if AutomaticBuild.isOn, !allowOnly { options.only = .refused }
    return options
  }

  /// Says what is wrong, and exits if anything keeps the scenarios from running.
  private func tell(
    _ input: ScenarioInput, _ whenInvalid: (ScenarioInput) throws -> Void = { _ in }
  ) throws {
    input.tell(usesColour: color.usesColour(descriptor: STDERR_FILENO), as: diagnostics)
    guard !input.hasErrors else {
      try whenInvalid(input)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }
}

extension SelectionOptions {
  /// Says that nothing was selected: exit code 4.
  static func nothingSelected() -> ArgumentParser.ExitCode {
    Console.tell("no scenario was selected\n")
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.nothingSelected.rawValue)
  }

  /// Reads and lists, or says everything that is wrong with reading and exits.
  func list() throws -> [CaseListing] {
    var input = ScenarioInput.read(paths, root: root)
    let options = PlannerOptions(
      selections: input.selection, nameFilter: filter, fileExists: { _ in true })
    let (cases, found) = Planner.list(files: input.files, options: options)
    input.diagnostics += found
    try tell(input)
    return cases
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
    if plan.cases.isEmpty { throw SelectionOptions.nothingSelected() }
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
  /// Files that were asked for by their names.
  private var named: Set<String> = []

  /// Whether anything keeps the scenarios from running.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Reads every file that the paths name.
  static func read(_ paths: [String], root: String? = nil) -> ScenarioInput {
    var input = ScenarioInput()
    if let root, !FileTree.isFolder(root) {
      input.diagnostics.append(
        Diagnostic(
          "there is no folder \"\(root)\" for --root", code: .badArguments, at: nil,
          help: "name a folder below which files may use others"))
    }
    for path in paths {
      input.add(path)
    }
    input.join(root: root)
    return input
  }

  /// Reads the files that others use.
  private mutating func join(root: String?) {
    var joiner = FileJoiner(.machine, root: root)
    if files.contains(where: { !$0.uses.isEmpty }) {
      let known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
      for path in sources.keys.sorted() { joiner.know(known[path], path: path) }
      files = files.map { joiner.join($0) }
    }
    diagnostics += joiner.diagnostics
    sources.merge(joiner.sources) { own, _ in own }
    passOver(used: joiner.used)
  }

  /// Takes out files that hold nothing to run because they are there for others.
  private mutating func passOver(used: Set<String>) {
    files = files.filter { file in
      guard !file.holdsScenario else { return true }
      let isUsed = FileAccess.machine.canonicalPath(file.path).map(used.contains) ?? false
      // A target alone is a scenario, unless it is the target of others.
      let target = file.defaults.target ?? file.shared.target
      if target != nil, !isUsed || named.contains(file.path) { return true }
      if isUsed, !named.contains(file.path) { return false }
      diagnostics.append(
        Diagnostic(
          "the file has no scenarios", code: named.contains(file.path) ? .empty : .nothingToRun,
          at: SourceRange(file: file.path, line: 1, column: 1),
          help: "add \"scenarios\", or run the files that use it"))
      return false
    }
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

  /// By file, and from top to bottom in each.
  static func sorted(_ list: [Diagnostic], files: [String]) -> [Diagnostic] {
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
    let isFolder = FileTree.isFolder(path)
    if !isFolder { named.insert(path) }
    for file in isFolder ? ScenarioFiles.below(path) : [path] {
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

  /// No scenario stands in a line behind the file's end; of a list of scenarios the planner says it.
  private mutating func requireLine(_ line: Int, of path: String) {
    let isList = files.contains { $0.path == path && !$0.scenarios.isEmpty }
    guard !isList, let text = sources[path] else { return }
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

extension ScenarioFile {
  /// Whether it says what to do or to expect, and not only what others can use.
  fileprivate var holdsScenario: Bool {
    !scenarios.isEmpty || defaults.steps != nil || defaults.expect != nil
      || defaults.explore != nil
  }
}

/// Whether this process is part of an automatic build.
enum AutomaticBuild {
  /// Whether the variable CI says so, as the usual services set it.
  static var isOn: Bool {
    let word = getenv("CI").map { String(cString: $0).lowercased() } ?? ""
    return !["", "0", "false", "no"].contains(word)
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
