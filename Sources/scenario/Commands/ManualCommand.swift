internal import ArgumentParser
internal import ScenarioReport

/// The command `scenario manual`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Prints the manual page, in the form that man reads.",
    discussion: "To read it: scenario manual | man -l -")

  func run() throws {
    guard let tree = CommandTree(of: ScenarioCommand.self) else {
      throw InternalError(message: "the commands cannot be listed")
    }
    try Console.print(CommandManual(tree: tree, version: Version.text).text, content: .verbatim)
  }
}

/// `scenario.1`, written from the commands themselves (man(7)).
struct CommandManual {
  let tree: CommandTree
  let version: String

  /// Exit codes and what they mean, as they are promised.
  private static let exitCodes = [
    (0, "Every scenario held."), (1, "An expectation was false."),
    (2, "The input or the command line is invalid; nothing ran."),
    (3, "Something could not be decided, such as a report that could not be written."),
    (4, "Nothing was selected."), (5, "A rerun passed, and earlier failures are outstanding."),
    (70, "A bug in scenario."), (130, "Interrupted; 143: terminated."),
  ]

  private static let variables = [
    (
      "SCENARIO_NAME",
      "Each option has its variable: SCENARIO_SEED=4 stands for --seed 4, SCENARIO_LAST_FAILED=1 for "
        + "--last-failed. Several values are parted by commas or lines. The command line comes first."
    ),
    ("CI", "Makes the profile ci hold, if there is one, and refuses only: true."),
    ("NO_COLOR, FORCE_COLOR", "Forbids colours if it is not empty; demands them if it is not 0."),
    ("TERM", "If it is dumb, empty or not set, the terminal is one without colours."),
    ("TMPDIR", "Where temporary folders are made; /tmp otherwise."),
  ]

  private static let files = [
    (
      "scenario.yml, .scenario/config.yml",
      "Settings of a project, looked for upward from the current folder: options by their names with "
        + "underscores, and profiles. The command line comes before variables, those before the profile, "
        + "that before the rest."
    ),
    (".scenario/last-run.json", "What failed when it was last run."),
    (
      ".scenario/passed",
      "How each case was when it passed last, to which HTML reports compare one that fails."
    ),
    (".scenario/timings.json", "How long cases took in their last five runs."),
  ]

  /// The page, with a final newline.
  var text: String {
    var lines = [
      ".TH SCENARIO 1 \"\" \"scenario \(version)\" \"User Commands\"", ".SH NAME",
      "scenario \\- run a program inside a small world and check what it did", ".SH SYNOPSIS",
      ".B scenario", ".I command", ".RI [ argument \" ...]\"", ".SH DESCRIPTION",
      Self.escaped(
        "scenario runs an executable inside a small world that a YAML file describes: what time it is and "
          + "how time passes, what the network answers, which calls fail, which data exists. Then it checks "
          + "what the executable did, and writes reports."),
      ".SH COMMANDS",
    ]
    for command in tree.subcommands where command.name != "help" { lines += section(command) }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in Self.exitCodes { lines += entry("\(code)", meaning) }
    lines.append(".SH ENVIRONMENT")
    for (name, meaning) in Self.variables { lines += entry(name, meaning) }
    lines.append(".SH FILES")
    for (name, meaning) in Self.files { lines += entry(name, meaning) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: CommandTree) -> [String] {
    let arguments = command.parameters.filter { $0.kind == .positional }.map { parameter in
      let name = "<\(parameter.valueName)>\(parameter.isRepeating ? "..." : "")"
      return parameter.isOptional ? "[\(name)]" : name
    }
    let usage = (["scenario", command.name, "[options]"] + arguments).joined(separator: " ")
    var lines = [".SS \(Self.escaped(usage))"]
    if !command.summary.isEmpty { lines.append(Self.escaped(command.summary)) }
    if !command.discussion.isEmpty { lines += [".PP", Self.escaped(command.discussion)] }
    for parameter in command.parameters where parameter.isShown && parameter.name != "version" {
      var text = parameter.summary
      if let value = parameter.defaultValue, !value.isEmpty { text += " Default: \(value)." }
      lines += entry(Self.heading(parameter), text)
    }
    return lines
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
