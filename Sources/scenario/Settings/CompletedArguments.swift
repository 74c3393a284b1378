internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioCompiler
internal import ScenarioReport
internal import ScenarioRunner

/// The command line, completed from variables and from the project's settings.
///
/// This is the one place that knows of them: commands see options, wherever those come from.
enum CompletedArguments {
  /// Parses the words after a program's name.
  ///
  /// - Throws: What ArgumentParser throws; or exit code 2, after naming the variable or the line that holds a
  ///   value which an option does not take.
  static func parse(
    _ words: [String], of program: any ParsableCommand.Type, warns: Bool = true
  ) throws -> any ParsableCommand {
    let words = OptionalValues.completed(words)
    guard !words.isEmpty, !isAboutParser(words[0]), !isHelp(words) else {
      return try program.parseAsRoot(words)
    }
    let project = Project.current()
    guard project.configuration != nil || hasVariables || words.contains(where: isProfile),
      let tree = CommandTree(of: program)
    else { return try parse(complete: words, of: program) }
    let given = GivenArguments(words, of: tree)
    if warns { Settings.warnOfVariables(tree) }
    let settings = try Settings(for: given, in: tree, project: project)
    guard !settings.additions.isEmpty else { return try parse(complete: words, of: program) }
    for addition in settings.additions where addition.parameter.name == "tags" {
      try requireTags(addition, settings)
    }
    do {
      return try parse(
        complete: completed(words, given, settings.additions), of: program)
    } catch {
      guard let guilty = guilty(words, given, settings.additions, program) else { throw error }
      let message = program.message(for: guilty.error)
      throw refusal(of: guilty.addition, message, settings)
    }
  }

  /// Parses words to which nothing is to be added.
  ///
  /// The tree of the chosen command is enough where it takes them, and is built in a part of the time; what it does not
  /// take, the whole program answers.
  private static func parse(
    complete words: [String], of program: any ParsableCommand.Type
  ) throws -> any ParsableCommand {
    let command = program.configuration.subcommands.first {
      $0.configuration.commandName == words.first && $0.configuration.subcommands.isEmpty
    }
    if let command, let parsed = try? command.parseAsRoot(Array(words.dropFirst())) {
      return parsed
    }
    return try program.parseAsRoot(words)
  }

  /// Checks tags given by a setting now: when scenarios are read, their origin is no longer known.
  private static func requireTags(_ addition: Settings.Addition, _ settings: Settings) throws {
    do throws(Diagnostic) {
      _ = try TagExpression(addition.values.first ?? "")
    } catch {
      let help = error.help.map { "; \($0)" } ?? ""
      throw refusal(of: addition, error.message + help, settings)
    }
  }

  /// The words with those of additions: arguments behind the command's name, options at the end.
  static func completed(
    _ words: [String], _ given: GivenArguments, _ additions: [Settings.Addition]
  ) -> [String] {
    let arguments = additions.filter { $0.parameter.kind == .positional }.flatMap(\.words)
    let options = additions.filter { $0.parameter.kind != .positional }.flatMap(\.words)
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var all = Array(words[..<given.commandEnd])
    all += arguments
    all += words[given.commandEnd..<end]
    all += options
    all += words[end...]
    return all
  }

  /// The addition without which the words could be parsed, and what it does to them; `nil` if it is no
  /// addition's fault.
  private static func guilty(
    _ words: [String], _ given: GivenArguments, _ additions: [Settings.Addition],
    _ program: any ParsableCommand.Type
  ) -> (addition: Settings.Addition, error: any Error)? {
    var kept: [Settings.Addition] = []
    var guilty: (Settings.Addition, any Error)?
    // Required options may come from additions, so that only all together need be right.
    for addition in additions {
      do {
        _ = try program.parseAsRoot(completed(words, given, kept + [addition]))
        kept.append(addition)
      } catch {
        if guilty == nil { guilty = (addition, error) }
      }
    }
    guard let guilty, (try? program.parseAsRoot(completed(words, given, kept))) != nil
    else { return nil }
    return guilty
  }

  private static func refusal(
    of addition: Settings.Addition, _ message: String, _ settings: Settings
  ) -> ArgumentParser.ExitCode {
    let value = addition.values.joined(separator: ", ")
    let name = addition.parameter.name
    var diagnostic = Diagnostic(
      "\"\(value)\" is not a valid value of --\(name)", code: .badArguments, at: nil, help: message)
    switch addition.origin {
    case .variable(let variable):
      diagnostic.message = "\(variable) is \"\(value)\", which --\(name) does not accept"
      Console.report(diagnostic)
    case .file(let range, _):
      diagnostic.range = range
      diagnostic.message = "--\(name) does not accept \"\(value)\""
      let file = settings.file
      let renderer = DiagnosticRenderer { $0 == file?.path ? file?.text : nil }
      Console.report(renderer.render(diagnostic))
    }
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }

  /// Requests to the parser itself, such as for completion scripts, have nothing to complete.
  private static func isAboutParser(_ word: String) -> Bool {
    word.hasPrefix("---") || word.hasPrefix("--generate") || word.hasPrefix("--experimental")
      || word == "help" || word == "--version"
  }

  /// Help must come whatever the settings are.
  private static func isHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private static func isProfile(_ word: String) -> Bool {
    word == "--profile" || word.hasPrefix("--profile=")
  }

  private static var hasVariables: Bool {
    var pointer = environ
    while let entry = pointer.pointee {
      if strncmp(entry, Settings.prefix, Settings.prefix.utf8.count) == 0 { return true }
      pointer += 1
    }
    return false
  }
}
