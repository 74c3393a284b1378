internal import ArgumentParser
internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioCompiler
internal import ScenarioModel
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario build`.
struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Print a built object and the source of each of its fields.",
    discussion: CommandDiscussion(
      """
      NAME is an object of "build" or a factory. The same file and seed print the same object. With --lint, every \
      factory is built once, and once with each of its traits.
      """,
      examples: [
        "scenario build scenarios/users.yaml user",
        "scenario build scenarios/users.yaml user --count 10 --format csv",
        "scenario build scenarios/users.yaml user --explain",
        "scenario build scenarios/users.yaml --lint",
      ]
    ).rendered)

  /// The format of a model.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json
    case yaml
    case csv
    /// The arguments of "construct", a line each, as a target would get them.
    case args
  }

  @Argument(help: "The scenario file.")
  var file: String

  @Argument(help: "An object of \"build\" or a factory.")
  var name: String?

  @Flag(
    help:
      "Build every factory of the file, and each of its traits, and report those that cannot be built."
  )
  var lint = false

  @Option(
    help: "Print in this format: json, yaml, csv, or args (the arguments of \"construct\").")
  var format: Format = .json

  @Option(help: "Build NAME of this scenario (default: the first that defines it).")
  var scenario: String?

  @Option(help: "Build a list of this many objects of a factory.")
  var count: Int?

  @Flag(
    help: "Print the value of each field, what set it, where, and its random choice.")
  var explain = false

  @Option(help: "Use this seed for random values (default: the one in the file).")
  var seed: Int64?

  @Option(help: "Build this many times and print the number of objects per second.")
  var measure: Int?

  @OptionGroup(title: HelpTitle.values) var variables: VariableOptions

  @Option(help: SelectionOptions.rootHelp)
  var root: String?

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  func validate() throws {
    if let count, count < 0 { throw ValidationError("--count must not be negative") }
    guard lint == (name == nil) else {
      throw ValidationError(
        lint
          ? "--lint builds all factories; leave \"\(name ?? "")\" out"
          : "name an object or a factory, or add --lint")
    }
    if let measure, measure < 1 { throw ValidationError("--measure must be at least 1") }
  }

  func run() throws {
    let colours = color.usesColour(descriptor: STDERR_FILENO)
    let given = variables.inputs()
    var input = ScenarioInput.read([file], root: root, runs: false, inputs: given.inputs)
    input.diagnostics += given.diagnostics
    input.sources.merge(given.sources) { own, _ in own }
    let options = PlannerOptions(
      seed: seed, fileExists: { access($0, F_OK) == 0 }, readFile: { try? FileTree.read($0) })
    guard !input.hasErrors, let source = input.files.first else {
      input.report(usesColour: colours)
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    guard let name else { return try lint(source, input, options) }
    let clock = ContinuousClock()
    let begin = clock.now
    let (model, diagnostics) = ModelBuilder.build(
      name, of: source, scenario: scenario, count: count, explains: explain, times: measure ?? 1,
      options: options)
    let length = begin.duration(to: clock.now)
    input.diagnostics += diagnostics
    input.report(usesColour: colours)
    guard let model else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    if let measure {
      let seconds = max(length / .seconds(1), 1e-9)
      let models = Double(measure) * Double(count ?? 1)
      try Console.print("\(Int(models / seconds)) objects per second\n")
    } else if explain {
      try Console.print(explanation(of: model, named: name))
    } else {
      try Console.print(try text(of: model, named: name), content: .verbatim)
    }
  }

  /// Reports for every factory and trait whether it can be built.
  private func lint(
    _ file: ScenarioFile, _ input: ScenarioInput, _ options: PlannerOptions
  ) throws {
    var input = input
    let (variants, diagnostics) = FactoryLint.lint(file, options: options)
    input.diagnostics += diagnostics
    input.report(usesColour: color.usesColour(descriptor: STDERR_FILENO))
    let lines = variants.map { variant in
      let name = variant.trait.map { "\(variant.factory) with \($0)" } ?? variant.factory
      return (variant.isWell ? "ok      " : "failed  ") + TerminalText.line(name) + "\n"
    }
    try Console.print(lines.joined())
    guard !input.hasErrors, variants.allSatisfy(\.isWell) else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
  }

  private func text(of model: BuiltModel, named name: String) throws -> String {
    switch format {
    case .args:
      guard !model.arguments.isEmpty else {
        Console.report(
          Diagnostic(
            "\"\(name)\" has no arguments", code: .badConstruct, at: nil,
            help: "add construct: { args: [FIELD, …] } to its factory"))
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
      }
      return model.arguments.map { ($0.value.textForm ?? $0.value.jsonText()) + "\n" }.joined()
    case .json: return model.value.jsonText(pretty: true) + "\n"
    case .yaml: return try model.value.encoded(as: .yaml)
    case .csv:
      do throws(PatternError) {
        return try model.value.encoded(as: .csv)
      } catch {
        Console.report(Diagnostic(error.message, code: .unencodable, at: nil, help: error.help))
        throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
      }
    }
  }

  /// A line for each leaf, its columns below each other.
  private func explanation(of model: BuiltModel, named name: String) -> String {
    let rows = model.leaves.map { leaf in
      [
        leaf.path.isEmpty ? name : leaf.path, leaf.value.jsonText(), leaf.setter,
        leaf.range.map { "\($0.file):\($0.line)" } ?? "", leaf.draw ?? "",
      ].map { TerminalText.line($0) }
    }
    let widths = (0..<5).map { column in rows.map { min(40, $0[column].count) }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let isLast = row[(column + 1)...].allSatisfy(\.isEmpty)
        line +=
          isLast
          ? cell : cell + String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
        if isLast { break }
      }
      return line + "\n"
    }.joined()
  }
}
