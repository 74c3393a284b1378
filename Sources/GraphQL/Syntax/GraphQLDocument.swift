package import Foundations

/// A document that a client may send (specification of October 2021, section 2.2).
package struct GraphQLDocument: Sendable, Hashable {
  /// The operations in document order.
  package var operations: [GraphQLOperation]
  /// The fragments in document order.
  package var fragments: [GraphQLFragment]

  /// Reads a document.
  ///
  /// - Throws: `GraphQLSyntaxError` for text that is no executable document.
  package init(parsing text: String) throws(GraphQLSyntaxError) {
    var parser = try GraphQLParser(text)
    self = try parser.parseDocument()
  }

  init(operations: [GraphQLOperation], fragments: [GraphQLFragment]) {
    self.operations = operations
    self.fragments = fragments
  }

  /// The operation that runs (section 6.1, `GetOperation`): the named one, or the only one.
  package func operation(named name: String?) -> GraphQLOperation? {
    guard let name else { return operations.count == 1 ? operations[0] : nil }
    return operations.first { $0.name?.text == name }
  }
}

/// A name and its place.
package struct GraphQLName: Sendable, Hashable {
  /// The name.
  package var text: String
  /// The place in the document.
  package var location: GraphQLLocation
}

/// `query Name($variable: Type) @directive { … }`.
package struct GraphQLOperation: Sendable, Hashable {
  /// query, mutation or subscription.
  package var kind: GraphQLOperationKind
  /// The name; `nil` for an anonymous operation.
  package var name: GraphQLName?
  /// The variables in order.
  package var variables: [GraphQLVariableDefinition]
  /// Its directives.
  package var directives: [GraphQLDirective]
  /// Its selections.
  package var selections: [GraphQLSelection]
  /// The place where it begins.
  package var location: GraphQLLocation
}

/// `$name: Type = value`.
package struct GraphQLVariableDefinition: Sendable, Hashable {
  /// The name without `$`.
  package var name: GraphQLName
  /// The type.
  package var type: GraphQLTypeReference
  /// The default.
  package var defaultValue: GraphQLValue?
  /// Its directives.
  package var directives: [GraphQLDirective]
}

/// `fragment Name on Type { … }`.
package struct GraphQLFragment: Sendable, Hashable {
  /// The name.
  package var name: GraphQLName
  /// The type behind `on`.
  package var condition: GraphQLName
  /// Its directives.
  package var directives: [GraphQLDirective]
  /// Its selections.
  package var selections: [GraphQLSelection]
  /// The place where it begins.
  package var location: GraphQLLocation
}

/// A part of a selection set.
package indirect enum GraphQLSelection: Sendable, Hashable {
  /// `alias: name(…) { … }`
  case field(GraphQLField)
  /// `...Name`
  case spread(GraphQLSpread)
  /// `... on Type { … }`
  case inline(GraphQLInlineFragment)
}

/// `alias: name(argument: value) @directive { … }`.
package struct GraphQLField: Sendable, Hashable {
  /// The alias.
  package var alias: GraphQLName?
  /// The field's name.
  package var name: GraphQLName
  /// The arguments in order.
  package var arguments: [GraphQLArgument]
  /// Its directives.
  package var directives: [GraphQLDirective]
  /// The selections below it; empty for a leaf.
  package var selections: [GraphQLSelection]
  /// The place where the selections begin.
  package var selectionsLocation: GraphQLLocation?

  /// The key that it has in the response.
  package var responseKey: String { alias?.text ?? name.text }
  /// The place where it begins.
  package var location: GraphQLLocation { alias?.location ?? name.location }
}

/// `...Name @directive`.
package struct GraphQLSpread: Sendable, Hashable {
  /// The fragment's name.
  package var name: GraphQLName
  /// Its directives.
  package var directives: [GraphQLDirective]
  /// The place where it begins.
  package var location: GraphQLLocation
}

/// `... on Type @directive { … }`.
package struct GraphQLInlineFragment: Sendable, Hashable {
  /// The type behind `on`; `nil` means the type around it.
  package var condition: GraphQLName?
  /// Its directives.
  package var directives: [GraphQLDirective]
  /// Its selections.
  package var selections: [GraphQLSelection]
  /// The place where it begins.
  package var location: GraphQLLocation
}

/// `name: value`, as an argument or as a field of an object.
package struct GraphQLArgument: Sendable, Hashable {
  /// The name.
  package var name: GraphQLName
  /// The value.
  package var value: GraphQLValue
}

/// `@name(argument: value)`.
package struct GraphQLDirective: Sendable, Hashable {
  /// The name without `@`.
  package var name: GraphQLName
  /// The arguments in order.
  package var arguments: [GraphQLArgument]
  /// The place where it begins.
  package var location: GraphQLLocation
}

/// A value as a document writes it (section 2.9).
package struct GraphQLValue: Sendable, Hashable {
  /// The content.
  package indirect enum Content: Sendable, Hashable {
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
    /// A name that is the value of an enumeration.
    case enumeration(String)
    /// `[a, b]`
    case list([GraphQLValue])
    /// `{name: value}`
    case object([GraphQLArgument])
  }

  /// The content.
  package var content: Content
  /// The place in the document.
  package var location: GraphQLLocation
}

/// `Name`, `[Type]` or `Type!` (section 2.11).
package indirect enum GraphQLTypeReference: Sendable, Hashable {
  /// A type by its name.
  case named(GraphQLName)
  /// A list.
  case list(GraphQLTypeReference)
  /// Never null.
  case nonNull(GraphQLTypeReference)

  /// The name within lists and marks.
  package var name: GraphQLName {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }

  /// True if null is excluded.
  package var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// The type without a mark at its end.
  package var nullable: GraphQLTypeReference {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// The type as written.
  package var text: String {
    switch self {
    case .named(let name): name.text
    case .list(let inner): "[\(inner.text)]"
    case .nonNull(let inner): "\(inner.text)!"
    }
  }
}
