internal import ArgumentParser
internal import Glibc
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioSyntax

/// The command `scenario schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of scenario files, for editors.",
    discussion: CommandDiscussion(
      """
      With FILES, editors also complete the names of the factories, traits and chaos entries in these files.
      """,
      examples: [
        "scenario schema > scenario.schema.json",
        "scenario schema scenarios > scenario.schema.json",
        "scenario schema --format markdown > language.md",
      ]
    ).rendered)

  @Argument(help: "Scenario files or folders whose names the schema contains.")
  var files: [String] = []

  @Option(
    help:
      "Print in this format: json (the schema), markdown (a page with all keys) or expressions (a page about expressions)."
  )
  var format = SchemaFormat.json

  @Option(help: "Colours: auto, always or never.", transform: SelectionOptions.colourMode)
  var color = ColourMode.auto

  func validate() throws {
    guard format == .json || files.isEmpty else {
      throw ValidationError("this page does not depend on files; leave out \"\(files[0])\"")
    }
  }

  func run() throws {
    switch format {
    case .markdown: return try Console.print(LanguageReference.text(), content: .verbatim)
    case .expressions: return try Console.print(ExpressionReference.text(), content: .verbatim)
    case .json: break
    }
    let input = ScenarioInput.read(files, runs: false)
    input.report(usesColour: color.usesColour(descriptor: STDERR_FILENO))
    guard !input.hasErrors else {
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    try Console.print(ScenarioSchema.text(naming: input.files), content: .json)
  }
}

/// The format of the language's description.
enum SchemaFormat: String, ExpressibleByArgument, CaseIterable {
  /// JSON Schema 2020-12.
  case json
  /// Markdown.
  case markdown
  /// The names and signs of expressions, in Markdown.
  case expressions
}
