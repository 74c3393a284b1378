internal import Foundations

/// Where a key belongs that stands in a map which does not have it.
///
/// Authors put a right key one level too high or too low more often than they misspell it, and bring words along
/// from other tools.
enum KeySuggestions {
  /// The maps in which authors think, from the outside inwards.
  private static let places: [(name: String, keys: [String])] = [
    ("the top of the file", ["folder", "include", "scenarios", "secrets", "version"]),
    ("a scenario", Grammar.scenario.keys), ("\"target\"", Grammar.target.keys),
    ("\"clock\"", Grammar.clock.keys), ("\"network\"", Grammar.network.keys),
    ("an entry of \"responses\"", Grammar.httpResponse.keys), ("\"request\"", Grammar.request.keys),
    ("\"reply\"", Grammar.reply.keys), ("a step", Grammar.step.keys),
    ("\"expect\"", Grammar.expect.keys),
    ("the condition of a text", Grammar.outputConditions.keys),
  ]
  /// Beyond that a key says too little about what its author means.
  private static let limit = 4

  /// What other tools call the keys of this language, in the same sense and for the same values.
  private static let aliases = [
    "cmd": "command", "contain": "contains", "environment": "env", "envvars": "env", "eq": "equals",
    "equal": "equals", "exitcode": "exit", "exitstatus": "exit", "gt": "greater_than",
    "includes": "contains", "lt": "less_than", "match": "matches", "regex": "matches",
    "regexp": "matches", "returncode": "exit", "statuscode": "status",
  ]

  /// What else authors call them, the first one among a map's keys being meant.
  private static let synonyms: [String: [String]] = [
    "advance": ["tick"], "aftereach": ["cleanup"], "args": ["command"], "assert": ["expect"],
    "assertions": ["expect"], "atleast": ["greater_than"], "atmost": ["less_than"],
    "cases": ["scenarios"], "check": ["expect"], "code": ["exit", "status"],
    "command": ["exec"], "disable": ["revert"], "elapse": ["tick"],
    "enable": ["apply"], "err": ["stderr"], "error": ["stderr"], "eventually": ["wait"],
    "exec": ["command"], "extends": ["include"], "extract": ["capture"], "finally": ["cleanup"],
    "http": ["exec"], "import": ["include"], "imports": ["include"],
    "includefiles": ["include"], "input": ["stdin", "send"], "intercept": ["responses"],
    "kill": ["signal"], "let": ["build"], "max": ["less_than"], "min": ["greater_than"],
    "mock": ["responses"], "mocks": ["responses"], "out": ["stdout"],
    "output": ["stdout"], "pattern": ["matches"], "press": ["send"], "resettime": ["return"],
    "response": ["reply"], "returns": ["reply"], "save": ["capture"], "settime": ["travel"],
    "shell": ["exec"], "sleep": ["tick"], "status": ["exit"], "store": ["capture"],
    "stub": ["responses"],
    "stubs": ["responses"], "teardown": ["cleanup"], "tests": ["scenarios"],
    "then": ["expect"], "time": ["duration", "clock"], "took": ["duration"], "tty": ["terminal"],
    "type": ["send"], "until": ["wait"], "urlpath": ["path"], "variables": ["env", "build"],
    "vars": ["build", "env"], "verify": ["expect"], "waitfor": ["wait"], "when": ["request"],
  ]

  /// The key of this language that a word of other tools stands for, value and all; `nil` if none among `keys` is.
  static func alias(of word: String, in keys: [String]) -> String? {
    aliases[WordForm(word).text].flatMap { keys.contains($0) ? $0 : nil }
  }

  /// The key of this language that is meant by a word of other tools; `nil` if none among `keys` is.
  static func synonym(of word: String, in keys: [String]) -> String? {
    alias(of: word, in: keys)
      ?? synonyms[WordForm(word).text]?.first { keys.contains($0) }
  }

  /// `"files" belongs to a scenario, "target", "clock" or "expect"; `, the beginning of a help; empty for a key that belongs nowhere,
  /// or to too many maps.
  static func opening(for key: String) -> String {
    let names = places.filter { $0.keys.contains(key) }.map(\.name)
    guard let last = names.last, names.count <= limit else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return "\"\(key)\" belongs to \(others.isEmpty ? last : "\(others) or \(last)"); "
  }

  /// Returns whether a key is one of the language somewhere.
  static func isKey(_ word: String) -> Bool {
    places.contains { $0.keys.contains(word) }
  }
}
