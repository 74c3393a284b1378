internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax

/// The files that a command line names, read.
struct ScenarioInput {
  /// The files that could be read.
  var files: [ScenarioFile] = []
  /// The rest of files with errors.
  var broken: [ScenarioFile] = []
  /// The diagnostics so far.
  var diagnostics: [Diagnostic] = []
  /// The text of each file, by its path.
  var sources: [String: String] = [:]
  /// Files and lines that were asked for.
  var selection: [Selection] = []
  /// The values given for `vars:`.
  private var inputs = VariableInputs()
  /// The redactor of secrets in messages.
  var redactor = SecretRedactor()
  /// Folders that were asked for, in which scenario files were looked for.
  private(set) var folders: [String] = []
  /// The name of the file that `-` reads.
  private var standardInput: String?
  /// Files that were asked for by their names.
  private var named: Set<String> = []

  /// True if anything keeps the scenarios from running.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Reads every file that the paths name.
  ///
  /// - Parameters:
  ///   - root: A folder that files may use others below, beside that of their project.
  ///   - runs: Whether the files are there to be run, so that one without anything to run is reported.
  ///   - standardInput: What the file is called that `-` reads from standard input; `nil` where `-` is no file.
  ///   - inputs: What is given for `vars:`.
  static func read(
    _ paths: [String], root: String? = nil, runs: Bool = true, standardInput: String? = nil,
    inputs: VariableInputs = .init()
  ) -> ScenarioInput {
    var input = ScenarioInput()
    input.standardInput = standardInput
    input.inputs = inputs
    if let root, !FileTree.isFolder(root) {
      input.diagnostics.append(
        Diagnostic(
          "there is no folder \"\(root)\" for --root", code: .badArguments, at: nil,
          help: "name an existing folder; files may use other files below it"))
    }
    for path in paths {
      input.add(path)
    }
    let used = input.join(root: root)
    input.diagnostics += inputs.unknown(to: input.files + input.broken)
    if runs { input.passOver(used: used) }
    return input
  }

  /// Reads the files that others use; which they are, absolute and without links.
  private mutating func join(root: String?) -> Set<String> {
    var joiner = FileJoiner(.machine, root: root, inputs: inputs)
    if (files + broken).contains(where: { !$0.uses.isEmpty }) {
      let known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
      for path in sources.keys.sorted() { joiner.know(known[path], path: path) }
    }
    files = files.map { joiner.join($0) }
    broken = broken.map { joiner.join($0) }
    // What is missing of a file that another includes, that one would seem to lack as well.
    broken += files.filter(\.shared.isPartial)
    files.removeAll { $0.shared.isPartial }
    diagnostics += joiner.diagnostics
    sources.merge(joiner.sources) { own, _ in own }
    return joiner.used
  }

  /// Removes files that have nothing to run because they are there for others.
  private mutating func passOver(used: Set<String>) {
    files = files.filter { file in
      guard !file.holdsScenario else { return true }
      let isUsed = FileAccess.machine.canonicalPath(file.path).map(used.contains) ?? false
      // A target alone is a scenario, unless it is the target of others.
      if file.hasTarget, !isUsed || named.contains(file.path) {
        if !isUsed { diagnostics += file.unusedBlocks }
        return true
      }
      if isUsed, !named.contains(file.path) { return false }
      diagnostics.append(
        Diagnostic(
          "the file has no scenarios", code: named.contains(file.path) ? .empty : .nothingToRun,
          at: SourceRange(file: file.path, line: 1, column: 1),
          help: "add \"scenarios\", or run the files that use it"))
      return false
    }
  }

  /// Plans what is left of files with errors: not to run it, but for the mistakes that are ones whatever the missing
  /// part says.
  mutating func addMistakes(ofBroken options: PlannerOptions) {
    guard !broken.isEmpty else { return }
    diagnostics += FileReview.mistakes(ofBroken: broken, known: diagnostics, options: options)
    diagnostics = diagnostics.sorted(byFiles: selection.map(\.path))
  }

  /// The values given for variables that the files have; `nil` where there are none.
  var usedInputs: VariableInputs? {
    let definitions = files.flatMap { file in
      file.defaults.variables + file.shared.variables + file.scenarios.flatMap(\.body.variables)
    }
    let used = inputs.only(definitions)
    return used.commandLine.isEmpty ? nil : used
  }

  /// Reports the mistakes on standard error.
  func report(usesColour: Bool, as format: DiagnosticFormat = .text) {
    guard format == .text else {
      if !diagnostics.isEmpty {
        Console.report(document(format), content: format.content)
      }
      return
    }
    Console.report(rendered(usesColour: usesColour))
  }

  /// The mistakes as text.
  var mistakes: String { rendered(usesColour: false) }

