package import Foundations

/// A schema, checked and ready.
package struct GraphQLSchema: Sendable, Hashable {
  /// A mistake in a schema's text.
  package struct Problem: Error, Sendable, Hashable {
    /// Lower case, no full stop, the offending name in quotes.
    package var message: String
    /// The place.
    package var location: GraphQLLocation
    /// The exact fix, if one is known.
    package var help: String?
  }

  /// The author's description.
  package internal(set) var description: String?
  /// The types by name, those of the language itself included.
  package internal(set) var types: [String: GraphQLType] = [:]
  /// The names of the types in the order of the text, the language's own behind.
  package internal(set) var typeNames: [String] = []
  /// The directives by name.
  package internal(set) var directives: [String: GraphQLDirectiveDefinition] = [:]
  /// The names of the directives, the language's own first.
  package internal(set) var directiveNames: [String] = []
  /// The types at which operations begin.
  package internal(set) var roots: [GraphQLOperationKind: String] = [:]
  /// The objects that implement an interface or belong to a union, in order.
  var possibleTypes: [String: [String]] = [:]
  /// The same, for questions.
  var possibleTypeSets: [String: Set<String>] = [:]

  init() {}

  /// Reads a schema's text; `schema` is `nil` if there are problems.
  package static func read(_ text: String) -> (schema: GraphQLSchema?, problems: [Problem]) {
    do throws(GraphQLSyntaxError) {
      var parser = try GraphQLParser(text)
      var builder = GraphQLSchemaBuilder()
      builder.addBuiltIns()
      builder.add(try parser.parseTypeSystem())
      let (schema, problems) = builder.finish()
      return (problems.isEmpty ? schema : nil, problems)
    } catch {
      let help = "a schema is written as in \"type Query { user(id: ID!): User }\""
      return (nil, [Problem(message: error.message, location: error.location, help: help)])
    }
  }

  /// The type at which operations of a kind begin.
  package func root(_ kind: GraphQLOperationKind) -> GraphQLType? {
    roots[kind].flatMap { types[$0] }
  }

  /// The type within lists and marks.
  package func type(of reference: GraphQLTypeReference) -> GraphQLType? {
    types[reference.name.text]
  }

  /// A field of a type, `__typename` included, and `__schema` and `__type` of the query type.
  package func field(_ name: String, of type: GraphQLType) -> GraphQLFieldDefinition? {
    switch name {
    case "__typename" where type.isOutput && !type.isLeaf:
      return Self.typeNameField
    case "__schema" where roots[.query] == type.name.text,
      "__type" where roots[.query] == type.name.text:
      return Self.introspectionFields[name]
    default:
      return type.field(name)
    }
  }

  /// The objects that a value of a type may be.
  package func possibleTypes(of type: GraphQLType) -> [String] {
    type.isAbstract ? possibleTypes[type.name.text] ?? [] : [type.name.text]
  }

  /// Returns whether a value of one type may also be one of the other.
  func overlap(_ left: GraphQLType, _ right: GraphQLType) -> Bool {
    if left.name.text == right.name.text { return true }
    guard left.isAbstract else { return isPossible(left.name.text, of: right) }
    guard right.isAbstract else { return isPossible(right.name.text, of: left) }
    let (leftSet, rightSet) = (
      possibleTypeSets[left.name.text] ?? [], possibleTypeSets[right.name.text] ?? []
    )
    return leftSet.count < rightSet.count
      ? leftSet.contains { rightSet.contains($0) } : rightSet.contains { leftSet.contains($0) }
  }

  /// Returns whether a value of a type may be that object.
  func isPossible(_ object: String, of type: GraphQLType) -> Bool {
    type.isAbstract
      ? possibleTypeSets[type.name.text]?.contains(object) ?? false : type.name.text == object
  }

  /// Returns whether every value of a type is also one of the other (section 3.6.1, `IsValidImplementation`).
  func isSubtype(_ type: GraphQLTypeReference, of other: GraphQLTypeReference) -> Bool {
    switch (type, other) {
    case (.nonNull(let inner), .nonNull(let otherInner)):
      return isSubtype(inner, of: otherInner)
    case (.nonNull(let inner), _):
      return isSubtype(inner, of: other)
    case (.list(let inner), .list(let otherInner)):
      return isSubtype(inner, of: otherInner)
    case (.named(let name), .named(let otherName)):
      if name.text == otherName.text { return true }
      guard let type = types[name.text], let other = types[otherName.text], other.isAbstract else {
        return false
      }
      return type.interfaces.contains { $0.text == otherName.text }
        || other.members.contains { $0.text == name.text }
    default:
      return false
    }
  }

  // MARK: - Fields of the language itself

  private static let here = GraphQLLocation(line: 0, column: 0)

  private static func reference(_ name: String, isNonNull: Bool) -> GraphQLTypeReference {
    let named = GraphQLTypeReference.named(GraphQLName(text: name, location: here))
    return isNonNull ? .nonNull(named) : named
  }

  private static let typeNameField = GraphQLFieldDefinition(
    name: GraphQLName(text: "__typename", location: here), description: nil, arguments: [],
    type: reference("String", isNonNull: true), directives: [])

  private static let introspectionFields = [
    "__schema": GraphQLFieldDefinition(
      name: GraphQLName(text: "__schema", location: here), description: nil, arguments: [],
      type: reference("__Schema", isNonNull: true), directives: []),
    "__type": GraphQLFieldDefinition(
      name: GraphQLName(text: "__type", location: here), description: nil,
      arguments: [
        GraphQLInputValue(
          name: GraphQLName(text: "name", location: here), description: nil,
          type: reference("String", isNonNull: true), defaultValue: nil, directives: [])
      ], type: reference("__Type", isNonNull: false), directives: []),
  ]
}
