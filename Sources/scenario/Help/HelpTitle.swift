/// The titles under which help lists options.
enum HelpTitle {
  /// Which cases are meant.
  static let selection = "Selection"
  /// Values for scenario files, and which of them are never shown.
  static let values = "Variables and secrets"
  /// The parts of a plan.
  static let shards = "Shards"
  /// How cases are run.
  static let execution = "Execution"
  /// Environments that a user enters.
  static let pauses = "Pauses"
  /// Expected output that is written.
  static let snapshots = "Snapshots"
  /// What is tried by an exploration, and for how long.
  static let exploration = "Exploration"
  /// The files that report a run.
  static let reports = "Reports"
  /// What the terminal shows.
  static let output = "Terminal output"
  /// The page in a browser.
  static let browser = "Browser"
}
