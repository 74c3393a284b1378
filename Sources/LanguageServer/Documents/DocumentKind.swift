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

  /// Keys by which other programs' files are known: Compose, GitHub, Kubernetes, Azure, GitLab, CircleCI, Bitbucket, pre-commit.
  private static let foreignKeys: Set<String> = [
    "services", "jobs", "on", "apiVersion", "kind", "trigger", "pool", "stages", "workflows",
    "pipelines",
    "repos",
  ]

  /// Looks at the keys at the left edge of a text: other programs' files have two that the language does not know, or one of
  /// theirs, and none that is its own.
  init(of bytes: [UInt8]) {
    var unknown = 0
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    ) {
      // An entry, a comment, a document's mark or what belongs to a key above.
      guard let first = line.first, !" \t#-%{[}]&*!|>'\"".utf8.contains(first) else { continue }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = String(decoding: line[..<colon], as: UTF8.self)
      guard !key.hasPrefix("x-") else { continue }
      guard Self.known.contains(key) else {
        unknown += Self.foreignKeys.contains(key) ? 2 : 1
        continue
      }
      guard Self.common.contains(key) else {
        self = .scenario
        return
      }
    }
    self = unknown > 1 ? .foreign : .scenario
  }
}
