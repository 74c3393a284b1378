internal import ArgumentParser
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioRunner

/// The command `scenario list`.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print the cases that \"scenario run\" runs with the same selection.",
    discussion: CommandDiscussion(
      """
      Reads the files and expands their matrices; "scenario check" reports all other mistakes. With shards, lists or an \
      order, it plans the cases and reports the same mistakes as "scenario run".
      """,
      examples: [
        "scenario list",
        "scenario list --tags smoke --format json",
        "scenario list --shard 2/5",
      ]
    ).rendered)

  /// The format of the list.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A line for each case.
    case text
    /// An array, for programs.
    case json
  }

  @OptionGroup var selection: SelectionOptions
  @OptionGroup(title: HelpTitle.shards) var shards: ShardOptions
  @OptionGroup(title: HelpTitle.selection) var lists: CaseListOptions
  @OptionGroup var ordering: OrderOptions

  @Option(help: "Print in this format: text or json.")
  var format: Format = .text

  func run() throws {
    let cases = try cases()
    switch format {
    case .text: try Console.print(cases.map { line(for: $0) }.joined())
    case .json where cases.isEmpty: try Console.print("[]\n")
    case .json:
      let elements = cases.map { "  " + $0.json.jsonText() }.joined(separator: ",\n")
      try Console.print("[\n\(elements)\n]\n", content: .json)
    }
  }

  /// The cases in the order in which they begin; none where a part of a run has nothing to do.
  private func cases() throws -> [CaseListing] {
    let environment = ProcessEnvironment.all
    guard shards.areGiven(environment) || lists.areGiven || ordering.order != .file else {
      let cases = try selection.list()
      guard !cases.isEmpty else { throw SelectionOptions.nothingSelected() }
      let marked = cases.filter(\.isOnly)
      return marked.isEmpty ? cases : marked
    }
    var input = try selection.plan()
    if try !lists.apply(to: &input) { try input.requireCases() }
    let part = try shards.part(of: input, environment: environment).plan.cases
    let begin = ordering.order(of: part, seed: selection.seed)
    let places = begin.order.places(of: part.map(\.identifier)) { begin.earlier[$0] }
    return places.map { CaseListing(part[$0]) }
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
