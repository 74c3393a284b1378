public import ScenarioModel

/// What an operation does.
public typealias GraphQLOperationKind = GraphQLPattern.OperationKind

/// A document that a client may send (specification of October 2021, section 2.2).
public struct GraphQLDocument: Sendable, Hashable {
  /// The operations in document order.
  public var operations: [GraphQLOperation]
  /// The fragments in document order.
  public var fragments: [GraphQLFragment]

  /// Reads a document.
  ///
  /// - Throws: `GraphQLSyntaxError` for text that is no executable document.
  public init(parsing text: String) throws(GraphQLSyntaxError) {
    var parser = try GraphQLParser(text)
    self = try parser.parseDocument()
  }

  init(operations: [GraphQLOperation], fragments: [GraphQLFragment]) {
    self.operations = operations
    self.fragments = fragments
  }

  /// The operation that runs (section 6.1, `GetOperation`): the named one, or the only one.
  public func operation(named name: String?) -> GraphQLOperation? {
    guard let name else { return operations.count == 1 ? operations[0] : nil }
    return operations.first { $0.name?.text == name }
  }
}

/// A name and its place.
public struct GraphQLName: Sendable, Hashable {
  /// The name.
  public var text: String
  /// Where it stands.
  public var location: GraphQLLocation
}

/// `query Name($variable: Type) @directive { … }`.
public struct GraphQLOperation: Sendable, Hashable {
  /// query, mutation or subscription.
  public var kind: GraphQLOperationKind
  /// The name; `nil` for an anonymous operation.
  public var name: GraphQLName?
  /// The variables in order.
  public var variables: [GraphQLVariableDefinition]
  /// Its directives.
  public var directives: [GraphQLDirective]
  /// What it asks for.
  public var selections: [GraphQLSelection]
  /// Where it begins.
  public var location: GraphQLLocation
}

/// `$name: Type = value`.
public struct GraphQLVariableDefinition: Sendable, Hashable {
  /// The name without `$`.
  public var name: GraphQLName
  /// The type.
  public var type: GraphQLTypeReference
  /// The default.
  public var defaultValue: GraphQLValue?
  /// Its directives.
  public var directives: [GraphQLDirective]
}

/// `fragment Name on Type { … }`.
public struct GraphQLFragment: Sendable, Hashable {
  /// The name.
  public var name: GraphQLName
  /// The type behind `on`.
  public var condition: GraphQLName
  /// Its directives.
  public var directives: [GraphQLDirective]
  /// What it asks for.
  public var selections: [GraphQLSelection]
  /// Where it begins.
  public var location: GraphQLLocation
}

/// A part of a selection set.
public indirect enum GraphQLSelection: Sendable, Hashable {
  /// `alias: name(…) { … }`
  case field(GraphQLField)
  /// `...Name`
  case spread(GraphQLSpread)
  /// `... on Type { … }`
  case inline(GraphQLInlineFragment)
}

/// `alias: name(argument: value) @directive { … }`.
public struct GraphQLField: Sendable, Hashable {
  /// The alias.
  public var alias: GraphQLName?
  /// The field's name.
  public var name: GraphQLName
  /// The arguments in order.
  public var arguments: [GraphQLArgument]
  /// Its directives.
  public var directives: [GraphQLDirective]
  /// What is asked for below it; empty for a leaf.
  public var selections: [GraphQLSelection]
  /// Where the selections begin.
  public var selectionsLocation: GraphQLLocation?

  /// The key that it has in the response.
  public var responseKey: String { alias?.text ?? name.text }
  /// Where it begins.
  public var location: GraphQLLocation { alias?.location ?? name.location }
}

/// `...Name @directive`.
public struct GraphQLSpread: Sendable, Hashable {
  /// The fragment's name.
  public var name: GraphQLName
  /// Its directives.
  public var directives: [GraphQLDirective]
  /// Where it begins.
  public var location: GraphQLLocation
}

/// `... on Type @directive { … }`.
public struct GraphQLInlineFragment: Sendable, Hashable {
  /// The type behind `on`; `nil` means the type around it.
  public var condition: GraphQLName?
  /// Its directives.
  public var directives: [GraphQLDirective]
  /// What it asks for.
  public var selections: [GraphQLSelection]
  /// Where it begins.
  public var location: GraphQLLocation
}

/// `name: value`, as an argument or as a field of an object.
public struct GraphQLArgument: Sendable, Hashable {
  /// The name.
  public var name: GraphQLName
  /// The value.
  public var value: GraphQLValue
}

/// `@name(argument: value)`.
public struct GraphQLDirective: Sendable, Hashable {
  /// The name without `@`.
  public var name: GraphQLName
  /// The arguments in order.
  public var arguments: [GraphQLArgument]
  /// Where it begins.
  public var location: GraphQLLocation
}

/// A value as a document writes it (section 2.9).
public struct GraphQLValue: Sendable, Hashable {
  /// What stands there.
  public indirect enum Content: Sendable, Hashable {
    /// `$name`
    case variable(String)
    /// A whole number as written.
    case integer(String)
    /// Any other number as written.
    case float(String)
    /// Text.
    case string(String, isBlock: Bool)
    /// true or false.
    case boolean(Bool)
    /// null.
    case null
    /// A name that stands for a value.
    case enumeration(String)
    /// `[a, b]`
    case list([GraphQLValue])
    /// `{name: value}`
    case object([GraphQLArgument])
  }

  /// What stands there.
  public var content: Content
  /// Where it stands.
  public var location: GraphQLLocation
}

/// `Name`, `[Type]` or `Type!` (section 2.11).
public indirect enum GraphQLTypeReference: Sendable, Hashable {
  /// A type by its name.
  case named(GraphQLName)
  /// A list.
  case list(GraphQLTypeReference)
  /// Never null.
  case nonNull(GraphQLTypeReference)

  /// The name within lists and marks.
  public var name: GraphQLName {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }

  /// Whether null is excluded.
  public var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// The type without a mark at its end.
  public var nullable: GraphQLTypeReference {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// The type as written.
  public var text: String {
    switch self {
    case .named(let name): name.text
    case .list(let inner): "[\(inner.text)]"
    case .nonNull(let inner): "\(inner.text)!"
    }
  }
}
