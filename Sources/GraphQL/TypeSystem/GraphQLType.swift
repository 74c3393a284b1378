/// A type of a schema (specification of October 2021, section 3.4).
public struct GraphQLType: Sendable, Hashable {
  /// What kind of type it is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A leaf value.
    case scalar
    /// Fields.
    case object
    /// Fields that other types share.
    case interface
    /// One of several objects.
    case union
    /// One of several names.
    case enumeration = "enum"
    /// Fields of an argument.
    case input
  }

  /// What kind of type it is.
  public var kind: Kind
  /// Its name.
  public var name: GraphQLName
  /// What its author says of it.
  public var description: String?
  /// The interfaces of an object or interface.
  public var interfaces: [GraphQLName] = []
  /// The fields of an object or interface.
  public var fields: [GraphQLFieldDefinition] = []
  /// The objects of a union.
  public var members: [GraphQLName] = []
  /// The values of an enum.
  public var values: [GraphQLEnumValue] = []
  /// The fields of an input.
  public var inputFields: [GraphQLInputValue] = []
  /// Its directives.
  public var directives: [GraphQLDirective] = []
  /// Where each field stands in `fields`, once the schema is complete.
  var fieldPositions: [String: Int] = [:]

  /// Whether values of it may stand in a request.
  public var isInput: Bool {
    switch kind {
    case .scalar, .enumeration, .input: true
    case .object, .interface, .union: false
    }
  }

  /// Whether values of it may stand in a response.
  public var isOutput: Bool { kind != .input }

  /// Whether nothing can be selected below it.
  public var isLeaf: Bool { kind == .scalar || kind == .enumeration }

  /// Whether a value of it is one of several objects.
  public var isAbstract: Bool { kind == .interface || kind == .union }

  /// A field by its name.
  public func field(_ name: String) -> GraphQLFieldDefinition? {
    guard fieldPositions.isEmpty else { return fieldPositions[name].map { fields[$0] } }
    return fields.first { $0.name.text == name }
  }

  /// The kind with its article, for messages.
  public var kindWithArticle: String {
    switch kind {
    case .object, .interface, .enumeration, .input: "an \(kind.rawValue)"
    case .scalar, .union: "a \(kind.rawValue)"
    }
  }
}

/// A field of an object or interface.
public struct GraphQLFieldDefinition: Sendable, Hashable {
  /// Its name.
  public var name: GraphQLName
  /// What its author says of it.
  public var description: String?
  /// Its arguments in order.
  public var arguments: [GraphQLInputValue]
  /// Its type.
  public var type: GraphQLTypeReference
  /// Its directives.
  public var directives: [GraphQLDirective]
}

/// An argument, or a field of an input.
public struct GraphQLInputValue: Sendable, Hashable {
  /// Its name.
  public var name: GraphQLName
  /// What its author says of it.
  public var description: String?
  /// Its type.
  public var type: GraphQLTypeReference
  /// The value if none is given.
  public var defaultValue: GraphQLValue?
  /// Its directives.
  public var directives: [GraphQLDirective]

  /// Whether a value must be given.
  public var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A value of an enum.
public struct GraphQLEnumValue: Sendable, Hashable {
  /// Its name.
  public var name: GraphQLName
  /// What its author says of it.
  public var description: String?
  /// Its directives.
  public var directives: [GraphQLDirective]
}

/// `directive @name(…) repeatable on LOCATION | LOCATION`.
public struct GraphQLDirectiveDefinition: Sendable, Hashable {
  /// Its name without `@`.
  public var name: GraphQLName
  /// What its author says of it.
  public var description: String?
  /// Its arguments in order.
  public var arguments: [GraphQLInputValue]
  /// Whether it may stand more than once in one place.
  public var isRepeatable: Bool
  /// Where it may stand, such as `FIELD`.
  public var places: [GraphQLName]
}

/// `schema { query: Query }`.
struct GraphQLSchemaDefinition {
  var description: String?
  var directives: [GraphQLDirective]
  var roots: [(kind: GraphQLOperationKind, name: GraphQLName)]
  var location: GraphQLLocation
}

/// A definition or extension of a schema's text.
struct GraphQLTypeSystemDefinition {
  enum Content {
    case schema(GraphQLSchemaDefinition)
    case type(GraphQLType)
    case directive(GraphQLDirectiveDefinition)
  }

  var content: Content
  var isExtension: Bool
}
