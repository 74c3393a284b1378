internal import OrderedCollections
public import ScenarioModel

/// The replies that an OpenAPI 3 description declares.
public struct OpenAPIShapes: DeclaredShapes {
  /// How deep schemas are followed: they may hold themselves.
  private static let maximumDepth = 40

  private let root: Value

  /// A reply holds all that is declared.
  public var tellsAdditions: Bool { true }

  /// Takes a description.
  ///
  /// - Throws: If the document is none, or of another version.
  public init(_ document: Value) throws(DeclarationError) {
    guard case .string(let version)? = document["openapi"] else {
      throw DeclarationError(
        "the file is no OpenAPI 3 description: it has no \"openapi\"",
        help: "name an OpenAPI 3 file (JSON or YAML), or a GraphQL schema (.graphql)")
    }
    guard version.hasPrefix("3.") else {
      throw DeclarationError(
        "OpenAPI \"\(version)\" cannot be read", help: "convert the description to OpenAPI 3")
    }
    guard case .map? = document["paths"] else {
      throw DeclarationError("the description has no \"paths\"", help: "add the paths")
    }
    root = document
  }

  /// What a reply to a sample's request is declared to be.
  public func declaration(of sample: DriftSample, status: Int) -> Declaration {
    guard let request = sample.request else { return .other }
    guard let item = pathItem(for: request.target) else {
      return .missing("the description has no path \"\(request.target.path)\"")
    }
    guard let operation = item[request.method.lowercased()] else {
      return .missing("the description has no \(request.method) \(request.target.path)")
    }
    guard let responses = operation["responses"],
      let response = responses["\(status)"] ?? responses["\(status / 100)XX"]
        ?? responses["default"]
    else {
      return .missing(
        "the description has no status \(status) for \(request.method) \(request.target.path)")
    }
    guard case .map(let contents)? = resolved(response)["content"] else { return .shape(.unknown) }
    let json = contents.first { type, _ in type.lowercased().contains("json") || type == "*/*" }
    guard let schema = json?.value["schema"] else { return .shape(.unknown) }
    return .shape(shape(of: schema, depth: 0))
  }

  // MARK: - Paths

  /// The item whose template fits, the most literal one first (OpenAPI 3.1, "Paths Object").
  private func pathItem(for target: RequestTarget) -> Value? {
    guard case .map(let paths)? = root["paths"] else { return nil }
    let candidates = paths.filter { template, _ in
      bases.contains { base in
        guard let matcher = try? URLPathMatcher(PercentEncoding.normalizedPattern(base + template))
        else { return false }
        return matcher.match(target.path) != nil
      }
    }
    let best = candidates.min { left, right in
      left.key.filter { $0 == "{" }.count < right.key.filter { $0 == "{" }.count
    }
    return best.map { resolved($0.value) }
  }

  /// The paths of the servers, without a final slash.
  private var bases: [String] {
    guard case .list(let servers)? = root["servers"] else { return [""] }
    let paths = servers.compactMap { server -> String? in
      guard case .string(let url)? = server["url"] else { return nil }
      var path = URLParts(url).path
      while path.hasSuffix("/") { path.removeLast() }
      return path
    }
    return paths.isEmpty ? [""] : paths
  }

  // MARK: - Schemas

  /// What a reference leads to (RFC 6901), within the document.
  private func resolved(_ value: Value) -> Value {
    var value = value
    for _ in 0..<Self.maximumDepth {
      guard case .string(let reference)? = value["$ref"], reference.hasPrefix("#/") else { break }
      var found = root
      for step in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
        let name = PercentEncoding.decoded(step).replacing("~1", with: "/").replacing(
          "~0", with: "~")
        guard let next = found[name] else { return .map([:]) }
        found = next
      }
      value = found
    }
    return value
  }

  private func shape(of schema: Value, depth: Int) -> Shape {
    guard depth < Self.maximumDepth else { return .unknown }
    let schema = resolved(schema)
    if case .list(let parts)? = schema["allOf"] {
      let all =
        parts.map { shape(of: $0, depth: depth + 1) } + [plainShape(of: schema, depth: depth)]
      return all.reduce(.unknown) { Self.both($0, $1) }
    }
    for key in ["oneOf", "anyOf"] {
      guard case .list(let parts)? = schema[key] else { continue }
      let shapes = parts.map { shape(of: $0, depth: depth + 1) }
      let isOpen = shapes.contains { $0 == .unknown }
      return isOpen ? .unknown : shapes.reduce(.unknown) { $0.merged(with: $1) }
    }
    return plainShape(of: schema, depth: depth)
  }

  /// A shape that both allow: members of either, since neither forbids the other's.
  private static func both(_ left: Shape, _ right: Shape) -> Shape {
    guard case .known(var shape) = left else { return right }
    guard case .known(let other) = right else { return left }
    if let mine = shape.members, let theirs = other.members {
      shape.members = MapShape(
        members: mine.members.merging(theirs.members) { first, second in
          MapShape.Member(
            shape: both(first.shape, second.shape),
            isOptional: first.isOptional && second.isOptional)
        })
    }
    return .known(shape)
  }

  private func plainShape(of schema: Value, depth: Int) -> Shape {
    var types: [String] = []
    switch schema["type"] {
    case .string(let type)?: types = [type]
    case .list(let list)?:
      types = list.compactMap { if case .string(let type) = $0 { type } else { nil } }
    default:
      if schema["properties"] != nil { types = ["object"] }
      if schema["items"] != nil { types = ["array"] }
    }
    guard !types.isEmpty else { return .unknown }
    var shape = KnownShape()
    shape.isNullable = types.contains("null") || schema["nullable"] == .bool(true)
    shape.isBool = types.contains("boolean")
    if types.contains("integer") { shape.number = .integer }
    if types.contains("number") { shape.number = .number }
    if types.contains("string") {
      shape.text = TextShape(values: words(of: schema["enum"]), isDeclared: true)
    }
    if types.contains("array") {
      shape.elements = schema["items"].map { self.shape(of: $0, depth: depth + 1) } ?? .unknown
    }
    if types.contains("object") { shape.members = members(of: schema, depth: depth) }
    return .known(shape)
  }

  private func words(of value: Value?) -> Set<String>? {
    guard case .list(let values)? = value else { return nil }
    return Set(values.compactMap { if case .string(let word) = $0 { word } else { nil } })
  }

  /// Members by name; `nil`, that is no map at all, is never the answer.
  private func members(of schema: Value, depth: Int) -> MapShape {
    var required: Set<String> = []
    if case .list(let names)? = schema["required"] {
      required = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    var map = MapShape()
    if case .map(let properties)? = schema["properties"] {
      for (name, property) in properties {
        map.members[name] = MapShape.Member(
          shape: shape(of: property, depth: depth + 1), isOptional: !required.contains(name))
      }
    } else if schema["allOf"] == nil {
      map.isOpen = true
    }
    if case .map? = schema["additionalProperties"] { map.isOpen = true }
    if schema["additionalProperties"] == .bool(true) { map.isOpen = true }
    return map
  }
}

extension Value {
  /// The member of a map.
  subscript(key: String) -> Value? {
    guard case .map(let members) = self else { return nil }
    return members[key]
  }
}
