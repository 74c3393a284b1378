internal import ScenarioEvents
internal import ScenarioModel

/// The one command that runs a case again.
enum ReproduceCommand {
  /// `scenario run FILE:LINE --seed N`, quoted for a shell where the path needs it.
  ///
  /// The line is the one that the scenario begins at: a failure may point at a default of the file,
  /// which selects nothing.
  static func text(for description: CaseDescription) -> String {
    let place = "\(description.file):\(description.range.line)"
    let filter = description.filter.map { " --filter \(ShellWord.quoted($0))" } ?? ""
    return "scenario run \(ShellWord.quoted(place))\(filter) --seed \(description.seed)"
  }
}
