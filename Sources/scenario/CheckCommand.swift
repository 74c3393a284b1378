internal import ArgumentParser

/// The command `scenario check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says everything that is wrong with scenario files.")

  @OptionGroup var selection: SelectionOptions

  func run() throws {
    let count = try selection.check()
    guard count > 0 else { throw SelectionOptions.nothingSelected() }
    try Console.print("\(count) scenario\(count == 1 ? "" : "s"), no errors\n")
  }
}
