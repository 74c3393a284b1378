internal import ScenarioSyntax

/// Tells a scenario file from other YAML that an editor sends as well, such as a workflow of CI.
enum DocumentKind {
  /// A scenario file, or one that may become one.
  case scenario
  /// A file of another program, of which nothing is said.
  case foreign

  /// Keys that other programs' files have at their top, too.
  private static let common: Set<String> = [
    "build", "description", "files", "include", "matrix", "name", "network", "only", "order",
    "secrets",
    "skip", "steps", "tags", "target", "timeout", "vars", "version",
  ]
  private static let known = Set(LanguagePlace.file.keys(beside: []).map(\.name))

  /// Looks at the keys at the left edge of a text: other programs' files have some that the language does not know, and none
  /// that is its own.
  init(of bytes: [UInt8]) {
    var isForeign = false
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    ) {
      // An entry, a comment, a document's mark or what belongs to a key above.
      guard let first = line.first, !" \t#-%{[}]&*!|>'\"".utf8.contains(first) else { continue }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = String(decoding: line[..<colon], as: UTF8.self)
      guard Self.known.contains(key) || key.hasPrefix("x-") else {
        isForeign = true
        continue
      }
      if !Self.common.contains(key), !key.hasPrefix("x-") {
        self = .scenario
        return
      }
    }
    self = isForeign ? .foreign : .scenario
  }
}
