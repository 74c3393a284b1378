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

/// Whether this process is part of an automatic build.
enum AutomaticBuild {
  /// Whether the variable CI says so, as the usual services set it.
  static var isOn: Bool {
    let word = getenv("CI").map { String(cString: $0).lowercased() } ?? ""
    return !["", "0", "false", "no"].contains(word)
  }
}
