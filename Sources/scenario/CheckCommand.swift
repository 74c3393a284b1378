internal import ArgumentParser
internal import ScenarioPlan

/// The command `scenario check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says everything that is wrong with scenario files.")

  @OptionGroup var selection: SelectionOptions

  func run() throws {
    let input = try selection.plan(tellsUnused: true)
    try input.requireCases()
    let count = input.plan.cases.count
    try Console.print("\(count) scenario\(count == 1 ? "" : "s"), no errors\n")
  }
}
