internal import Foundations

/// The documents of OpenAPI that scenarios name, each read once.
struct OpenAPICache: Sendable {
  private var documents: [String: (document: OpenAPIReader.Document?, problems: [Diagnostic])] = [:]

  /// The document in a file, or what is wrong with it.
  mutating func read(
    _ path: String, _ options: PlannerOptions
  ) -> (document: OpenAPIReader.Document?, problems: [Diagnostic]) {
    if let known = documents[path] { return known }
    let found = OpenAPIReader.read(path, options)
    documents[path] = found
    return found
  }
}
