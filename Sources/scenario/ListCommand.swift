internal import ArgumentParser
internal import ScenarioModel
internal import ScenarioPlan

/// The command `scenario list`.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Prints the cases that scenario files hold.",
    discussion: """
      Files are read and their matrices multiplied; whether the rest of them is right, "scenario check" says.
      """)

  /// How the list is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A line for each case.
    case text
    /// An array, for programs.
    case json
  }

  @OptionGroup var selection: SelectionOptions

  @Option(help: "How the list is printed: text or json.")
  var format: Format = .text

  func run() throws {
    let cases = try selection.list()
    guard !cases.isEmpty else { throw SelectionOptions.nothingSelected() }
    switch format {
    case .text: try Console.print(cases.map { line(for: $0) }.joined())
    case .json:
      let elements = cases.map { "  " + $0.json.jsonText() }.joined(separator: ",\n")
      try Console.print("[\n\(elements)\n]\n")
    }
  }

  /// `FILE:LINE  NAME  #TAG` and what else marks the case.
  private func line(for listed: CaseListing) -> String {
    var line = "\(listed.file):\(listed.line)  \(listed.name)"
    for tag in listed.tags { line += "  #\(tag)" }
    if listed.isOnly { line += "  (only)" }
    if let reason = listed.skip { line += "  (skipped: \(reason))" }
    return TerminalText.line(line) + "\n"
  }
}
