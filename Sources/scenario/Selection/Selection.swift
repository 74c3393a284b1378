internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The selection of scenarios, and the seed: the options that all commands share.
struct SelectionOptions: ParsableArguments {
  @Argument(
    help: "The scenario files or folders; FILE:LINE selects the scenario at that line.",
    completion: .file(extensions: ["yaml", "yml"]))
  var paths: [String] = SelectionOptions.defaultPaths

  @OptionGroup(title: HelpTitle.selection) var filters: CaseFilterOptions

  @Option(help: profileHelp)
  var profile: String?

  @Option(help: "Use this seed for random values (default: the one in each file).")
  var seed: Int64?

  @Option(help: "Colours: auto, always or never.", transform: Self.colourMode)
  var color = ColourMode.auto

  @Option(help: rootHelp)
  var root: String?

  @OptionGroup(title: HelpTitle.values) var variables: VariableOptions
  @OptionGroup(title: HelpTitle.values) var secrets: SecretOptions

  static let rootHelp = ArgumentHelp(
    "Allow files to use other files below this folder, not only below their project's folder.",
    valueName: "folder")

  /// The help of `--profile`.
  static let profileHelp = ArgumentHelp(
    "Use this profile of scenario.yml; \"default\" for none (default: \"ci\" in an automatic build).",
    valueName: "name")

  static func colourMode(_ text: String) throws -> ColourMode {
    guard let mode = ColourMode(rawValue: text) else {
      throw ValidationError("\"\(text)\" is not one of auto, always, never")
    }
    return mode
  }

  @Option(
    help: "Print diagnostics in this format: text, json, github or sarif.",
    transform: Self.diagnosticFormat)
  var diagnostics: DiagnosticFormat?

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
    networkMode: NetworkSettings.Mode? = nil, exploration: ExplorationOverrides? = nil,
    defaultTimeout: Nanoseconds? = nil, recorded: LastFailedCases? = nil,
    whenInvalid: (ScenarioInput) throws -> Void = { _ in }
  ) throws -> PlannedInput {
    var (input, lastFailed) = readInput(recorded: recorded)
    var options = options(for: input)
    let dates = narrow(&options, &input, lastFailed: lastFailed)
    options.networkMode = networkMode
    options.exploration = exploration
    if let defaultTimeout { options.defaultTimeout = defaultTimeout }
    options.usualSeed = BazelProtocol(ProcessEnvironment.all).seed
    let inputs = PlanInputs()
    inputs.watch(&options)
    let (plan, found) = Planner.plan(files: input.files, options: options)
    input.diagnostics += found + secrets.mistakes(input.files)
    input.redactor = secrets.redactor(PlannedSecrets(of: input.files + input.broken))
    input.addMistakes(ofBroken: options)
    try report(input, whenInvalid)
    guard let plan else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    let files = input.files
    var planned = PlannedInput(plan: plan, sources: input.sources) {
      [options] identifier, mutations in
      var options = options.withoutSelection
      options.reduced = (identifier, mutations)
      return Planner.plan(files: files, options: options).plan?.cases.first
    }
    planned.atDate = { [options] identifiers, date in
      var options = options.withoutSelection
      options.date = date
      options.identifiers = identifiers
      return Planner.plan(files: files, options: options).plan?.cases ?? []
    }
    planned.dates = dates
    planned.casesOf = { [options] path in
      options.planningAll(files.filter { $0.path == path })
    }
    planned.inputs = inputs.inputs(of: plan, sources: input.sources, folders: input.folders)
    planned.wishes = .init(
      seed: seed, network: networkMode?.rawValue, root: root, variables: input.usedInputs)
    let isWhole =
      filters.isDefault && recorded == nil
      && !input.selection.contains { $0.line != nil }
    planned.loaded.paths = isWhole ? wantedPaths : nil
    planned.loaded.files = isWhole ? input.files : []
    return planned
  }

  /// True if nothing was said about which scenarios are meant.
  var isDefault: Bool {
    paths == Self.defaultPaths && seed == nil && root == nil && !filters.allowOnly
      && filters.isDefault && variables.isDefault
  }

  /// Reads and plans to find mistakes, reports them and exits; returns the number of cases that
  /// were selected.
  ///
  /// - Parameters:
  ///   - format: The form of the report; on standard output, unless it is text.
  ///   - standardInput: The name of a file from standard input.
  func check(format: DiagnosticFormat, standardInput: String) throws -> Int {
    let (input, count) = review(standardInput: standardInput)
    if format == .text {
      try report(input)
    } else {
      try Console.print(input.document(format), content: format.content)
      guard !input.hasErrors else {
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
      }
    }
    return count
  }

  /// Reads and plans to find what is wrong; how many cases were selected.
  ///
  /// - Parameter standardInput: What a file from standard input is called; `nil` where none can be read from there.
  func review(standardInput: String? = nil) -> (input: ScenarioInput, count: Int) {
    var (input, lastFailed) = readInput(standardInput: standardInput)
    var options = options(for: input)
    narrow(&options, &input, lastFailed: lastFailed)
    options.reportsUnused = true
    if options.only == .heeded { options.only = .ignored }
    let (count, found) = Planner.check(files: input.files, options: options)
    input.diagnostics += found + secrets.mistakes(input.files)
    input.redactor = secrets.redactor(PlannedSecrets(of: input.files + input.broken))
    input.addMistakes(ofBroken: options)
    return (input, count)
  }

  /// Returns the options of planning, with those for files and names.
  func options(for input: ScenarioInput) -> PlannerOptions {
    var options = Self.plannerOptions(seed: seed)
    options.selections = input.selection
    options.nameFilter = filters.filter
    if AutomaticBuild.isOn, !filters.allowOnly { options.only = .refused }
    return options
  }

  /// A planner that reads the files of this machine.
  static func plannerOptions(seed: Int64?) -> PlannerOptions {
    var options = PlannerOptions(
      seed: seed, fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    options.filesBelow = { folder in
      FileTree.isFolder(folder) ? FileTree.files(below: folder).map { "\(folder)/\($0)" } : nil
    }
    options.realPath = { FileTree.realPath($0) }
    options.missingFunctions = { FunctionSearch.missing($0, in: $1) }
    return options
  }

  /// Reports the mistakes, and exits if one keeps the scenarios from running.
  func report(
    _ input: ScenarioInput, _ whenInvalid: (ScenarioInput) throws -> Void = { _ in }
  ) throws {
    input.report(usesColour: color.usesColour(descriptor: STDERR_FILENO), as: diagnostics ?? .text)
    guard !input.hasErrors else {
      try whenInvalid(input)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }
}

extension SelectionOptions {
  /// Reports that nothing was selected: exit code 4.
  static func nothingSelected() -> ArgumentParser.ExitCode {
    Console.report("no scenario was selected\n")
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.nothingSelected.rawValue)
  }

  /// Reads and lists, or says everything that is wrong with reading and exits.
  func list() throws -> [CaseListing] {
    var (input, lastFailed) = readInput()
    var options = PlannerOptions(
      selections: input.selection, nameFilter: filters.filter,
      fileExists: { access($0, F_OK) == 0 },
      readFile: { try? FileTree.read($0) })
    options.filesBelow = self.options(for: input).filesBelow
    narrow(&options, &input, lastFailed: lastFailed)
    let (cases, found) = Planner.list(files: input.files, options: options)
    input.diagnostics += found
    try report(input)
    return cases
  }
}

