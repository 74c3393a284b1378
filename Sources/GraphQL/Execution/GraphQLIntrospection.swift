internal import Foundations
internal import OrderedCollections

/// Answers `__schema` and `__type` (specification of October 2021, section 4).
struct GraphQLIntrospection {
  /// An object of the introspection types.
  private enum Node {
    case schema
    case type(GraphQLTypeReference)
    case field(GraphQLFieldDefinition)
    case input(GraphQLInputValue)
    case enumValue(GraphQLEnumValue)
    case directive(GraphQLDirectiveDefinition)

    var typeName: String {
      switch self {
      case .schema: "__Schema"
      case .type: "__Type"
      case .field: "__Field"
      case .input: "__InputValue"
      case .enumValue: "__EnumValue"
      case .directive: "__Directive"
      }
    }
  }

  private enum Answer {
    case leaf(Value)
    case node(Node)
    case nodes([Node])

    static let null = Answer.leaf(.null)

    static func text(_ text: String?) -> Answer {
      .leaf(text.map(Value.string) ?? .null)
    }
  }

  let reader: GraphQLSelectionReader
  /// The number of values that the answer may hold still.
  private(set) var remaining: Int

  init(reader: GraphQLSelectionReader, remaining: Int) {
    self.reader = reader
    self.remaining = remaining
  }

  private var schema: GraphQLSchema { reader.schema }

  /// The value of `__schema` or `__type`.
  mutating func value(
    of field: GraphQLField, _ definition: GraphQLFieldDefinition, _ plan: GraphQLSelectionPlan
  ) -> Value {
    guard field.name.text == "__type" else { return complete(.node(.schema), plan) }
    guard case .string(let name) = reader.arguments(of: field, definition)["name"],
      let type = schema.types[name]
    else {
      return .null
    }
    return complete(.node(.type(.named(type.name))), plan)
  }

  private mutating func complete(_ answer: Answer, _ plan: GraphQLSelectionPlan) -> Value {
    switch answer {
    case .leaf(let value): return value
    case .nodes(let nodes):
      var values: [Value] = []
      for node in nodes { values.append(complete(.node(node), plan)) }
      return .list(values)
    case .node(let node):
      guard remaining > 0, let type = schema.types[node.typeName] else { return .null }
      var members: OrderedDictionary<String, Value> = [:]
      for entry in plan.entries(of: type, &remaining) {
        remaining -= 1
        guard remaining > 0 else { return .null }
        guard entry.field.name.text != "__typename" else {
          members[entry.key] = .string(node.typeName)
          continue
        }
        guard let definition = entry.definition else { continue }
        let arguments = reader.arguments(of: entry.field, definition)
        let showsDeprecated = arguments["includeDeprecated"] == .bool(true)
        let found = self.answer(entry.field.name.text, of: node, showsDeprecated)
        members[entry.key] = complete(found, entry.below)
      }
      return .map(members)
    }
  }

  private func answer(_ field: String, of node: Node, _ showsDeprecated: Bool) -> Answer {
    switch node {
    case .schema: schemaAnswer(field)
    case .type(let reference): typeAnswer(field, reference, showsDeprecated)
    case .field(let definition):
      switch field {
      case "name": .text(definition.name.text)
      case "description": .text(definition.description)
      case "args": .nodes(inputs(definition.arguments, showsDeprecated))
      case "type": .node(.type(definition.type))
      default: deprecation(field, definition.directives)
      }
    case .input(let input):
      switch field {
      case "name": .text(input.name.text)
      case "description": .text(input.description)
      case "type": .node(.type(input.type))
      case "defaultValue": .text(input.defaultValue?.text)
      default: deprecation(field, input.directives)
      }
    case .enumValue(let value):
      switch field {
      case "name": .text(value.name.text)
      case "description": .text(value.description)
      default: deprecation(field, value.directives)
      }
    case .directive(let directive):
      switch field {
      case "name": .text(directive.name.text)
      case "description": .text(directive.description)
      case "locations": .leaf(.list(directive.places.map { .string($0.text) }))
      case "args": .nodes(inputs(directive.arguments, showsDeprecated))
      case "isRepeatable": .leaf(.bool(directive.isRepeatable))
      default: .null
      }
    }
  }

