internal import ArgumentParser
internal import Glibc
internal import ScenarioPlan

/// `scenario check`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says everything that is wrong with scenario files.")

  @OptionGroup var selection: SelectionOptions

  func run() throws {
    let count = try selection.plan().plan.cases.count
    Console.write("\(count) scenario\(count == 1 ? "" : "s"), no errors\n", to: STDOUT_FILENO)
  }
}