extension PlannerOptions {
  /// The same for all cases, whether they are selected or not.
  fileprivate var withoutSelection: PlannerOptions {
    var options = self
    options.selections = []
    options.nameFilter = nil
    (options.tags, options.caseNames, options.identifiers) = (nil, [], nil)
    options.only = .ignored
    return options
  }

  /// Plans all cases of files; none where a mistake keeps them from being planned.
  func planningAll(_ files: [ScenarioFile]) -> [PlannedCase] {
    Planner.plan(files: files, options: withoutSelection).plan?.cases ?? []
  }
}

/// A plan and the texts that it was made from.
struct PlannedInput {
  /// The plan to run.
  var plan: ExecutionPlan
  /// The text of each file, by its path.
  var sources: [String: String]
  /// Plans a case anew with some of the changes to its data.
  var replan: @Sendable (_ identifier: String, _ mutations: Set<Int>) -> PlannedCase?
  /// Plans all cases of a file, whether they were selected or not.
  var casesOf: @Sendable (_ file: String) -> [PlannedCase] = { _ in [] }
  /// Plans cases, by their identifiers, for clocks that begin at a date; `nil` for a saved plan.
  var atDate: (@Sendable (_ identifiers: Set<String>, WallInstant) -> [PlannedCase])?
  /// The dates at which cases are to be run again, by their identifiers; `nil` among them is the one of their files.
  var dates: [String: [WallInstant?]] = [:]
  /// The files that the plan was made from.
  var inputs: [PlanInput] = []
  /// The settings of the command line that the plan depends on.
  var wishes = SavedPlan.Wishes()
  /// The assignment of cases to shards, where that is decided already.
  var assignment: ShardAssignment?
  /// The files that were read to plan it.
  var loaded = LoadedCases()

  init(
    plan: ExecutionPlan, sources: [String: String],
    replan: @escaping @Sendable (_ identifier: String, _ mutations: Set<Int>) -> PlannedCase?
  ) {
    self.plan = plan
    self.sources = sources
    self.replan = replan
    loaded.originals = Set(plan.cases.map(\.identifier))
  }

  /// Puts in place of each case that failed before one for each date at which it did.
  mutating func takeDates() {
    guard let atDate, !dates.isEmpty else { return }
    plan.cases = plan.cases.flatMap { planned -> [PlannedCase] in
      guard let dates = dates[planned.identifier] else { return [planned] }
      return dates.flatMap { date -> [PlannedCase] in
        guard let date else { return [planned] }
        return atDate([planned.identifier], date).map { $0.dated(date) }
      }
    }
  }

  /// - Throws: Exit code 4 if there is nothing to run.
  func requireCases() throws {
    if plan.cases.isEmpty { throw SelectionOptions.nothingSelected() }
  }
}
