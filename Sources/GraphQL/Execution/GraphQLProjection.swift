internal import OrderedCollections
public import ScenarioModel

/// Cuts an author's data to what an operation asks for, in the order in which it asks.
///
/// The data is keyed by the names of fields; a key that is an alias of the operation wins, so that
/// one field can have several values. Nothing is invented but `__typename`.
public struct GraphQLProjection: Sendable {
  /// What an author's data lacks, or has wrong.
  public struct Problem: Sendable, Hashable {
    /// Lower case, no full stop.
    public var message: String
    /// The place in the author's data.
    public var path: [PathStep]
    /// The exact fix, if one is known.
    public var help: String?

    /// The place as text: `user.emails[0]`.
    public var place: String {
      let text = path.map(\.placeText).joined()
      return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
  }

  private static let problemLimit = 20

  private let schema: GraphQLSchema
  private let operation: GraphQLOperation
  private let reader: GraphQLSelectionReader

  /// Prepares the projection for an operation that is valid in the schema.
  public init(
    schema: GraphQLSchema, document: GraphQLDocument, operation: GraphQLOperation,
    variables: [String: Value]
  ) {
    self.schema = schema
    self.operation = operation
    reader = GraphQLSelectionReader(schema: schema, document: document, variables: variables)
  }

  /// The data of the response, and everything that is wrong with what it is made of.
  public func project(_ data: Value) -> (data: Value, problems: [Problem]) {
    var problems: [Problem] = []
    guard let root = schema.root(operation.kind), data != .null else { return (data, []) }
    let value = object(data, root, operation.selections, [], &problems)
    return (value, problems)
  }

  /// Whether the operation asks for nothing but the schema itself.
  public var isIntrospection: Bool {
    guard operation.kind == .query, let root = schema.root(.query) else { return false }
    let fields = reader.fields(operation.selections, of: root)
    let names = Set(fields.values.flatMap { $0.map(\.name.text) })
    return names.isSubset(of: ["__schema", "__type", "__typename"])
      && !names.isDisjoint(with: ["__schema", "__type"])
  }

  // MARK: - Objects

  private func object(
    _ data: Value, _ type: GraphQLType, _ selections: [GraphQLSelection], _ path: [PathStep],
    _ problems: inout [Problem]
  ) -> Value {
    guard case .map(let members) = data else {
      add(
        "expected a \(type.name.text), got \(data.excerptOfKind)", path,
        "write a map of its fields",
        &problems)
      return .null
    }
    guard let concrete = concreteType(of: members, type, path, &problems) else { return .null }
    var result: OrderedDictionary<String, Value> = [:]
    for (key, fields) in reader.fields(selections, of: concrete) {
      guard let field = fields.first else { continue }
      result[key] = value(
        of: field, key, in: members, concrete, fields.flatMap(\.selections), path, &problems)
    }
    return .map(result)
  }

  private func value(
    of field: GraphQLField, _ key: String, in members: OrderedDictionary<String, Value>,
    _ type: GraphQLType, _ selections: [GraphQLSelection], _ path: [PathStep],
    _ problems: inout [Problem]
  ) -> Value {
    let name = field.name.text
    if name == "__typename" { return .string(type.name.text) }
    guard let definition = schema.field(name, of: type) else { return .null }
    // An alias that is the name of another field does not take that field's value.
    let isOwnKey = key == name || type.field(key) == nil
    let source = isOwnKey && members[key] != nil ? key : name
    guard let value = members[source] else {
      if name.hasPrefix("__") {
        var introspection = GraphQLIntrospection(reader: reader)
        return introspection.value(of: field, definition, selections)
      }
      let place = path + [.key(name)]
      add(
        "\"\(name)\" of \(type.name.text) is asked for and not there", place,
        definition.type.isNonNull
          ? "add \"\(name): …\", a \(definition.type.text)"
          : "add \"\(name): …\", or \"\(name): null\"",
        &problems)
      return .null
    }
    return complete(value, definition.type, selections, path + [.key(source)], &problems)
  }

  private func complete(
    _ value: Value, _ type: GraphQLTypeReference, _ selections: [GraphQLSelection],
    _ path: [PathStep], _ problems: inout [Problem]
  ) -> Value {
    switch type {
    case .nonNull(let inner):
      guard value != .null else {
        add("null cannot be a \(type.text)", path, "write a value", &problems)
        return .null
      }
      return complete(value, inner, selections, path, &problems)
    case .list(let inner):
      guard value != .null else { return .null }
      guard case .list(let elements) = value else {
        add(
          "expected a list \(type.text), got \(value.excerptOfKind)", path, "write [ … ]", &problems
        )
        return .null
      }
      return .list(
        elements.enumerated().map { index, element in
          complete(element, inner, selections, path + [.index(index)], &problems)
        })
    case .named(let name):
      guard value != .null, let named = schema.types[name.text] else { return .null }
      guard named.isLeaf else { return object(value, named, selections, path, &problems) }
      switch GraphQLLeaf.serialize(value, named) {
      case .success(let leaf): return leaf
      case .failure(let problem):
        add(problem.message, path, problem.help, &problems)
        return .null
      }
    }
  }

  private func concreteType(
    of members: OrderedDictionary<String, Value>, _ type: GraphQLType, _ path: [PathStep],
    _ problems: inout [Problem]
  ) -> GraphQLType? {
    switch schema.concreteType(of: members, type) {
    case .success(let type): return type
    case .failure(let problem):
      add(
        problem.message, path + (problem.isAboutName ? [.key("__typename")] : []), problem.help,
        &problems)
      return nil
    }
  }

  private func add(
    _ message: String, _ path: [PathStep], _ help: String?, _ problems: inout [Problem]
  ) {
    guard problems.count < Self.problemLimit else { return }
    problems.append(Problem(message: message, path: path, help: help))
  }
}
