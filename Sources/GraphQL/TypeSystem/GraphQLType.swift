internal import Foundations

/// A type of a schema (specification of October 2021, section 3.4).
package struct GraphQLType: Sendable, Hashable {
  /// The kind of type.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
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

  /// The kind of type.
  package var kind: Kind
  /// Its name.
  package var name: GraphQLName
  /// The author's description.
  package var description: String?
  /// The interfaces of an object or interface.
  package var interfaces: [GraphQLName] = []
  /// The fields of an object or interface.
  package var fields: [GraphQLFieldDefinition] = []
  /// The objects of a union.
  package var members: [GraphQLName] = []
  /// The values of an enum.
  package var values: [GraphQLEnumValue] = []
  /// The fields of an input.
  package var inputFields: [GraphQLInputValue] = []
  /// Its directives.
  package var directives: [GraphQLDirective] = []
  /// The place of each field in `fields`, once the schema is complete.
  var fieldPositions: [String: Int] = [:]

  /// True if values of it are allowed in a request.
  package var isInput: Bool {
    switch kind {
    case .scalar, .enumeration, .input: true
    case .object, .interface, .union: false
    }
  }

  /// True if values of it are allowed in a response.
  package var isOutput: Bool { kind != .input }

  /// True if nothing can be selected below it.
  package var isLeaf: Bool { kind == .scalar || kind == .enumeration }

  /// True if a value of it is one of several objects.
  package var isAbstract: Bool { kind == .interface || kind == .union }

  /// A field by its name.
  package func field(_ name: String) -> GraphQLFieldDefinition? {
    guard fieldPositions.isEmpty else { return fieldPositions[name].map { fields[$0] } }
    return fields.first { $0.name.text == name }
  }

  /// The kind with its article, for messages.
  package var kindWithArticle: String {
    switch kind {
    case .object, .interface, .enumeration, .input: "an \(kind.rawValue)"
    case .scalar, .union: "a \(kind.rawValue)"
    }
  }
}

/// A field of an object or interface.
package struct GraphQLFieldDefinition: Sendable, Hashable {
  /// Its name.
  package var name: GraphQLName
  /// The author's description.
  package var description: String?
  /// Its arguments in order.
  package var arguments: [GraphQLInputValue]
  /// Its type.
  package var type: GraphQLTypeReference
  /// Its directives.
  package var directives: [GraphQLDirective]
}

/// An argument, or a field of an input.
package struct GraphQLInputValue: Sendable, Hashable {
  /// Its name.
  package var name: GraphQLName
  /// The author's description.
  package var description: String?
  /// Its type.
  package var type: GraphQLTypeReference
  /// The value if none is given.
  package var defaultValue: GraphQLValue?
  /// Its directives.
  package var directives: [GraphQLDirective]

  /// True if a value must be given.
  package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A value of an enum.
package struct GraphQLEnumValue: Sendable, Hashable {
  /// Its name.
  package var name: GraphQLName
  /// The author's description.
  package var description: String?
  /// Its directives.
  package var directives: [GraphQLDirective]
}

/// `directive @name(…) repeatable on LOCATION | LOCATION`.
package struct GraphQLDirectiveDefinition: Sendable, Hashable {
  /// Its name without `@`.
  package var name: GraphQLName
  /// The author's description.
  package var description: String?
  /// Its arguments in order.
  package var arguments: [GraphQLInputValue]
  /// True if it is allowed more than once in one place.
  package var isRepeatable: Bool
  /// The places where it is allowed, such as `FIELD`.
  package var places: [GraphQLName]
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
