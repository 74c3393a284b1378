internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner
internal import ScenarioSyntax

/// The settings of the project's file and the environment for the options of a command.
///
/// The command line comes before variables, those before the profile, that before the rest of the
/// file.
struct Settings {
  /// The origin of a value.
  enum Origin {
    case variable(String)
    case file(SourceRange, profile: String?)
  }

  /// One option that is completed.
  struct Addition {
    var parameter: CommandTree.Parameter
    /// The values, as a person would write them.
    var values: [String]
    /// The words for the command line; the first ones of positional arguments.
    var words: [String]
    var origin: Origin
  }

  /// The additions to the command line.
  private(set) var additions: [Addition] = []
  /// The settings' file, as messages call it, and its text.
  private(set) var file: (path: String, text: String)?
  /// The profile that holds.
  private(set) var profile: String?

  /// The prefix of all variables.
  static let prefix = "SCENARIO_"
  /// Options whose values are paths, seen from the project's folder.
  private static let paths: Set<String> = ["paths", "root", "save"]
  /// Options whose values hold a path behind `=`.
  private static let keyedPaths: Set<String> = ["report"]
  /// The options that a file sets for runs, and not for other commands that write reports.
  private static let forRuns: Set<String> = ["report"]

  /// Finds what completes a command line.
  ///
  /// - Throws: Exit code 2, after saying what is wrong with the file or with `--profile`.
  init(for given: GivenArguments, in tree: CommandTree, project: Project) throws {
    guard let command = given.command else { return }
    var taken = given.names
    // What failed before says which files are meant.
    if !given.positionals.isEmpty || command.name == "rerun" { taken.insert("paths") }
    taken = Self.withRivals(taken)
    let variables = Self.variables()
    for parameter in command.parameters where !taken.contains(parameter.name) {
      let name = Self.variable(for: parameter.name)
      guard parameter.kind != .positional || parameter.name == "paths", parameter.name != "help",
        parameter.name != "version", let text = variables[name]
      else { continue }
      guard let addition = try Self.addition(parameter, text, variable: name) else { continue }
      let isOff = parameter.kind == .flag && addition.values == ["false"]
      let own: Set = [parameter.name]
      if parameter.name != "profile" { taken.formUnion(isOff ? own : Self.withRivals(own)) }
      additions.append(addition)
    }
    guard command.parameters.contains(where: { $0.name == "profile" }) else { return }
    let requested = given.values["profile"] ?? variables[Self.variable(for: "profile")]
    try readFile(
      project, tree, command, requested: requested?.isEmpty == false ? requested : nil, taken)
  }

  /// Options that are opposites or equivalents of each other: giving one decides the others.
  private static let exclusiveOptions: [Set<String>] = [
    ["verbose", "quiet"], ["quiet", "ui"], ["x", "fail-fast"], ["repeat", "until-fail"],
  ]

  /// Options with those that they decide on.
  private static func withRivals(_ names: Set<String>) -> Set<String> {
    exclusiveOptions.reduce(names) { all, group in
      names.isDisjoint(with: group) ? all : all.union(group)
    }
  }

