internal import ArgumentParser
internal import OrderedCollections
internal import ScenarioReport

/// The command `scenario manual`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for man.",
    discussion: CommandDiscussion(examples: [
      "scenario manual | man -l -",
      "scenario manual > scenario.1",
    ]).rendered)

  func run() throws {
    guard let tree = CommandTree(of: ScenarioCommand.self) else {
      throw InternalError(message: "cannot list the commands")
    }
    let groups = ScenarioCommand.configuration.groupedSubcommands.map { group in
      (name: group.name, commands: group.subcommands.compactMap { $0.configuration.commandName })
    }
    try Console.print(
      CommandManual(tree: tree, groups: groups, version: Version.text).text, content: .verbatim)
  }
}

/// `scenario.1`, written from the commands themselves (man(7)).
struct CommandManual {
  let tree: CommandTree
  /// The commands in their groups, by their names.
  let groups: [(name: String, commands: [String])]
  let version: String

  /// Exit codes and what they mean, as they are promised.
  private static let exitCodes = [
    (0, "All scenarios passed."), (1, "An expectation failed."),
    (2, "The input or the command line is invalid; nothing ran."),
    (3, "An error prevented a result, such as a report that could not be written."),
    (4, "Nothing was selected."), (5, "A rerun passed, but earlier failures are outstanding."),
    (70, "A bug in scenario."), (130, "Interrupted; 143: terminated."),
  ]

  private static let variables = [
    (
      "SCENARIO_NAME",
      "Each option has a variable: SCENARIO_SEED=4 means --seed 4, SCENARIO_LAST_FAILED=1 means "
        + "--last-failed. Separate several values by commas or newlines. The command line takes precedence."
    ),
    (
      "CI",
      "Unless it is 0, false or no: selects the profile ci if there is one, writes no snapshots and rejects only: true. "
        + "If it is not set, so do TF_BUILD, TEAMCITY_VERSION, CODEBUILD_BUILD_ID, JENKINS_URL, JENKINS_HOME with BUILD_ID, "
        + "bamboo_buildKey and GITLAB_CI."
    ),
    ("NO_COLOR, FORCE_COLOR", "Disables colours if it is not empty; enables them if it is not 0."),
    ("TERM", "If it is dumb, empty or not set, output has no colours."),
    ("TMPDIR", "The folder for temporary folders (default: /tmp)."),
  ]

  private static let files = [
    (
      "scenario.yml, .scenario/config.yml",
      "Settings of a project, searched from the current folder upward: options by their names with "
        + "underscores, and profiles. The command line overrides variables, those override the profile, "
        + "and the profile overrides the rest."
    ),
    (".scenario/last-run.json", "The cases that failed or were not reached when they last ran."),
    (
      ".scenario/passed",
      "The last passing run of each case; HTML reports compare a failing case with it."
    ),
    (".scenario/timings.json", "The durations of cases in their last five runs."),
  ]

  /// The page, with a final newline.
  var text: String {
    var lines = [
      ".TH SCENARIO 1 \"\" \"scenario \(version)\" \"User Commands\"", ".SH NAME",
      "scenario \\- run a program in a simulated environment and check what it did", ".SH SYNOPSIS",
      ".B scenario", ".I command", ".RI [ argument \" ...]\"", ".SH DESCRIPTION",
      Self.escaped(
        "scenario runs an executable in a simulated environment that a YAML file describes: what time it is and "
          + "how time passes, what the network answers, which calls fail and which data exists. Then it checks "
          + "what the executable did, and writes reports."),
    ]
    for group in groups {
      lines.append(".SH \(Self.escaped(group.name.uppercased())) COMMANDS")
      for name in group.commands {
        lines += (tree.subcommand(name)?.leaves ?? []).flatMap(section)
      }
    }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in Self.exitCodes { lines += entry("\(code)", meaning) }
    lines.append(".SH ENVIRONMENT")
    for (name, meaning) in Self.variables { lines += entry(name, meaning) }
    lines.append(".SH FILES")
    for (name, meaning) in Self.files { lines += entry(name, meaning) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: CommandTree.Leaf) -> [String] {
    let (path, command) = (command.path, command.command)
    let arguments = command.parameters.filter { $0.kind == .positional }.map { parameter in
      let name = "<\(parameter.valueName)>\(parameter.isRepeating ? "..." : "")"
      return parameter.isOptional ? "[\(name)]" : name
    }
    let usage = (["scenario"] + path + ["[options]"] + arguments).joined(separator: " ")
    var lines = [".SS \(Self.escaped(usage))"]
    if !command.summary.isEmpty { lines.append(Self.escaped(command.summary)) }
    let discussion = command.discussion
    if !discussion.text.isEmpty { lines += [".PP", Self.escaped(discussion.text)] }
    let shown = command.parameters.filter { $0.isShown && $0.name != "version" }
    let untitled = shown.filter { $0.title == nil }
    lines += untitled.filter { $0.kind == .positional }.flatMap(entry)
    for title in OrderedSet(shown.compactMap(\.title)) {
      lines += [".PP", "\(Self.escaped(title)):"]
      lines += shown.filter { $0.title == title }.flatMap(entry)
    }
    lines += [".PP", "Options:"] + untitled.filter { $0.kind != .positional }.flatMap(entry)
    if !discussion.examples.isEmpty {
      lines += [".PP", "Examples:", ".PP", ".nf", ".RS"]
      lines += discussion.examples.map { Self.escaped($0) } + [".RE", ".fi"]
    }
    return lines
  }

  private func entry(_ parameter: CommandTree.Parameter) -> [String] {
    var text = parameter.summary
    if let value = parameter.defaultValue, !value.isEmpty { text += " Default: \(value)." }
    return entry(Self.heading(parameter), text)
  }

  private static func heading(_ parameter: CommandTree.Parameter) -> String {
    guard parameter.kind != .positional else { return "<\(parameter.valueName)>" }
    let names = parameter.letters.map { "-\($0)" } + parameter.names.map { "--\($0)" }
    let value = parameter.kind == .option ? " <\(parameter.valueName)>" : ""
    return names.joined(separator: ", ") + value
  }

  private func entry(_ heading: String, _ text: String) -> [String] {
    [".TP", ".B \(Self.escaped(heading))", text.isEmpty ? "\\&" : Self.escaped(text)]
  }

  /// Text as troff takes it: a dash stays one, and no line is a request (groff_man_style(7)).
  static func escaped(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      default: String(character)
      }
    }.joined()
    return escaped.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.hasPrefix(".") ? "\\&\($0)" : String($0) }.joined(separator: "\n.br\n")
  }
}
