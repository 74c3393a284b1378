package import Foundations
internal import OrderedCollections

/// Cuts an author's data to what an operation asks for, in the order in which it asks.
///
/// The data is keyed by the names of fields; a key that is an alias of the operation wins, so that
/// one field can have several values. Nothing is invented but `__typename`.
package struct GraphQLProjection: Sendable {
  /// A mistake in an author's data.
  package struct Problem: Sendable, Hashable {
    /// Lower case, no full stop.
    package var message: String
    /// The place in the author's data.
    package var path: [PathStep]
    /// The exact fix, if one is known.
    package var help: String?

    /// The place as text: `user.emails[0]`.
    package var place: String {
      let text = path.map(\.placeText).joined()
      return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
  }

  private static let problemLimit = 20

  /// The result of a projection.
  private struct Output {
    var problems: [Problem] = []
    /// The number of values that the result may have still.
    var remaining: Int

    /// Returns whether another value fits.
    mutating func takeValue() -> Bool {
      remaining -= 1
      return remaining > 0
    }
  }

  private let limit: Int
  private let isPartial: Bool
  private let schema: GraphQLSchema
  private let operation: GraphQLOperation
  private let reader: GraphQLSelectionReader

  /// Prepares the projection for an operation that is valid in the schema.
  ///
  /// - Parameters:
  ///   - limit: how many values the result may have, so that aliases cannot multiply it without bound.
  ///   - isPartial: whether what `@defer` puts off may be missing.
  package init(
    schema: GraphQLSchema, document: GraphQLDocument, operation: GraphQLOperation,
    variables: [String: Value], limit: Int = GraphQLLimits.values, isPartial: Bool = false
  ) {
    self.limit = limit
    self.isPartial = isPartial
    self.schema = schema
    self.operation = operation
    reader = GraphQLSelectionReader(schema: schema, document: document, variables: variables)
  }

  /// The data of the response, and everything that is wrong with what it is made of.
  package func project(_ data: Value) -> (data: Value, problems: [Problem]) {
    guard let root = schema.root(operation.kind), data != .null else { return (data, []) }
    var output = Output(remaining: limit)
    let plan = GraphQLSelectionPlan(operation.selections, reader)
    let value = object(data, root, plan, [], &output)
    guard output.remaining > 0 else {
      return (
        .null,
        [
          Problem(
            message: "the result would have more than \(limit) values", path: [],
            help: "the operation asks for the same again and again: ask for less")
        ]
      )
    }
    return (value, output.problems)
  }

  /// True if the operation asks for nothing but the schema itself.
  package var isIntrospection: Bool {
    guard operation.kind == .query, let root = schema.root(.query) else { return false }
    let fields = reader.fields(operation.selections, of: root).byKey
    let names = Set(fields.values.flatMap { $0.map(\.name.text) })
    return names.isSubset(of: ["__schema", "__type", "__typename"])
      && !names.isDisjoint(with: ["__schema", "__type"])
  }

  // MARK: - Objects

  private func object(
    _ data: Value, _ type: GraphQLType, _ plan: GraphQLSelectionPlan, _ path: [PathStep],
    _ output: inout Output
  ) -> Value {
    guard case .map(let members) = data else {
      add(
        "expected a \(type.name.text), got \(data.excerptOfKind)", path,
        "write a map of its fields", &output)
      return .null
    }
    guard let concrete = concreteType(of: members, type, path, &output) else { return .null }
    var result: OrderedDictionary<String, Value> = [:]
    for entry in plan.entries(of: concrete, &output.remaining) {
      guard output.takeValue() else { return .null }
      if isPartial, entry.isDeferred, members[entry.key] == nil,
        members[entry.field.name.text] == nil
      {
        continue
      }
      result[entry.key] = value(of: entry, in: members, concrete, path, &output)
    }
    return .map(result)
  }

  private func value(
    of entry: GraphQLSelectionPlan.Entry, in members: OrderedDictionary<String, Value>,
    _ type: GraphQLType, _ path: [PathStep], _ output: inout Output
  ) -> Value {
    let (key, name) = (entry.key, entry.field.name.text)
    if name == "__typename" { return .string(type.name.text) }
    guard let definition = entry.definition else { return .null }
    // An alias that is the name of another field does not take that field's value.
    let isOwnKey = key == name || type.field(key) == nil
    let source = isOwnKey && members[key] != nil ? key : name
    guard let value = members[source] else {
      if name.hasPrefix("__") {
        var introspection = GraphQLIntrospection(reader: reader, remaining: output.remaining)
        let value = introspection.value(of: entry.field, definition, entry.below)
        output.remaining = introspection.remaining
        return value
      }
      let place = path + [.key(name)]
      add(
        "\"\(name)\" of \(type.name.text) is asked for and not there", place,
        definition.type.isNonNull
          ? "add \"\(name): …\", a \(definition.type.text)"
          : "add \"\(name): …\", or \"\(name): null\"",
        &output)
      return .null
    }
    return complete(value, definition.type, entry.below, path + [.key(source)], &output)
  }

  private func complete(
    _ value: Value, _ type: GraphQLTypeReference, _ plan: GraphQLSelectionPlan,
    _ path: [PathStep], _ output: inout Output
  ) -> Value {
    switch type {
    case .nonNull(let inner):
      guard value != .null else {
        add("null cannot be a \(type.text)", path, "write a value", &output)
        return .null
      }
      return complete(value, inner, plan, path, &output)
    case .list(let inner):
      guard value != .null else { return .null }
      guard case .list(let elements) = value else {
        add(
          "expected a list \(type.text), got \(value.excerptOfKind)", path, "write [ … ]", &output)
        return .null
      }
      var result: [Value] = []
      for (index, element) in elements.enumerated() {
        guard output.takeValue() else { return .null }
        result.append(complete(element, inner, plan, path + [.index(index)], &output))
      }
      return .list(result)
    case .named(let name):
      guard value != .null, let named = schema.types[name.text] else { return .null }
      guard named.isLeaf else { return object(value, named, plan, path, &output) }
      switch GraphQLLeaf.serialize(value, named) {
      case .success(let leaf): return leaf
      case .failure(let problem):
        add(problem.message, path, problem.help, &output)
        return .null
      }
    }
  }

  private func concreteType(
    of members: OrderedDictionary<String, Value>, _ type: GraphQLType, _ path: [PathStep],
    _ output: inout Output
  ) -> GraphQLType? {
    switch schema.concreteType(of: members, type) {
    case .success(let type): return type
    case .failure(let problem):
      add(
        problem.message, path + (problem.isAboutName ? [.key("__typename")] : []), problem.help,
        &output)
      return nil
    }
  }

  private func add(
    _ message: String, _ path: [PathStep], _ help: String?, _ output: inout Output
  ) {
    guard output.problems.count < Self.problemLimit else { return }
    output.problems.append(Problem(message: message, path: path, help: help))
  }
}