  /// The name of the variable for an option.
  static func variable(for option: String) -> String {
    prefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  // MARK: - Variables

  private static func variables() -> [String: String] {
    var found: [String: String] = [:]
    var pointer = environ
    while let entry = pointer.pointee {
      pointer += 1
      guard strncmp(entry, prefix, prefix.utf8.count) == 0 else { continue }
      let text = String(cString: entry)
      guard let equals = text.firstIndex(of: "=") else { continue }
      found[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return found
  }

  private static func addition(
    _ parameter: CommandTree.Parameter, _ text: String, variable: String
  ) throws -> Addition? {
    var values = [text]
    if parameter.kind == .flag {
      guard let isOn = truth(of: text) else {
        Console.report(
          Diagnostic(
            "\(variable) is \"\(text)\", which is neither true nor false", code: .badArguments,
            at: nil, help: "write 1 or true, 0 or false"))
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
      }
      values = ["\(isOn)"]
    } else if text.isEmpty {
      // A variable that is set to nothing is how scripts take one away.
      return nil
    } else if parameter.isRepeating {
      values = text.split { text.contains("\n") ? $0 == "\n" : $0 == "," }.map(String.init)
    }
    return Addition(
      parameter: parameter, values: values, words: words(parameter, values),
      origin: .variable(variable))
  }

  private static func truth(of text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "", "0", "false", "no", "off": false
    default: nil
    }
  }

  /// The words that say so on a command line.
  private static func words(_ parameter: CommandTree.Parameter, _ values: [String]) -> [String] {
    switch parameter.kind {
    case .positional: return values
    case .option: return values.map { "--\(parameter.name)=\($0)" }
    case .flag:
      // A flag that only a letter names.
      let dashes = parameter.names.isEmpty ? "-" : "--"
      if values == ["true"] { return ["\(dashes)\(parameter.name)"] }
      return parameter.inverted.map { ["--\($0)"] } ?? []
    }
  }

  /// Reports variables that are not read and whose names are near to ones that are.
  static func warnOfVariables(_ tree: CommandTree) {
    let names = variables().keys
    let known = Set(
      tree.all.flatMap(\.parameters).filter { $0.kind != .positional || $0.name == "paths" }
        .map { variable(for: $0.name) })
    for name in names.sorted()
    where !known.contains(name) && !installation.contains(name)
      && !name.hasPrefix(VariableInputs.environmentPrefix)
    {
      let letter = name.dropFirst(prefix.count)
      if letter.count == 1 {
        let option = tree.all.flatMap(\.parameters).first {
          $0.letters.map(String.init) == [letter.lowercased()]
        }
        guard let option else { continue }
        reportNothing(name, near: variable(for: option.name))
        continue
      }
      guard let near = Suggestion.closest(to: name, in: known) else { continue }
      reportNothing(name, near: near)
    }
  }

  /// What jobs install the program by, in the recipes of Documentation/scale-out: it is not for the program.
  private static let installation: Set = ["SCENARIO_URL", "SCENARIO_ARCHIVE", "SCENARIO_SHA256"]

  private static func reportNothing(_ name: String, near: String) {
    Console.report(
      Diagnostic(
        "the variable \(name) has no effect", code: .noDifference, at: nil,
        help: "did you mean \(near)?"))
  }

  // MARK: - The file

  /// The keys that settings may have: the options of `run`, and `paths`.
  static func keys(in tree: CommandTree) -> [ConfigurationKey] {
    let parameters = tree.subcommand("run")?.parameters ?? []
    let hidden: Set = ["help", "version", "profile"]
    return parameters.filter { !hidden.contains($0.name) && $0.isShown }.map { parameter in
      ConfigurationKey(
        key(for: parameter),
        parameter.kind == .flag ? .flag : parameter.isRepeating ? .list : .value,
        summary: parameter.summary)
    }
  }

  /// `fail_fast` for `--fail-fast`, and `reports` for `--report`, which may be given more than once.
  static func key(for parameter: CommandTree.Parameter) -> String {
    let name = parameter.name.map { $0 == "-" ? "_" : String($0) }.joined()
    return parameter.isRepeating && !name.hasSuffix("s") ? name + "s" : name
  }

  private mutating func readFile(
    _ project: Project, _ tree: CommandTree, _ command: CommandTree, requested: String?,
    _ taken: Set<String>
  ) throws {
    guard let path = project.configuration else {
      guard let requested, requested != ProjectConfiguration.noProfile else { return }
      throw Self.refusal(
        Diagnostic(
          "there is no profile \"\(requested)\": the project has no scenario.yml",
          code: .badArguments,
          at: nil, help: "write one in the project's folder, or \"scenario init\""))
    }
    let shown = PathFromHere.relative(path)
    if let rival = project.rivalConfiguration {
      let other = PathFromHere.relative(rival)
      throw Self.refusal(
        Diagnostic(
          "the project has settings in \"\(shown)\" and in \"\(other)\"", code: .badArguments,
          at: nil,
          help: "move all settings into one of the two, and remove the other"))
    }
    let bytes: [UInt8]
    do throws(FileReadError) {
      bytes = try FileTree.read(path, limit: 1 << 20)
    } catch {
      throw Self.refusal(Diagnostic(error.message(path: shown), code: .unreadableFile, at: nil))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    file = (shown, text)
    let (configuration, mistakes) = ProjectConfiguration.parse(
      bytes: bytes, path: shown, keys: Self.keys(in: tree))
    let renderer = DiagnosticRenderer { $0 == shown ? text : nil }
    for mistake in mistakes { Console.report(renderer.render(mistake) + "\n") }
    guard !mistakes.contains(where: { $0.severity == .error }) else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    profile = try Self.profile(requested, configuration, shown)
    let entries = profile.flatMap { configuration.profiles[$0] } ?? []
    var seen: Set<String> = []
    let isRun = ["run", "rerun", "config"].contains(command.name)
    var taken = taken
    for entry in entries + configuration.entries where seen.insert(entry.key).inserted {
      guard let parameter = command.parameters.first(where: { Self.key(for: $0) == entry.key }),
        !taken.contains(parameter.name), isRun || !Self.forRuns.contains(parameter.name)
      else { continue }
      let values = entry.values.map { Self.fromHere($0.value, parameter.name, project) }
      if parameter.kind != .flag || values == ["true"] {
        taken.formUnion(Self.withRivals([parameter.name]).subtracting([parameter.name]))
      }
      additions.append(
        Addition(
          parameter: parameter, values: values, words: Self.words(parameter, values),
          origin: .file(entry.values.first?.range ?? entry.range, profile: entry.profile)))
    }
    for variable in configuration.variables.reversed()
    where variable.profile == nil || variable.profile == profile {
      guard variable.profile != nil || !configuration.sets(variable.name, in: profile) else {
        continue
      }
      setenv(variable.name, variable.value, 0)
    }
  }

  /// The profile that holds: the one that is asked for, or `ci` in an automatic build.
  private static func profile(
    _ requested: String?, _ configuration: ProjectConfiguration, _ path: String
  ) throws -> String? {
    guard let requested else {
      return AutomaticBuild.isOn && configuration.profiles["ci"] != nil ? "ci" : nil
    }
    guard requested != ProjectConfiguration.noProfile else { return nil }
    guard configuration.profiles[requested] != nil else {
      throw refusal(
        Diagnostic(
          "\"\(path)\" has no profile \"\(requested)\"", code: .badArguments, at: nil,
          help: Suggestion.help(
            for: requested, in: configuration.profiles.keys, label: "its profiles")))
    }
    return requested
  }

  /// A path of the file as it is seen from the current folder.
  private static func fromHere(_ value: String, _ option: String, _ project: Project) -> String {
    if paths.contains(option) { return PathFromHere.relative(project.path(of: value)) }
    guard keyedPaths.contains(option), let equals = value.firstIndex(of: "=") else { return value }
    let path = String(value[value.index(after: equals)...])
    return "\(value[...equals])\(PathFromHere.relative(project.path(of: path)))"
  }

  private static func refusal(_ diagnostic: Diagnostic) -> ArgumentParser.ExitCode {
    Console.report(diagnostic)
    return ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
  }
}

extension ProjectConfiguration {
  /// Returns whether a profile sets a variable.
  fileprivate func sets(_ name: String, in profile: String?) -> Bool {
    profile != nil && variables.contains { $0.profile == profile && $0.name == name }
  }
}
