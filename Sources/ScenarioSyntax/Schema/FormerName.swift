/// What a key of the language was called in version 1.
struct FormerName: Sendable, Hashable {
  /// What changes beside the name.
  enum Change: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// The value stands below another key: `json: $.id` becomes `stdout: { json: $.id }`.
    case below(String)
    /// The key had no value, and has this word now: `settle:` becomes `wait: idle`.
    case word(String)
  }

  /// The name in version 1.
  var name: String
  /// What changes beside it.
  var change = Change.nothing
  /// True if the name has another meaning today, so that in a file of today nobody can know which one is meant.
  var hasOtherMeaning = false
}
