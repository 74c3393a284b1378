/// The names of properties in JUnit reports that are read again.
enum JUnitPropertyName {
  /// The beginning of the names of labels.
  static let labelPrefix = "scenario.label."
  /// The instant at which the run began, as exactly as the event stream has it.
  static let start = "scenario.started"
}