  private func rendered(usesColour: Bool) -> String {
    let list = self.list
    let places = list.shown.flatMap { [$0.range] + $0.notes.map(\.range) }
    let files = Set(places.compactMap { $0?.file })
    // Cut into lines once, and not for each message.
    let texts = files.compactMap { file in
      text(of: file).map { (file, SourceText(path: file, text: redactor.redacted($0))) }
    }
    let renderer = DiagnosticRenderer(
      isColoured: usesColour, sources: Dictionary(uniqueKeysWithValues: texts))
    var report = list.shown.map { renderer.render($0) + "\n" }.joined()
    if list.omitted > 0 { report += "and \(list.omitted) more that are not shown\n\n" }
    if list.errors > 0 {
      report += "\(list.errors) error\(list.errors == 1 ? "" : "s"); nothing was run\n"
    }
    return report
  }

  /// The diagnostics in a format for programs.
  func document(_ format: DiagnosticFormat) -> String {
    redactor.redacted(format.document(list, version: Version.text, source: source) ?? "")
  }

  /// The mistakes, as far as they are reported.
  var list: DiagnosticList {
    DiagnosticList(diagnostics.map { redactor.redacted($0) }, source: source)
  }

  /// Every change that fixes a mistake and leaves nothing to decide, also of one that is not
  /// reported because there are so many.
  var certainFixes: [DiagnosticFix] {
    DiagnosticList(diagnostics, limit: .max, source: source).certainFixes
  }

  /// Returns a renderer that shows excerpts of every file that can contain a mistake.
  func renderer(usesColour: Bool) -> DiagnosticRenderer {
    // A mistake may stand in a file that a scenario names, such as a GraphQL schema or an import.
    DiagnosticRenderer(isColoured: usesColour) { [sources, redactor] path in
      (sources[path] ?? ImportedSource.text(of: path)).map { redactor.redacted($0) }
    }
  }

  private func source(_ path: String) -> SourceText? {
    text(of: path).map { SourceText(path: path, text: $0) }
  }

  private func text(of path: String) -> String? {
    sources[path] ?? ImportedSource.text(of: path)
  }

  private mutating func add(_ argument: String) {
    if let standardInput, argument == RewrittenFiles.standardInput {
      let path = WorkingPath.relative(standardInput)
      named.insert(path)
      if sources[path] == nil {
        read(path) { () throws(FileReadError) in try RewrittenFiles.readInput() }
      }
      selection.append(Selection(path: path))
      return
    }
    let (named, lines) = Self.split(argument)
    let path = WorkingPath.relative(named)
    guard access(path, F_OK) == 0 else {
      if let colon = named.lastIndex(of: ":"), access(String(named[..<colon]), F_OK) == 0,
        Int(named[named.index(after: colon)...]) != nil
      {
        let file = named[..<colon]
        diagnostics.append(
          Diagnostic(
            "\"\(WorkingPath.relative(String(file)))\" has no line \(named[named.index(after: colon)...])",
            code: .badArguments, at: nil, help: "lines count from 1, as in \(file):1"))
        return
      }
      diagnostics.append(
        Diagnostic(
          "cannot read \"\(path)\": \(SystemText.error(errno))", code: .unreadableFile,
          at: nil,
          help: "name a scenario file, or a folder that contains some"))
      return
    }
    let isFolder = FileTree.isFolder(path)
    if isFolder { folders.append(path) } else { self.named.insert(path) }
    for file in isFolder ? ScenarioFiles.below(path) : [path] {
      if sources[file] == nil { read(file) }
      for line in lines { requireLine(line, of: file) }
      selection += lines.map { Selection(path: file, line: $0) }
      if lines.isEmpty { selection.append(Selection(path: file)) }
    }
  }

  private mutating func read(_ path: String) {
    read(path) { () throws(FileReadError) in
      try FileTree.read(path, limit: ScenarioFile.sizeLimit)
    }
  }

  private mutating func read(_ path: String, _ content: () throws(FileReadError) -> [UInt8]) {
    let bytes: [UInt8]
    do throws(FileReadError) {
      bytes = try content()
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

  /// Reports a line behind the file's end, which no scenario is in; of a list of scenarios the
  /// planner reports it.
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

  /// `FILE:LINE` and `FILE:LINE:LINE…`, where FILE with the colon does not exist itself.
  private static func split(_ argument: String) -> (path: String, lines: [Int]) {
    var path = argument
    var lines: [Int] = []
    while access(path, F_OK) != 0, let colon = path.lastIndex(of: ":"),
      let line = Int(path[path.index(after: colon)...]), line > 0
    {
      lines.insert(line, at: 0)
      path = String(path[..<colon])
    }
    return (path, lines)
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
  /// recordings, what explorations have found, settings of projects, and documents of OpenAPI.
  static func below(_ folder: String) -> [String] {
    let parent = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let visible = FileTree.files(below: folder).filter { path in
      !path.split(separator: "/").contains {
        $0.hasPrefix(".") || $0 == "__recordings__" || $0 == "__explored__"
          || $0 == "scenario.yml"
      }
    }.map { parent == "." ? $0 : "\(parent)/\($0)" }
    let others = APIDocuments.files(among: visible)
    return visible.filter { PathText.yamlEnding(of: $0) != nil && !others.contains($0) }
  }
}
