/// Where a key belongs that stands in a map which does not have it.
///
/// Authors put a right key one level too high or too low more often than they misspell it, and bring words along
/// from other tools.
enum KeyPlaces {
  /// The maps in which authors think, from the outside inwards.
  private static let places: [(name: String, keys: [String])] = [
    ("the top of the file", ["folder", "scenarios", "secrets", "use", "version"]),
    ("a scenario", Vocabulary.scenario), ("\"target\"", Vocabulary.target),
    ("\"clock\"", Vocabulary.clock), ("\"network\"", Vocabulary.network),
    ("an entry of \"responses\"", Vocabulary.response), ("\"request\"", Vocabulary.request),
    ("\"reply\"", Vocabulary.reply), ("a step", Vocabulary.step), ("\"expect\"", Vocabulary.expect),
    ("the condition of a text", Vocabulary.outputMatcher),
  ]
  /// Beyond that a key says too little about what its author means.
  private static let limit = 3

  /// What other tools call the keys of this language.
  private static let synonyms = [
    "after_each": "always", "args": "command", "at_least": "greater_than", "at_most": "less_than",
    "assert": "expect", "assertions": "expect", "cases": "scenarios", "cleanup": "always",
    "cmd": "command", "code": "exit", "environment": "env", "equal": "equals", "err": "stderr",
    "error": "stderr", "eq": "equals", "exit_code": "exit", "exit_status": "exit",
    "exitcode": "exit", "exec": "command", "gt": "greater_than", "include": "use",
    "includes": "contains", "include_files": "use", "input": "stdin", "lt": "less_than",
    "max": "less_than", "min": "greater_than", "mocks": "responses", "out": "stdout",
    "output": "stdout", "pattern": "matches", "regex": "matches", "regexp": "matches",
    "response": "reply", "returncode": "exit", "returns": "reply", "status_code": "status",
    "stubs": "responses", "teardown": "always", "tests": "scenarios", "then": "expect",
    "time": "clock", "tty": "terminal", "url_path": "path", "variables": "env", "when": "request",
  ]

  /// The key of this language that is meant by a word of other tools; `nil` if none among `keys` is.
  static func synonym(of word: String, in keys: [String]) -> String? {
    synonyms[word.lowercased().replacing("-", with: "_")].flatMap { keys.contains($0) ? $0 : nil }
  }

  /// `"files" belongs to "target", "clock" or "expect"; `, the beginning of a help; empty for a key that belongs nowhere,
  /// or to too many maps.
  static func opening(for key: String) -> String {
    let names = places.filter { $0.keys.contains(key) }.map(\.name)
    guard let last = names.last, names.count <= limit else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return "\"\(key)\" belongs to \(others.isEmpty ? last : "\(others) or \(last)"); "
  }
}
