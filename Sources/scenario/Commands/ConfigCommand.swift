internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax

/// The command `scenario config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the effective settings and the source of each.",
    discussion: CommandDiscussion(
      """
      The command line overrides the variables SCENARIO_…, those override the profile, and the profile overrides the \
      rest of scenario.yml. That file is searched from the current folder upward.
      """,
      examples: [
        "scenario config", "scenario config --schema > config.schema.json",
      ]
    ).rendered)

  @Option(help: SelectionOptions.profileHelp)
  var profile: String?

  @Flag(help: "Print the JSON Schema of scenario.yml, for editors.")
  var schema = false

  func run() throws {
    guard let tree = CommandTree(of: ScenarioCommand.self), let run = tree.subcommand("run") else {
      throw InternalError(message: "cannot list the commands")
    }
    guard !schema else {
      try Console.print(ConfigurationSchema.text(keys: Settings.keys(in: tree)), content: .json)
      return
    }
    let words = ["run"] + (profile.map { ["--profile=\($0)"] } ?? [])
    let project = Project.current()
    let settings = try Settings(
      for: GivenArguments(words, of: tree), in: tree, project: project)
    // What a run would refuse is refused here.
    _ = try CompletedArguments.parse(words, of: ScenarioCommand.self, warns: false)
    var lines = [
      "project: \(project.folder)", "settings: \(settings.file?.path ?? "none")",
      "profile: \(settings.profile ?? "none")", "",
    ]
    let defaults = try RunCommand.usualValues()
    for parameter in run.parameters where parameter.isShown {
      guard !["help", "version", "profile"].contains(parameter.name) else { continue }
      let addition = settings.additions.first { $0.parameter.name == parameter.name }
      let value =
        addition?.values.joined(separator: ", ")
        ?? defaults[parameter.name] ?? parameter.defaultText
      lines.append("\(Settings.key(for: parameter)): \(value)  (\(Self.origin(of: addition)))")
    }
    try Console.print(lines.map { TerminalText.line($0) + "\n" }.joined())
  }

  private static func origin(of addition: Settings.Addition?) -> String {
    switch addition?.origin {
    case nil: "default"
    case .variable(let name)?: name
    case .file(let range, let profile)?:
      "\(range.file):\(range.line)" + (profile.map { ", profile \($0)" } ?? "")
    }
  }
}

extension CommandTree.Parameter {
  /// The default value, for people.
  fileprivate var defaultText: String {
    defaultValue ?? (kind == .flag ? "false" : "-")
  }
}

extension RunCommand {
  /// The defaults of options whose parser does not know them, by their names.
  fileprivate static func usualValues() throws -> [String: String] {
    let usual = try RunCommand.parse([])
    let jobs: String
    switch usual.execution.jobs {
    case .auto: jobs = "auto"
    case .count(let count): jobs = "\(count)"
    }
    return [
      "paths": SelectionOptions.defaultPaths.joined(separator: ", "),
      "color": "\(usual.selection.color)", "diagnostics": DiagnosticFormat.text.rawValue,
      "jobs": jobs, "order": usual.execution.ordering.order.rawValue,
      "timeout": "\(PlannerOptions(fileExists: { _ in true }).defaultTimeout)",
      "global-timeout": "none",
      "grace": "\(RunOptions.usualGrace)", "leak": usual.execution.leak.rawValue,
      "retries": "\(usual.execution.retries)", "repeat": "\(usual.execution.repetitions)",
      "keep-workdir": usual.execution.keepWorkdir.rawValue, "fail-fast": "none",
      "ui": usual.look.interface.rawValue, "show-output": usual.look.showOutput.rawValue,
      "failure-output": usual.look.failureOutput.rawValue,
      "slow": usual.look.slowLimit.map { "\($0)" } ?? "none", "junit-dialect": "auto",
      "seed": "that of each file, or 0", "network": "that of each file",
    ]
  }
}
