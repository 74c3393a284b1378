internal import Foundations
internal import GraphQL

/// The replies that a GraphQL schema declares.
package struct SchemaShapes: DeclaredShapes {
  /// The greatest depth to which selections are followed.
  private static let maximumDepth = 100

  private let schema: GraphQLSchema

  /// Whether additions are reported: false, as a reply has what its request selects, so that more
  /// in the schema is no news.
  package var reportsAdditions: Bool { false }

  /// Reads a schema in the schema definition language.
  ///
  /// - Throws: If the text is none, or none that a server could run.
  package init(_ text: String) throws(DeclarationError) {
    let (schema, problems) = GraphQLSchema.read(text)
    if let problem = problems.first {
      throw DeclarationError(
        problem.message,
        help: problem.help ?? "name a GraphQL schema as SDL, as in \"type Query { … }\"",
        at: .position(line: problem.location.line, column: problem.location.column))
    }
    guard let schema, schema.root(.query) != nil else {
      throw DeclarationError("the schema has no type for queries", help: "add \"type Query { … }\"")
    }
    self.schema = schema
  }

  /// The declaration of a reply to a sample's request.
  package func declaration(of sample: DriftSample, status: Int) -> Declaration {
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
      data = .map(selected(operation.selections, of: root, Walk(document: document)))
    } else {
      data = shape(of: root, seen: sample.shapes[status]?.member("data"))
    }
    reply.members["data"] = MapShape.Member(shape: data.orNull(), isOptional: true)
    reply.isOpen = true
    return .shape(.map(reply))
  }

  // MARK: - What a request selects

  /// The state of following a selection in a document.
  private struct Walk {
    var document: GraphQLDocument
    var depth = 0
    /// The fragments that are being followed: a document may hold them in a circle.
    var fragments: Set<String> = []

    func deeper(into fragment: String? = nil) -> Walk {
      var walk = self
      walk.depth += 1
      if let fragment { walk.fragments.insert(fragment) }
      return walk
    }
  }

  /// The members that a selection gives a value of a type, by their keys in the response.
  ///
  /// A field that the schema has not is left out: the reply's member is then not declared.
  private func selected(
    _ selections: [GraphQLSelection], of type: GraphQLType, _ walk: Walk
  ) -> MapShape {
    var map = MapShape()
    guard walk.depth < Self.maximumDepth else {
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
                ? shape(of: inner, seen: nil)
                : .map(selected(field.selections, of: inner, walk.deeper()))
            })
        }
      case .inline(let fragment):
        let condition = fragment.condition.map(\.text) ?? type.name.text
        add(fragment.selections, of: condition, walk.deeper(), to: &map)
      case .spread(let spread):
        let name = spread.name.text
        guard !walk.fragments.contains(name),
          let fragment = walk.document.fragments.first(where: { $0.name.text == name })
        else { continue }
        add(fragment.selections, of: fragment.condition.text, walk.deeper(into: name), to: &map)
      }
    }
    return map
  }

  private func add(
    _ selections: [GraphQLSelection], of condition: String, _ walk: Walk, to map: inout MapShape
  ) {
    guard let type = schema.types[condition] else { return }
    let part = selected(selections, of: type, walk)
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

  /// Returns the shape of a type's values, whatever a request selects, as far as values were seen:
  /// types nest themselves, many times over.
  private func shape(of type: GraphQLType, seen: Shape?) -> Shape {
    var shape = KnownShape()
    switch type.kind {
    case .enumeration:
      shape.text = TextShape(values: Set(type.values.map(\.name.text)), isDeclared: true)
      return .known(shape)
    case .interface, .union:
      let members = schema.possibleTypes(of: type).compactMap { schema.types[$0] }
      let own = type.kind == .interface ? fields(of: type, seen: seen) : .unknown
      return members.reduce(own) { $0.merged(with: fields(of: $1, seen: seen)) }
    case .object: return fields(of: type, seen: seen)
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

  private func fields(of type: GraphQLType, seen: Shape?) -> Shape {
    var map = MapShape()
    for field in type.fields {
      let name = field.name.text
      guard let inner = seen?.element.member(name)?.element else {
        map.add(name, .unknown)
        continue
      }
      map.add(name, shape(of: field.type) { self.shape(of: $0, seen: inner) })
    }
    map.add("__typename", .unknown)
    return .map(map)
  }
}

extension Shape {
  /// The shape of a member, if there is one.
  fileprivate func member(_ name: String) -> Shape? {
    guard case .known(let known) = self else { return nil }
    return known.members?.members[name]?.shape
  }

  /// The shape within lists, however many enclose it.
  fileprivate var element: Shape {
    var shape = self
    while case .known(let known) = shape, let elements = known.elements { shape = elements }
    return shape
  }

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
