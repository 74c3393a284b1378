internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario plan`.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Print what a run would do, without running it.",
    discussion: CommandDiscussion(
      """
      Run the plan that -o writes with "scenario run --plan FILE". The same files with the same names have the same \
      digest on any machine. A plan contains no values of environment variables.
      """,
      examples: [
        "scenario plan scenarios/checkout.yaml",
        "scenario plan --shards 4 -o plan.json",
        "scenario plan --against plan.json --detailed-exitcode",
      ]
    ).rendered)

  /// The format of a plan.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// The form for people.
    case text
    /// The complete plan, for programs.
    case json
  }

  @OptionGroup var selection: SelectionOptions
  @OptionGroup(title: HelpTitle.selection) var lists: CaseListOptions

  @Option(help: "Print in this format: text or json.")
  var format: Format = .text

  @Option(name: .shortAndLong, help: "Write the plan, as JSON, to this file.")
  var output: String?

  @OptionGroup(title: HelpTitle.shards) var division: DivisionOptions

  @Option(help: ArgumentHelp("Show the differences from this saved plan.", valueName: "file"))
  var against: String?

  @Flag(
    help: ArgumentHelp(
      "Exit with 0 if the plan equals --against, with 6 if it differs.",
      discussion: "Exits with 4 if nothing is planned, with 2 if there are mistakes."))
  var detailedExitcode = false

  func validate() throws {
    if let shards = division.count, !(1...Shard.limit).contains(shards) {
      throw ValidationError("\"\(shards)\" is not a valid number of shards")
    }
    guard !detailedExitcode || against != nil else {
      throw ValidationError("--detailed-exitcode needs --against FILE to compare with")
    }
  }

  func run() throws {
    let old = try against.map(SavedPlanOptions.read)
    var input = try selection.plan()
    _ = try lists.apply(to: &input)
    if let shards = division.count {
      input.assignment = try division.weights.assignment(of: input.plan.cases, to: shards)
    }
    if let output {
      try ReportPlaces.require(
        [output],
        apartFrom: input.readFiles.union(
          [lists.testList, lists.excludeList, Project.current().configuration].compactMap { $0 }))
    }
    input.inputs = PlanInputs.adding(
      Set(input.plan.cases.flatMap(\.possibleFiles)), to: input.inputs, apartFrom: output)
    let saved = try input.saved()
    if let output {
      try write(saved, to: output)
    } else if old == nil || format == .json {
      if format == .json {
        try Console.print(Self.text(of: saved), content: .json)
      } else {
        try Console.print(lines(of: saved).joined())
      }
    }
    guard let old else { return }
    let difference = saved.difference(from: old)
    if format == .text {
      let lines = difference.isEmpty ? ["no differences"] : difference
      let redactor = selection.secrets.redactor(saved.plan.secrets)
      try Console.print(lines.map { TerminalText.line(redactor.redacted($0)) + "\n" }.joined())
    }
    guard detailedExitcode else { return }
    if !difference.isEmpty { throw exit(.planDiffers) }
    if saved.cases.isEmpty { throw exit(.nothingSelected) }
  }

  /// The plan for people: the cases, who runs them, and the plan's name.
  private func lines(of saved: SavedPlan) -> [String] {
    var lines = saved.plan.summary()
    if let shards = saved.shards {
      lines.append("")
      let places = Dictionary(grouping: saved.cases.indices) { shards.shards[$0] }
      for shard in 1...shards.count {
        let own = places[shard] ?? []
        lines.append("shard \(shard)/\(shards.count) by \(shards.strategy.rawValue): \(own.count)")
        lines += own.map { "  \(saved.cases[$0].identifier)" }
      }
    }
    lines += saved.inputs.isEmpty ? [] : [""]
    for input in saved.inputs where input.sha256 != nil {
      lines.append("from \(input.path)")
    }
    let redactor = selection.secrets.redactor(saved.plan.secrets)
    return (lines + ["plan \(saved.digest)"]).map {
      TerminalText.line(redactor.redacted($0)) + "\n"
    }
  }

  private static func text(of saved: SavedPlan) throws(InternalError) -> String {
    do {
      return try saved.jsonText()
    } catch {
      throw InternalError(message: "cannot write the plan as JSON: \(error)")
    }
  }

  private func write(_ saved: SavedPlan, to path: String) throws {
    let text = try Self.text(of: saved)
    do throws(ReportError) {
      // It holds what the files said, keys among it.
      let sink = try FileSink(path: path, mode: 0o600)
      try sink.write(text)
      try sink.finish()
    } catch {
      Console.report(error)
      throw exit(.undecided)
    }
  }

  private func exit(_ code: ScenarioReport.ExitCode) -> ArgumentParser.ExitCode {
    ArgumentParser.ExitCode(code.rawValue)
  }
}

/// Options that divide a plan.
struct DivisionOptions: ParsableArguments {
  @Option(name: .customLong("shards"), help: "Distribute the cases among this many shards.")
  var count: Int?

  @OptionGroup var weights: ShardWeightOptions
}
