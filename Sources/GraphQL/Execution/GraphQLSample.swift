package import Foundations
internal import OrderedCollections

/// Makes the data that an operation asks for, of values that the schema allows.
///
/// A value depends on the seed and on the fields and arguments that lead to it: what two operations ask for alike is
/// the same in both.
package struct GraphQLSample: Sendable {
  /// Makes a value of a scalar or an enum for a field, the same for the same number.
  package typealias Leaf =
    @Sendable (
      _ type: GraphQLType, _ field: GraphQLFieldDefinition, _ number: UInt64
    ) -> Value

  /// The number of elements of a list for which no argument asks for fewer.
  private static let elementCount = 2
  /// The arguments that say how many elements are wanted, in the words of Relay and of others.
  private static let countArguments = ["first", "last", "limit", "take", "pageSize", "perPage"]

  /// What the fields above a value say of it.
  private struct Context {
    /// The path of fields, arguments and places.
    var key: StreamKey
    /// The arguments for which no field was found yet.
    var given: [String: Value] = [:]
    /// The greatest number of elements of the next list.
    var count = GraphQLSample.elementCount
  }

  private let schema: GraphQLSchema
  private let operation: GraphQLOperation
  private let reader: GraphQLSelectionReader
  private let seed: Int64
  private let leaf: Leaf
  private var remaining: Int

  /// Prepares a sample for an operation that is valid in the schema.
  ///
  /// - Parameters:
  ///   - variables: the operation's, defaults filled in.
  ///   - limit: how many values the result may have.
  package init(
    schema: GraphQLSchema, document: GraphQLDocument, operation: GraphQLOperation,
    variables: [String: Value], seed: Int64, limit: Int = GraphQLLimits.values,
    leaf: @escaping Leaf
  ) {
    self.schema = schema
    self.operation = operation
    self.seed = seed
    self.leaf = leaf
    remaining = limit
    reader = GraphQLSelectionReader(schema: schema, document: document, variables: variables)
  }

  /// The data of the response; `nil` if it would have too many values.
  package mutating func data() -> Value? {
    guard let root = schema.root(operation.kind) else { return nil }
    let key = StreamKey(seed: seed, entry: "graphql \(operation.kind.rawValue)")
    let plan = GraphQLSelectionPlan(operation.selections, reader)
    let value = object(root, plan, Context(key: key))
    return remaining > 0 ? value : nil
  }

  // MARK: - Objects

  private mutating func object(
    _ type: GraphQLType, _ plan: GraphQLSelectionPlan, _ context: Context
  ) -> Value {
    let names = schema.possibleTypes(of: type)
    var random = SplitMix64(seed: context.key.value)
    guard !names.isEmpty,
      let concrete = schema.types[names[Int(random.next(below: UInt64(names.count)))]]
    else { return .null }
    var below = context
    // An argument is about the nearest object that has such a field, and not about those below it.
    below.given = context.given.filter { concrete.field($0.key) == nil }
    var members: OrderedDictionary<String, Value> = [:]
    for entry in plan.entries(of: concrete, &remaining) {
      remaining -= 1
      guard remaining > 0 else { return .null }
      let name = entry.field.name.text
      if name == "__typename" {
        members[entry.key] = .string(concrete.name.text)
      } else if let definition = entry.definition, name.hasPrefix("__") {
        var introspection = GraphQLIntrospection(reader: reader, remaining: remaining)
        members[entry.key] = introspection.value(of: entry.field, definition, entry.below)
        remaining = introspection.remaining
      } else if let definition = entry.definition {
        members[entry.key] = field(
          entry, definition, of: concrete, given: context.given[name], below)
      }
    }
    return .map(members)
  }

  private mutating func field(
    _ entry: GraphQLSelectionPlan.Entry, _ definition: GraphQLFieldDefinition,
    of type: GraphQLType, given: Value?, _ context: Context
  ) -> Value {
    if let named = schema.type(of: definition.type), named.isLeaf {
      if let given, let value = fitted(given, definition.type) { return value }
      for example in [definition.example, named.example].compactMap({ $0 }) {
        if let value = fitted(example, definition.type) { return value }
      }
      // A client that reads page after page comes to an end.
      if type.name.text == "PageInfo", named.name.text == "Boolean" { return .bool(false) }
    }
    var context = context
    let arguments = reader.arguments(of: entry.field, definition)
    context.key.add("\n\(definition.name.text)")
    for name in arguments.keys.sorted() {
      let value = arguments[name] ?? .null
      // An identifier is the same as a number and as a text.
      context.key.add("\t\(name)=\(value.textForm ?? value.jsonText())")
      // Mutations have their values in an input.
      if case .map(let members) = value {
        for (name, value) in members { context.given[name] = value }
      } else {
        context.given[name] = value
      }
      if Self.countArguments.contains(name), case .integer(let count) = value {
        context.count = max(0, Int(min(count, Int64(Self.elementCount))))
      }
    }
    return value(definition.type, definition, entry.below, context)
  }

  private mutating func value(
    _ type: GraphQLTypeReference, _ definition: GraphQLFieldDefinition,
    _ plan: GraphQLSelectionPlan, _ context: Context
  ) -> Value {
    switch type {
    case .nonNull(let inner): return value(inner, definition, plan, context)
    case .list(let inner):
      var elements: [Value] = []
      for index in 0..<context.count {
        remaining -= 1
        guard remaining > 0 else { return .null }
        var below = context
        below.count = Self.elementCount
        below.key.add("\n\(index)")
        elements.append(value(inner, definition, plan, below))
      }
      return .list(elements)
    case .named(let name):
      guard let named = schema.types[name.text] else { return .null }
      return named.isLeaf
        ? leaf(named, definition, context.key.value) : object(named, plan, context)
    }
  }

  // MARK: - Values that are known

  /// A value that is known as one of a type, alone or as the elements of a list; `nil` if it does not fit.
  private func fitted(_ value: Value, _ type: GraphQLTypeReference) -> Value? {
    switch type {
    case .nonNull(let inner): return value == .null ? nil : fitted(value, inner)
    case .list(let inner):
      guard case .list(let elements) = value else {
        return fitted(value, inner).map { .list([$0]) }
      }
      let fitting = elements.compactMap { fitted($0, inner) }
      return fitting.count == elements.count ? .list(fitting) : nil
    case .named(let name):
      if value == .null { return .null }
      return schema.types[name.text].flatMap { try? GraphQLLeaf.serialize(value, $0).get() }
    }
  }
}

extension GraphQLFieldDefinition {
  /// The value that the schema's author gives as an example.
  fileprivate var example: Value? { directives.example }
}

extension GraphQLType {
  /// The value that the schema's author gives as an example.
  fileprivate var example: Value? { directives.example }
}

extension [GraphQLDirective] {
  /// The value of `@example(value: …)`, or the first one of `@examples(values: […])`.
  fileprivate var example: Value? {
    for directive in self {
      for argument in directive.arguments {
        switch (directive.name.text, argument.name.text, argument.value.value(with: [:])) {
        case ("example", "value", let value?): return value
        case ("examples", "values", .list(let values)?): return values.first
        default: continue
        }
      }
    }
    return nil
  }
}
