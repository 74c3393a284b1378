package import Foundations
internal import OrderedCollections

/// Makes the data that an operation asks for, of values that the schema allows.
///
/// A value depends on the seed and on the fields and arguments that lead to it: what two operations ask for alike is
/// the same in both.
package struct GraphQLSample {
  /// Makes a value of a scalar or an enum for a field, the same for the same number.
  package typealias Leaf = (
    _ type: GraphQLType, _ field: GraphQLFieldDefinition, _ number: UInt64
  ) -> Value

  /// The reason why there is no sample.
  package struct Obstacle: Error, Sendable, Hashable {
    /// Lower case, no full stop.
    package var message: String
    /// What to do.
    package var help: String

    /// Both in one line.
    package var line: String { "\(message); \(help)" }
  }

  /// The number of elements of a list for which no argument asks for fewer.
  private static let elementCount = 2
  /// The greatest depth of objects and lists.
  private static let depthLimit = 500

  /// What the fields above a value say of it.
  private struct Context {
    /// The path of fields, arguments and places.
    var key: StreamKey
    /// The arguments for which no field was found yet.
    var given: GraphQLGivenValues
    /// The maximum number of elements of the next list.
    var count: Int
    /// The identifiers of the elements of the next list; empty if they are not asked for by these.
    var identifiers: [GraphQLGivenValues.Given] = []
    /// The number of objects and lists around.
    var depth = 0
  }

  private let schema: GraphQLSchema
  private let operation: GraphQLOperation
  private let reader: GraphQLSelectionReader
  private let seed: Int64
  private let leaf: Leaf
  private let examples: GraphQLExamples
  private let limit: Int
  private var remaining: Int
  /// The arguments of fields, which are the same for all objects of a list.
  private var arguments: [ObjectIdentifier: GraphQLSampleArguments] = [:]
  private var obstacle: Obstacle?

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
    examples = GraphQLExamples(schema: schema)
    self.limit = limit
    remaining = limit
    reader = GraphQLSelectionReader(schema: schema, document: document, variables: variables)
  }

  /// The data of the response.
  ///
  /// - Throws: ``Obstacle`` if the result would be too large, or no object is of a type.
  package mutating func data() throws(Obstacle) -> Value {
    guard let root = schema.root(operation.kind) else {
      throw Obstacle(
        message: "the schema has no \(operation.kind.rawValue) type", help: "add it to the schema")
    }
    let plan = GraphQLSelectionPlan(operation.selections, reader)
    let value = object(
      root, plan,
      Context(
        key: StreamKey(seed: seed, entry: "graphql \(operation.kind.rawValue)"),
        given: GraphQLGivenValues(), count: Self.elementCount))
    if let obstacle { throw obstacle }
    guard remaining > 0 else {
      throw Obstacle(
        message: "the result would have more than \(limit) values",
        help: "ask for less, or add an entry to \"responses\"")
    }
    return value
  }

  // MARK: - Objects

  private mutating func object(
    _ type: GraphQLType, _ plan: GraphQLSelectionPlan, _ context: Context
  ) -> Value {
    guard let concrete = concreteType(of: type, plan, context.key) else { return .null }
    let entries = plan.entries(of: concrete, &remaining)
    // An argument is about the nearest object that has such a field, and not about those below it.
    let passed = context.given.without { concrete.field($0) != nil }
    let takers = plan.takers(of: concrete, entries)
    let areTaken = passed.names.contains { takers[$0] != nil }
    var members: OrderedDictionary<String, Value> = [:]
    for entry in entries {
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
        if let given = context.given[name], let known = examples.value(given, of: definition) {
          members[entry.key] = known
          continue
        }
        var below = context
        below.given =
          areTaken ? passed.filtered { takers[$0].map { $0 == entry.key } ?? true } : passed
        let arguments = arguments(of: entry, definition)
        below.key.add("\n\(name)")
        below.key.add(arguments.text)
        below.given.add(arguments.given)
        below.count = arguments.count ?? context.count
        let isList = if case .list = definition.type.nullable { true } else { false }
        below.identifiers = isList ? arguments.identifiers : []
        members[entry.key] = value(definition.type, definition, entry.below, below)
      }
    }
    return .map(members)
  }

  /// One of the objects that a value of a type may be, of those rather that the selection has fragments for.
  private mutating func concreteType(
    of type: GraphQLType, _ plan: GraphQLSelectionPlan, _ key: StreamKey
  ) -> GraphQLType? {
    guard type.isAbstract else { return type }
    let candidates = plan.candidates(for: type)
    guard !candidates.isEmpty else {
      obstacle =
        obstacle
        ?? Obstacle(
          message: "no object type is a \(type.name.text), which is \(type.kindWithArticle)",
          help: "add one to the schema, or an entry to \"responses\"")
      return nil
    }
    var random = SplitMix64(seed: key.value)
    return candidates[Int(random.next(below: UInt64(candidates.count)))]
  }

  private mutating func arguments(
    of entry: GraphQLSelectionPlan.Entry, _ definition: GraphQLFieldDefinition
  ) -> GraphQLSampleArguments {
    let place = ObjectIdentifier(entry.below)
    if let known = arguments[place] { return known }
    let found = GraphQLSampleArguments(
      reader.arguments(of: entry.field, definition), of: definition, in: schema)
    arguments[place] = found
    return found
  }

  // MARK: - Values

  private mutating func value(
    _ type: GraphQLTypeReference, _ definition: GraphQLFieldDefinition,
    _ plan: GraphQLSelectionPlan, _ context: Context
  ) -> Value {
    var context = context
    context.depth += 1
    guard context.depth <= Self.depthLimit else {
      obstacle =
        obstacle
        ?? Obstacle(
          message: "the result would nest deeper than \(Self.depthLimit) objects and lists",
          help: "ask for less, or add an entry to \"responses\"")
      return .null
    }
    let type = type.nullable
    if case .list(let inner) = type {
      if let example = examples.example(of: definition, as: type, context.key) { return example }
      let identifiers = context.identifiers
      context.identifiers = []
      // Who asks for one object by its identifier does not mean a list of it.
      context.given = context.given.filtered { [given = context.given] in
        given[$0]?.type != "ID"
      }
      let count = identifiers.isEmpty ? context.count : identifiers.count
      context.count = Self.elementCount
      var elements: [Value] = []
      for index in 0..<count {
        remaining -= 1
        guard remaining > 0, obstacle == nil else { return .null }
        var below = context
        below.key.add("\n\(index)")
        if index < identifiers.count { below.given.add("id", identifiers[index]) }
        elements.append(value(inner, definition, plan, below))
      }
      return .list(elements)
    }
    guard let named = schema.type(of: type) else { return .null }
    guard named.isLeaf else { return object(named, plan, context) }
    return examples.example(of: definition, as: type, context.key)
      ?? examples.endOfPages(definition, named) ?? leaf(named, definition, context.key.value)
  }
}
