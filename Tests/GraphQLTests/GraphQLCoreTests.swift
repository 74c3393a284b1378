import Foundations
import Glibc
import GraphQL
import OrderedCollections
import Testing

private let repositoryRoot = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
private let corePython = "\(repositoryRoot)/.build/python/bin/python3"
private let hasCorePython = access(corePython, X_OK) == 0

/// The rules of validation beside those of graphql-core, Python's own GraphQL.
@Suite(
  "GraphQL as graphql-core sees it",
  .enabled(if: hasCorePython, "Tests/install-dependencies.sh has not been run"))
struct GraphQLCoreTests {
  private static let root = repositoryRoot
  private static let python = corePython

  /// The lines that a command prints.
  private static func lines(_ command: String) throws -> [String] {
    let stream = try #require(popen(command, "r"))
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 * 1024)
    while case let count = fread(&part, 1, part.count, stream), count > 0 {
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "Two thousand generated documents are judged alike",
    arguments: [1, 2])
  func verdicts(seed: Int) throws {
    let path = try Self.file(Schemas.text)
    defer { unlink(path) }
    let schema = try Schemas.schema()

    let script = "\(Self.root)/Tests/Programs/graphql_documents.py"
    let lines = try Self.lines("'\(Self.python)' '\(script)' '\(path)' \(seed) 1000")

    var validCount = 0
    for line in lines {
      guard case .map(let members) = try JSONText.parse(line),
        case .string(let text)? = members["document"], case .bool(let isValid)? = members["valid"]
      else {
        Issue.record("\(line)")
        continue
      }
      if isValid { validCount += 1 }
      let errors = try GraphQLDocument(parsing: text).errors(in: schema).map(\.line)
      #expect(errors.isEmpty == isValid, "\(line)\n\(errors)")
    }
    #expect(lines.count == 1000)
    #expect((200...800).contains(validCount), "\(validCount)")
  }

  /// A file with a text, to be removed by the caller.
  private static func file(_ text: String) throws -> String {
    var template = Array("/tmp/graphql-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      written += count
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private struct Verdict {
    var text: String
    var isValid: Bool
    var line: String
  }

  /// What graphql-core thinks of the texts of `graphql_rules.py`.
  private static func verdicts(_ arguments: String) throws -> [Verdict] {
    let script = "\(root)/Tests/Programs/graphql_rules.py"
    return try lines("'\(python)' '\(script)' \(arguments)").compactMap { line in
      guard case .map(let members) = try JSONText.parse(line),
        case .string(let text)? = members["text"], case .bool(let isValid)? = members["valid"]
      else {
        return nil
      }
      return Verdict(text: text, isValid: isValid, line: line)
    }
  }

  /// Section 2.4 wants at least one selection; graphql-core takes none.
  private static let emptySelections: Set<String> = ["{}", "query {}", "{ me { } }"]

  /// What graphql-core does not look at, or skips: a type with the name of a scalar of the language,
  /// values of a directive's arguments, operations in a schema.
  private static let looseSchemas = [
    "type Int { a: Int }", "type A @d(a: \"x\") { a: Int }", " query { a }",
  ]

  private static let schemaOfRules =
    Schemas.text.replacing(
      "ids(ids: [ID!]): Int", with: "ids(ids: [ID!]): Int any(json: JSON): Int")
      + """

      directive @tag(name: String!) repeatable on FIELD | INLINE_FRAGMENT
      directive @once on QUERY | MUTATION | FRAGMENT_DEFINITION
      directive @variable on VARIABLE_DEFINITION
      """

  @Test("Each rule of documents has the same verdict")
  func documents() throws {
    let path = try Self.file(Self.schemaOfRules)
    defer { unlink(path) }
    let schema = try Schemas.schema(Self.schemaOfRules)

    let verdicts = try Self.verdicts("documents '\(path)'")

    for verdict in verdicts where !Self.emptySelections.contains(verdict.text) {
      let errors = (try? GraphQLDocument(parsing: verdict.text))?.errors(in: schema).map(\.line)
      #expect((errors == []) == verdict.isValid, "\(verdict.line)\n\(errors ?? ["no document"])")
    }
    #expect(verdicts.count > 200)
    #expect((50...120).contains(verdicts.count { $0.isValid }))
  }

  @Test("Each rule of schemas has the same verdict")
  func schemas() throws {
    let verdicts = try Self.verdicts("schemas")

    for verdict in verdicts where !Self.looseSchemas.contains(where: verdict.text.hasSuffix) {
      let (schema, problems) = GraphQLSchema.read(verdict.text)
      #expect((schema != nil) == verdict.isValid, "\(verdict.line)\n\(problems.map(\.message))")
    }
    #expect(verdicts.count > 150)
    #expect((40...100).contains(verdicts.count { $0.isValid }))
  }

  /// A schema with everything that introspection tells of.
  private static let richSchema = """
    "The whole" schema @link(url: "a") { query: Root mutation: Change subscription: News }
    directive @link(url: String!) on SCHEMA
    "About fields" directive @cost(weight: Int! = 1, "Old" by: [String!] = ["a", "b\\"c"] @deprecated)
      repeatable on FIELD | FIELD_DEFINITION
    "A moment" scalar Time @specifiedBy(url: "https://example.com/time")
    interface Node { id: ID! }
    interface Named implements Node { id: ID! name(case: Case = UPPER): String }
    \"\"\"
    Somebody.

      Indented.
    \"\"\"
    type User implements Node & Named {
      id: ID! "The name" name(case: Case = UPPER, width: Float = 1.5e3): String
      old: Int @deprecated age: Int @deprecated(reason: "no \\"more\\"") at: Time
      friends(filter: Filter = {text: "a", deep: {on: true, tags: [null, "x"]}}): [[User!]!]
    }
    type Team implements Node { id: ID! }
    union Owner = User | Team
    enum Case { "Loud" UPPER LOWER @deprecated(reason: "use UPPER") }
    input Filter { text: String! = "*" deep: Deep limit: Int @deprecated }
    input Deep { on: Boolean = false tags: [String] = [] id: ID = 7 }
    type Root { node(id: ID!): Node owner: Owner }
    type Change { rename(id: ID!, name: String): Named }
    type News { tick: Int! }
    extend type Root { extra: Case }
    extend enum Case { MIXED }
    """

  @Test("graphql-core builds the schema that introspection tells")
  func introspection() throws {
    let script = "\(Self.root)/Tests/Programs/graphql_rules.py"
    let query = try Self.lines("'\(Self.python)' '\(script)' query")
    guard case .map(let members) = try JSONText.parse(query.joined()),
      case .string(let text)? = members["query"]
    else {
      Issue.record("no query: \(query)")
      return
    }
    let document = try GraphQLDocument(parsing: text)
    let schema = try Schemas.schema(Self.richSchema)
    #expect(document.errors(in: schema).map(\.line) == [])
    let operation = try #require(document.operations.first)
    let (data, problems) = GraphQLProjection(
      schema: schema, document: document, operation: operation, variables: [:]
    ).project(.map([:]))
    #expect(problems.isEmpty)

    let result = try Self.file(Value.map(["data": data]).jsonText())
    let path = try Self.file(Self.richSchema)
    defer {
      unlink(path)
      unlink(result)
    }
    let answer = try Self.lines(
      "'\(Self.python)' '\(script)' introspection '\(path)' < '\(result)'")

    guard case .map(let found) = try JSONText.parse(answer.joined()) else {
      Issue.record("\(answer)")
      return
    }
    #expect(found["same"] == .bool(true), "\(answer)")
  }
}
