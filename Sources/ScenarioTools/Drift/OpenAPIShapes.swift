package import Foundations
internal import OrderedCollections
internal import Patterns

/// The replies that an OpenAPI 3 description declares.
package struct OpenAPIShapes: DeclaredShapes {
  private let root: Value
  private let references: OpenAPIReferences

  /// A reply holds all that is declared.
  package var reportsAdditions: Bool { true }

  /// Reads a description.
  ///
  /// - Throws: If the document is none, or of another version.
  package init(_ document: Value) throws(DeclarationError) {
    guard document["swagger"] == nil else {
      throw DeclarationError(
        "Swagger descriptions are not supported", help: "convert the description to OpenAPI 3",
        at: .member(["swagger"]))
    }
    guard let version = Self.version(of: document) else {
      throw DeclarationError(
        "the file is not an OpenAPI 3 description: it has no \"openapi\"",
        help: "name an OpenAPI 3 file (JSON or YAML), or a GraphQL schema (.graphql)")
    }
    guard version.hasPrefix("3.") else {
      throw DeclarationError(
        "OpenAPI \"\(version)\" is not supported", help: "convert the description to OpenAPI 3",
        at: .member(["openapi"]))
    }
    guard case .map? = document["paths"] else {
      guard document["paths"] == nil else {
        throw DeclarationError(
          "\"paths\" is not a map", help: "write each path as a key", at: .member(["paths"]))
      }
      throw DeclarationError("the description has no \"paths\"", help: "add the paths")
    }
    root = document
    references = OpenAPIReferences(root: document)
    try references.check()
  }

  /// The version; without quotes and a third number it is a number in YAML.
  private static func version(of document: Value) -> String? {
    switch document["openapi"] {
    case .string(let version)?: version
    case .integer?, .number?: document["openapi"].map { "\($0.jsonText())." }
    default: nil
    }
  }

  /// The declaration of a reply to a sample's request.
  package func declaration(of sample: DriftSample, status: Int) -> Declaration {
    guard let request = sample.request else { return .other }
    guard let item = pathItem(for: request) else {
      return .missing("the description has no path \"\(request.target.path)\"")
    }
    guard let operation = item[request.method.lowercased()] else {
      return .missing("the description has no \(request.method) \(request.target.path)")
    }
    guard let responses = operation["responses"],
      let response = responses["\(status)"] ?? responses["\(status / 100)XX"]
        ?? responses["\(status / 100)xx"] ?? responses["default"]
    else {
      return .missing(
        "the description has no status \(status) for \(request.method) \(request.target.path)")
    }
    guard case .map(let contents)? = references.resolved(response)["content"] else {
      return .shape(.unknown)
    }
    let types = contents.keys.filter { type in
      type.lowercased().contains("json") || type.hasPrefix("*/*") || type == "application/*"
    }
    let plain = types.first { $0.lowercased().hasPrefix("application/json") }
    guard let schema = (plain ?? types.first).flatMap({ contents[$0]?["schema"] }),
      let seen = sample.shapes[status]
    else { return .shape(.unknown) }
    var walk = OpenAPISchemaWalk(references: references)
    return .shape(walk.shape(of: schema, seen: seen))
  }

  // MARK: - Paths

  /// The item whose template fits, the most literal one first (OpenAPI 3.1, "Paths Object").
  private func pathItem(for request: DriftSample.Request) -> Value? {
    guard case .map(let paths)? = root["paths"] else { return nil }
    let candidates = paths.filter { template, item in
      bases(of: references.resolved(item), for: request.method).contains { base in
        guard let matcher = try? URLPathMatcher(PercentEncoding.normalizedPattern(base + template))
        else { return false }
        return matcher.match(request.target.path) != nil
      }
    }
    let best = candidates.min { left, right in
      left.key.filter { $0 == "{" }.count < right.key.filter { $0 == "{" }.count
    }
    return best.map { references.resolved($0.value) }
  }

  /// The paths of the servers, without a final slash; those of the operation or the path replace
  /// those of the document (OpenAPI 3.1, "Server Object").
  private func bases(of item: Value, for method: String) -> [String] {
    let servers = item[method.lowercased()]?["servers"] ?? item["servers"] ?? root["servers"]
    guard case .list(let servers)? = servers else { return [""] }
    let paths = servers.compactMap { server -> String? in
      guard case .string(var url)? = server["url"] else { return nil }
      if case .map(let variables)? = server["variables"] {
        for (name, variable) in variables {
          guard case .string(let value)? = variable["default"] else { continue }
          url = url.replacing("{\(name)}", with: value)
        }
      }
      var path = url.hasPrefix("/") ? url : URLParts(url).path
      while path.hasSuffix("/") { path.removeLast() }
      return path
    }
    return paths.isEmpty ? [""] : paths
  }
}

extension Value {
  /// The member of a map.
  subscript(key: String) -> Value? {
    guard case .map(let members) = self else { return nil }
    return members[key]
  }
}
