/// The replies that a GraphQL schema declares.
public struct SchemaShapes: DeclaredShapes {
  /// How deep types are followed: they may hold themselves.
  private static let maximumDepth = 12

  private let declarations: SchemaDeclarations

  /// What a reply holds is what its request selects, so that more in the schema is no news.
  public var tellsAdditions: Bool { false }

  /// Reads a schema in the schema definition language.
  ///
  /// - Throws: If the text is none.
  public init(_ text: String) throws(DeclarationError) {
    declarations = try SchemaDeclarations(text)
  }

  /// What a reply to a sample's request is declared to be.
  public func declaration(of sample: DriftSample, status: Int) -> Declaration {
    guard let kind = sample.operationKind else { return .other }
    guard status == 200 else { return .shape(.unknown) }
    guard let root = declarations.roots[kind], declarations.definitions[root] != nil else {
      return .missing("the schema has no type for a \(kind)")
    }
    // A reply without data is a reply all the same (October 2021, section 7.1).
    var reply = MapShape()
    reply.members["data"] = MapShape.Member(
      shape: shape(ofType: root, depth: 0).orNull(), isOptional: true)
    reply.isOpen = true
    var shape = KnownShape()
    shape.members = reply
    return .shape(.known(shape))
  }

  private func shape(of reference: SchemaDeclarations.Reference, depth: Int) -> Shape {
    switch reference {
    case .required(let inner): return strict(inner, depth: depth)
    default: return strict(reference, depth: depth).orNull()
    }
  }

  /// The shape without null.
  private func strict(_ reference: SchemaDeclarations.Reference, depth: Int) -> Shape {
    switch reference {
    case .required(let inner): return strict(inner, depth: depth)
    case .named(let name): return shape(ofType: name, depth: depth)
    case .list(let inner):
      var shape = KnownShape()
      shape.elements = self.shape(of: inner, depth: depth)
      return .known(shape)
    }
  }

  private func shape(ofType name: String, depth: Int) -> Shape {
    guard depth < Self.maximumDepth else { return .unknown }
    var shape = KnownShape()
    switch name {
    case "Int": shape.number = .integer
    case "Float": shape.number = .number
    case "Boolean": shape.isBool = true
    case "String", "ID": shape.text = TextShape(values: nil, isDeclared: true)
    default:
      switch declarations.definitions[name] {
      case nil, .scalar?: return .unknown
      case .values(let values)?: shape.text = TextShape(values: values, isDeclared: true)
      case .union(let names)?:
        return names.reduce(.unknown) { $0.merged(with: self.shape(ofType: $1, depth: depth + 1)) }
      case .object(let fields)?:
        var map = MapShape()
        for (field, reference) in fields {
          map.members[field] = MapShape.Member(
            shape: self.shape(of: reference, depth: depth + 1), isOptional: true)
        }
        map.members["__typename"] = MapShape.Member(shape: .unknown, isOptional: true)
        shape.members = map
      }
    }
    return .known(shape)
  }
}
