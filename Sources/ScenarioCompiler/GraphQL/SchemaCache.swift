internal import Foundations
internal import GraphQL

/// The schemas that scenarios name, each read once.
struct SchemaCache: Sendable {
  private var schemas: [String: (schema: GraphQLSchema?, problems: [GraphQLSchema.Problem])] = [:]

  /// The schema in a file, or what is wrong with it.
  mutating func read(
    _ path: String, _ options: PlannerOptions
  ) -> (schema: GraphQLSchema?, problems: [Diagnostic]) {
    let found: (schema: GraphQLSchema?, problems: [GraphQLSchema.Problem])
    if let known = schemas[path] {
      found = known
    } else {
      guard let bytes = options.readFile(path) else { return (nil, []) }
      found = GraphQLSchema.read(String(decoding: bytes, as: UTF8.self))
      schemas[path] = found
    }
    let problems = found.problems.map { problem in
      Diagnostic(
        problem.message,
        code: .badGraphQLSchema,
        at: SourceRange(
          file: path, line: problem.location.line, column: problem.location.column),
        help: problem.help)
    }
    return (found.schema, problems)
  }
}
