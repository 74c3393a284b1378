internal import GraphQL
internal import ScenarioModel

/// The replies that a GraphQL schema declares.
public struct SchemaShapes: DeclaredShapes {
  /// How deep types are followed: they may hold themselves.
  private static let maximumDepth = 12

  private let schema: GraphQLSchema

  /// What a reply holds is what its request selects, so that more in the schema is no news.
  public var tellsAdditions: Bool { false }

  /// Reads a schema in the schema definition language.
  ///
  /// - Throws: If the text is none, or none that a server could run.
  public init(_ text: String) throws(DeclarationError) {
    let (schema, problems) = GraphQLSchema.read(text)
    if let problem = problems.first {
      throw DeclarationError(
        "\(problem.message) (line \(problem.location.line), column \(problem.location.column))",
        help: problem.help ?? "name a GraphQL schema as SDL, as in \"type Query { … }\"")
    }
    guard let schema, schema.root(.query) != nil else {
      throw DeclarationError("the schema has no type for queries", help: "add \"type Query { … }\"")
    }
    self.schema = schema
  }

  /// What a reply to a sample's request is declared to be.
  public func declaration(of sample: DriftSample, status: Int) -> Declaration {
    guard let word = sample.operationKind, let kind = GraphQLOperationKind(rawValue: word) else {
      return .other
    }
    guard status == 200 else { return .shape(.unknown) }
    guard let root = schema.root(kind) else {
      return .missing("the schema has no type for a \(word)")
    }
    // A reply without data is a reply all the same (October 2021, section 7.1).
    var reply = MapShape()
    let data: Shape
    if let document = sample.request?.document, let operation = sample.request?.operation {
      data = .map(selected(operation.selections, of: root, document, depth: 0))
    } else {
      data = shape(of: root, depth: 0)
    }
    reply.members["data"] = MapShape.Member(shape: data.orNull(), isOptional: true)
    reply.isOpen = true
    return .shape(.map(reply))
  }

  // MARK: - What a request selects

  /// The members that a selection gives a value of a type, by their keys in the response.
  ///
  /// A field that the schema has not is left out: the reply's member is then not declared.
  private func selected(
    _ selections: [GraphQLSelection], of type: GraphQLType, _ document: GraphQLDocument, depth: Int
  ) -> MapShape {
    var map = MapShape()
    guard depth < Self.maximumDepth else {
      map.isOpen = true
      return map
    }
    for selection in selections {
      switch selection {
      case .field(let field):
        if field.name.text == "__typename" {
          map.add(field.responseKey, .unknown)
        } else if let definition = schema.field(field.name.text, of: type) {
          map.add(
            field.responseKey,
            shape(of: definition.type) { inner in
              inner.isLeaf
                ? shape(of: inner, depth: depth)
                : .map(selected(field.selections, of: inner, document, depth: depth + 1))
            })
        }
      case .inline(let fragment):
        let condition = fragment.condition.map(\.text) ?? type.name.text
        add(fragment.selections, of: condition, document, depth: depth, to: &map)
      case .spread(let spread):
        guard let fragment = document.fragments.first(where: { $0.name.text == spread.name.text })
        else { continue }
        let condition = fragment.condition.text
        add(fragment.selections, of: condition, document, depth: depth, to: &map)
      }
    }
    return map
  }

  private func add(
    _ selections: [GraphQLSelection], of condition: String, _ document: GraphQLDocument,
    depth: Int, to map: inout MapShape
  ) {
    guard let type = schema.types[condition] else { return }
    let part = selected(selections, of: type, document, depth: depth + 1)
    for (key, member) in part.members { map.add(key, member.shape) }
    if part.isOpen { map.isOpen = true }
  }

  // MARK: - Types

  /// The shape of a reference, with lists and null around what its type is.
  private func shape(
    of reference: GraphQLTypeReference, _ inner: (GraphQLType) -> Shape
  ) -> Shape {
    switch reference {
    case .nonNull(let strict): return self.strict(strict, inner)
    default: return strict(reference, inner).orNull()
    }
  }

  /// The shape without null.
  private func strict(
    _ reference: GraphQLTypeReference, _ inner: (GraphQLType) -> Shape
  ) -> Shape {
    switch reference {
    case .nonNull(let strict): return self.strict(strict, inner)
    case .named(let name): return schema.types[name.text].map(inner) ?? .unknown
    case .list(let element):
      var shape = KnownShape()
      shape.elements = self.shape(of: element, inner)
      return .known(shape)
    }
  }

  /// All that a value of a type may hold, whatever a request selects.
  private func shape(of type: GraphQLType, depth: Int) -> Shape {
    guard depth < Self.maximumDepth else { return .unknown }
    var shape = KnownShape()
    switch type.kind {
    case .enumeration:
      shape.text = TextShape(values: Set(type.values.map(\.name.text)), isDeclared: true)
      return .known(shape)
    case .interface, .union:
      let members = schema.possibleTypes(of: type).compactMap { schema.types[$0] }
      let own = type.kind == .interface ? fields(of: type, depth: depth) : .unknown
      return members.reduce(own) { $0.merged(with: self.shape(of: $1, depth: depth + 1)) }
    case .object: return fields(of: type, depth: depth)
    default: break
    }
    switch type.name.text {
    case "Int": shape.number = .integer
    case "Float": shape.number = .number
    case "Boolean": shape.isBool = true
    case "String", "ID": shape.text = TextShape(values: nil, isDeclared: true)
    // A scalar of the schema's own may be anything.
    default: return .unknown
    }
    return .known(shape)
  }

  private func fields(of type: GraphQLType, depth: Int) -> Shape {
    var map = MapShape()
    for field in type.fields {
      map.add(field.name.text, shape(of: field.type) { self.shape(of: $0, depth: depth + 1) })
    }
    map.add("__typename", .unknown)
    return .map(map)
  }
}

extension Shape {
  /// The shape of a map.
  fileprivate static func map(_ members: MapShape) -> Shape {
    var shape = KnownShape()
    shape.members = members
    return .known(shape)
  }
}

extension MapShape {
  /// Adds a member that may be missing; one that is there already may be either.
  fileprivate mutating func add(_ name: String, _ shape: Shape) {
    let other = members[name]?.shape
    members[name] = Member(shape: other.map { $0.merged(with: shape) } ?? shape, isOptional: true)
  }
}
