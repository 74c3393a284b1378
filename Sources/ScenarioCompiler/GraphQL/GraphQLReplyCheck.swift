internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import ScenarioModel
internal import ScenarioPlan

/// Compares the data of a reply with a schema before anything runs, with the places of what is wrong.
///
/// The selection of a request is not known yet, unless the entry has a document: missing fields are found
/// then, too.
struct GraphQLReplyCheck {
  let schema: GraphQLSchema
  private(set) var diagnostics: [Diagnostic] = []
  private let aliases: Set<String>

  init(schema: GraphQLSchema, document: GraphQLDocument?) {
    self.schema = schema
    var aliases: Set<String> = []
    for selections in (document?.operations.map(\.selections) ?? [])
      + (document?.fragments.map(\.selections) ?? [])
    {
      Self.collectAliases(selections, &aliases)
    }
    self.aliases = aliases
  }

  private static func collectAliases(_ selections: [GraphQLSelection], _ aliases: inout Set<String>)
  {
    for selection in selections {
      switch selection {
      case .field(let field):
        if let alias = field.alias { aliases.insert(alias.text) }
        collectAliases(field.selections, &aliases)
      case .inline(let inline): collectAliases(inline.selections, &aliases)
      case .spread: break
      }
    }
  }

  /// Compares data with the object that it should be.
  mutating func check(_ data: PlannedData, _ node: DataNode, _ type: GraphQLType) {
    check(data, node, node.range, named: type)
  }

  /// Makes the reply as a request with the entry's document would have it made.
  ///
  /// A field that depends on variables that are not known, or that comes later, may be missing.
  mutating func project(
    _ data: PlannedData, _ node: DataNode, _ document: GraphQLDocument,
    _ operation: GraphQLOperation, _ variables: [String: Value]
  ) {
    guard let value = data.literal else { return }
    let projection = GraphQLProjection(
      schema: schema, document: document, operation: operation, variables: variables,
      isPartial: true)
    for problem in projection.project(value).problems {
      report(problem.message, at: node.range(of: problem.path), help: problem.help)
    }
  }

  private mutating func report(_ message: String, at range: SourceRange, help: String?) {
    diagnostics.append(Diagnostic(message, code: .badGraphQLReply, at: range, help: help))
  }

  // MARK: - Types

  /// - Parameter node: what the author wrote; `nil` below what a factory made.
  private mutating func check(
    _ data: PlannedData, _ node: DataNode?, _ range: SourceRange, _ type: GraphQLTypeReference
  ) {
    switch type {
    case .nonNull(let inner):
      guard data != .value(.null) else {
        return report("null cannot be a \(type.text)", at: range, help: "write a value")
      }
      check(data, node, range, inner)
    case .list(let inner):
      if data == .value(.null) { return }
      if case .text = data { return }
      guard let elements = data.elements else {
        return report(
          "expected a list \(type.text), got \(data.described)", at: range, help: "write [ … ]")
      }
      let nodes = node?.elements
      for (index, element) in elements.enumerated() {
        let below = nodes.flatMap { index < $0.count ? $0[index] : nil }
        check(element, below, below?.range ?? range, inner)
      }
    case .named(let name):
      guard data != .value(.null), let named = schema.types[name.text] else { return }
      check(data, node, range, named: named)
    }
  }

  private mutating func check(
    _ data: PlannedData, _ node: DataNode?, _ range: SourceRange, named type: GraphQLType
  ) {
    // What only the run knows is compared by the run.
    if case .text = data { return }
    if data == .value(.null) { return }
    guard !type.isLeaf else {
      guard let value = data.literal,
        case .failure(let problem) = GraphQLLeaf.serialize(value, type)
      else {
        return
      }
      return report(problem.message, at: range, help: problem.help)
    }
    guard let members = data.members else {
      return report(
        "expected a \(type.name.text), got \(data.described)", at: range,
        help: "write a map of its fields")
    }
    let types = concreteTypes(members, node, range, type)
    for (key, value) in members where key != "__typename" {
      let field = node?.field(key)
      let place = field?.value.range ?? range
      let found = types.lazy.compactMap { $0.field(key) }.first
      guard let found else {
        // An alias may stand for any field: only the request tells.
        if !aliases.contains(key), !key.hasPrefix("__") {
          reportUnknown(key, types, type, at: field?.key.range ?? range)
        }
        continue
      }
      // Several types may have the field, each with a type of its own.
      guard types.allSatisfy({ $0.field(key).map { $0.type.text == found.type.text } ?? true })
      else {
        continue
      }
      check(value, field?.value, place, found.type)
    }
  }

  /// The types that an object may be: one, if it says so.
  private mutating func concreteTypes(
    _ members: OrderedDictionary<String, PlannedData>, _ node: DataNode?, _ range: SourceRange,
    _ type: GraphQLType
  ) -> [GraphQLType] {
    let possible = schema.possibleTypes(of: type)
    guard case .value(.string(let name))? = members["__typename"] else {
      return possible.compactMap { schema.types[$0] }
    }
    guard possible.contains(name), let found = schema.types[name] else {
      report(
        "\"\(name)\" is not a type of \(type.name.text)",
        at: node?.field("__typename")?.value.range ?? range,
        help: Suggestion.help(for: name, in: possible, label: "types"))
      return []
    }
    return [found]
  }

  private mutating func reportUnknown(
    _ key: String, _ types: [GraphQLType], _ type: GraphQLType, at range: SourceRange
  ) {
    guard !types.isEmpty else { return }
    let names = Set(types.flatMap { $0.fields.map(\.name.text) })
    let owner = types.count == 1 ? types[0].name.text : type.name.text
    report(
      "\"\(key)\" is not a field of \(owner)", at: range,
      help: Suggestion.help(for: key, in: names, label: "fields")
        + "; to use aliases of the operation, add its \"document:\" to the entry")
  }
}

extension DataNode {
  /// The place of what a path leads to, or of the last that is there.
  func range(of path: [PathStep]) -> SourceRange {
    var node = self
    for step in path {
      switch step {
      case .key(let key):
        guard let field = node.field(key) else { return node.range }
        node = field.value
      case .index(let index):
        guard let elements = node.elements, elements.indices.contains(index) else {
          return node.range
        }
        node = elements[index]
      }
    }
    return node.range
  }

  var elements: [DataNode]? {
    if case .list(let nodes) = content { nodes } else { nil }
  }
}

extension PlannedData {
  var elements: [PlannedData]? {
    switch self {
    case .value(.list(let values)): values.map(PlannedData.value)
    case .list(let elements): elements
    case .value, .text, .map: nil
    }
  }

  var members: OrderedDictionary<String, PlannedData>? {
    switch self {
    case .value(.map(let members)): members.mapValues(PlannedData.value)
    case .map(let members): members
    case .value, .text, .list: nil
    }
  }

  fileprivate var described: String {
    switch self {
    case .value(let value): value.kindWithArticle
    case .text: "text"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
