import ScenarioReport

/// The validator that the tests use where it is installed.
enum XMLLint {
  static let isAvailable = Command.run("command -v xmllint").status == 0

  /// Validates files against one of the schemas of the repository.
  static func validate(
    _ paths: String..., schema: String = "junit-10"
  ) -> (status: Int32, output: String) {
    validate(all: paths, schema: schema)
  }

  /// Validates files against one of the schemas of the repository.
  static func validate(
    all paths: [String], schema: String
  ) -> (status: Int32, output: String) {
    let files = paths.map { "'\($0)'" }.joined(separator: " ")
    return Command.run(
      "xmllint --noout --schema '\(Command.root)/schemas/junit/\(schema).xsd' \(files)")
  }

  /// Parses files without any schema.
  static func parse(all paths: [String]) -> (status: Int32, output: String) {
    Command.run("xmllint --noout \(paths.map { "'\($0)'" }.joined(separator: " "))")
  }

  static func value(of expression: String, in path: String) -> String {
    Command.run("xmllint --xpath \"string(\(expression))\" '\(path)'").output
  }

  static func count(of expression: String, in path: String) -> Int? {
    let output = Command.run("xmllint --xpath \"count(\(expression))\" '\(path)'").output
    return Int(output.filter { !$0.isNewline })
  }
}

extension JUnitDialect {
  /// The schemas that every document of the dialect conforms to.
  var schemas: [String] {
    switch self {
    case .jenkins: ["junit-10"]
    case .ant: ["windyroad-JUnit", "junit-10"]
    case .surefire: ["surefire-test-report", "junit-10"]
    case .extended: []
    }
  }
}
