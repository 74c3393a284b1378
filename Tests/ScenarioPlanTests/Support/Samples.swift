import Foundations
@testable import ScenarioCompiler
import ScenarioModel
@testable import ScenarioPlan
import ScenarioSyntax
import Testing

/// Shorthands for what many tests need.
enum Samples {
  static let range = SourceRange(file: "test.yaml", line: 1, column: 1)

  /// Reads and plans one file; every path that ends in "missing" is one of no file.
  static func plan(
    _ yaml: String, path: String = "test.yaml", selections: [Selection] = [],
    filter: String? = nil, seed: Int64? = nil, version: Int = 2,
    files: [(path: String, bytes: [UInt8])] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (plan: ExecutionPlan?, diagnostics: [Diagnostic]) {
    let read = ScenarioFile.parse(text: yaml + "\nversion: \(version)", path: path)
    let file = try parsed(read, sourceLocation)
    var options = PlannerOptions(
      seed: seed, selections: selections, nameFilter: filter,
      fileExists: { !$0.hasSuffix("missing") })
    if !files.isEmpty {
      options.readFile = { path in files.first { path.hasSuffix($0.path) }?.bytes }
    }
    return Planner.plan(files: [file], options: options)
  }

  /// Reads one file that must be well formed.
  static func file(
    _ yaml: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ScenarioFile {
    try parsed(
      ScenarioFile.parse(text: yaml + "\nversion: 2", path: "test.yaml"), sourceLocation)
  }

  /// What planning finds wrong with a file, which need not be one that can be written down.
  static func mistakes(_ file: ScenarioFile) -> [String] {
    Planner.plan(files: [file], options: PlannerOptions(fileExists: { _ in true })).diagnostics
      .map(\.message)
  }

  private static func parsed(
    _ read: ScenarioFile.ParseResult, _ sourceLocation: SourceLocation
  ) throws -> ScenarioFile {
    let mistakes = read.diagnostics.map(\.message)
    #expect(mistakes == [], sourceLocation: sourceLocation)
    return try #require(read.file, sourceLocation: sourceLocation)
  }

  /// The one case of a file that must be without mistakes.
  static func onlyCase(
    _ yaml: String, version: Int = 2, files: [(path: String, bytes: [UInt8])] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PlannedCase {
    let result = try plan(yaml, version: version, files: files, sourceLocation: sourceLocation)
    #expect(result.diagnostics.map(\.message) == [], sourceLocation: sourceLocation)
    let plan = try #require(result.plan, sourceLocation: sourceLocation)
    return try #require(plan.cases.first, sourceLocation: sourceLocation)
  }

  /// The errors of a file that must have some.
  static func errors(
    _ yaml: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Diagnostic] {
    let result = try plan(yaml, sourceLocation: sourceLocation)
    #expect(result.plan == nil, sourceLocation: sourceLocation)
    return result.diagnostics.filter { $0.severity == .error }
  }

  /// What the factories and objects of a file give for the data behind `value:`.
  static func data(
    _ value: String, with definitions: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Value {
    let planned = try onlyCase(
      file(value, definitions), sourceLocation: sourceLocation)
    guard case .json(let data)? = planned.target.files.first?.content else {
      Issue.record("no file", sourceLocation: sourceLocation)
      return .null
    }
    return try data.resolve(in: CaseScope(directory: "/case"))
  }

  /// The errors of such data.
  static func dataErrors(
    _ value: String, with definitions: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Diagnostic] {
    try errors(file(value, definitions), sourceLocation: sourceLocation)
  }

  private static func file(_ value: String, _ definitions: String) -> String {
    // Definitions with a target of their own get the file there, for a file has one target.
    let target = "target: { "
    guard !definitions.contains(target) else {
      return definitions.replacing(
        target, with: target + "files: { data.json: { json: \(value) } }, ")
    }
    return """
      \(definitions)
      target:
        command: [./program]
        files:
          data.json: { json: \(value) }
      """
  }

  static func json(_ text: String) throws -> Value {
    try JSONText.parse(text)
  }
}

/// Factories that many tests build from.
let userFactories = """
  factories:
    user:
      fields:
        id: { $seq: 1 }
        first_name: Bob
        email: ${{ lower(first_name) }}.${{ id }}@example.com
        address: { $build: address }
      traits:
        homeless: { fields: { address: null } }
        admin: { fields: { role: admin } }
        staff: { traits: [admin], fields: { role: "${{ first_name }} the boss" } }
    address:
      fields: { city: Oslo, zip: 150, line: "${{ zip }} ${{ city }}" }
  """

extension Value {
  subscript(key: String) -> Value? {
    try? ValueLookup.find([.key(key)], in: self, named: "value")
  }

  subscript(index: Int) -> Value? {
    try? ValueLookup.find([.index(index)], in: self, named: "value")
  }
}
