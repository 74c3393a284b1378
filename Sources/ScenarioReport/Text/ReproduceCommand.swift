internal import Foundations
internal import ScenarioEvents

/// The one command that runs a case again.
enum ReproduceCommand {
  /// `scenario run FILE:LINE --seed N`, with every word as a shell reads it back.
  ///
  /// The line is the one that the scenario begins at: a failure may point at a default of the file,
  /// which selects nothing. What the run's options decide stands behind it; a repetition that failed is
  /// met again by as many.
  static func text(for description: CaseDescription) -> String {
    if let command = ShardMerge.command(for: description) { return command }
    let place = "\(description.file):\(description.range.line)"
    var words = ["scenario", "run", place.hasPrefix("-") ? "./\(place)" : place]
    if let filter = description.filter { words += ["--filter", filter] }
    words += description.options ?? []
    words += ["--seed", "\(description.seed)"]
    if let repetition = description.repetition { words += ["--repeat", "\(repetition)"] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}