  private func schemaAnswer(_ field: String) -> Answer {
    switch field {
    case "description": .text(schema.description)
    case "types": .nodes(schema.typeNames.compactMap(named))
    case "queryType": schema.roots[.query].flatMap(named).map(Answer.node) ?? .null
    case "mutationType": schema.roots[.mutation].flatMap(named).map(Answer.node) ?? .null
    case "subscriptionType": schema.roots[.subscription].flatMap(named).map(Answer.node) ?? .null
    case "directives":
      .nodes(schema.directiveNames.compactMap { schema.directives[$0] }.map(Node.directive))
    default: .null
    }
  }

  private func named(_ name: String) -> Node? {
    schema.types[name].map { .type(.named($0.name)) }
  }

  private func typeAnswer(
    _ field: String, _ reference: GraphQLTypeReference, _ showsDeprecated: Bool
  ) -> Answer {
    let name: GraphQLName
    switch reference {
    case .nonNull(let inner): return wrapped(field, "NON_NULL", inner)
    case .list(let inner): return wrapped(field, "LIST", inner)
    case .named(let found): name = found
    }
    guard let type = schema.types[name.text] else { return .null }
    switch field {
    case "kind": return .text(type.kind.introspectionName)
    case "name": return .text(type.name.text)
    case "description": return .text(type.description)
    case "specifiedByURL":
      return .text(type.directives.first { $0.name.text == "specifiedBy" }?.text(of: "url"))
    case "fields" where type.kind == .object || type.kind == .interface:
      let shown = type.fields.filter { showsDeprecated || !$0.directives.isDeprecated }
      return .nodes(shown.map(Node.field))
    case "interfaces" where type.kind == .object || type.kind == .interface:
      return .nodes(type.interfaces.compactMap { named($0.text) })
    case "possibleTypes" where type.isAbstract:
      return .nodes(schema.possibleTypes(of: type).compactMap(named))
    case "enumValues" where type.kind == .enumeration:
      let shown = type.values.filter { showsDeprecated || !$0.directives.isDeprecated }
      return .nodes(shown.map(Node.enumValue))
    case "inputFields" where type.kind == .input:
      return .nodes(inputs(type.inputFields, showsDeprecated))
    default: return .null
    }
  }

  private func wrapped(_ field: String, _ kind: String, _ inner: GraphQLTypeReference) -> Answer {
    switch field {
    case "kind": .text(kind)
    case "ofType": .node(.type(inner))
    default: .null
    }
  }

  private func inputs(_ values: [GraphQLInputValue], _ showsDeprecated: Bool) -> [Node] {
    values.filter { showsDeprecated || !$0.directives.isDeprecated }.map(Node.input)
  }

  private func deprecation(_ field: String, _ directives: [GraphQLDirective]) -> Answer {
    switch field {
    case "isDeprecated": return .leaf(.bool(directives.isDeprecated))
    case "deprecationReason":
      guard let directive = directives.first(where: { $0.name.text == "deprecated" }) else {
        return .null
      }
      return .text(directive.text(of: "reason") ?? "No longer supported")
    default: return .null
    }
  }
}

extension [GraphQLDirective] {
  /// True if `@deprecated` is among them.
  package var isDeprecated: Bool { contains { $0.name.text == "deprecated" } }
}

extension GraphQLDirective {
  fileprivate func text(of argument: String) -> String? {
    guard
      case .string(let text, _)? = arguments.first(where: { $0.name.text == argument })?.value
        .content
    else {
      return nil
    }
    return text
  }
}

extension GraphQLType.Kind {
  fileprivate var introspectionName: String {
    switch self {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enumeration: "ENUM"
    case .input: "INPUT_OBJECT"
    }
  }
}
