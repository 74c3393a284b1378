internal import Foundations

/// Puts definitions and extensions together, and gathers every problem.
struct GraphQLSchemaBuilder {
  var schema = GraphQLSchema()
  private(set) var problems: [GraphQLSchema.Problem] = []
  private var schemaDefinition: GraphQLSchemaDefinition?
  private var rootLocations: [GraphQLOperationKind: GraphQLName] = [:]
  private var builtInNames: Set<String> = []

  mutating func report(_ message: String, at location: GraphQLLocation, help: String? = nil) {
    problems.append(.init(message: message, location: location, help: help))
  }

  /// The scalars, directives and introspection types of the language.
  mutating func addBuiltIns() {
    guard var parser = try? GraphQLParser(GraphQLBuiltIns.text),
      let definitions = try? parser.parseTypeSystem()
    else {
      return
    }
    for definition in definitions {
      switch definition.content {
      case .type(let type):
        schema.types[type.name.text] = type
        builtInNames.insert(type.name.text)
      case .directive(let directive):
        schema.directives[directive.name.text] = directive
        schema.directiveNames.append(directive.name.text)
      case .schema: break
      }
    }
  }

  // MARK: - Definitions

  /// Adds the definitions, then the extensions, whatever their order.
  mutating func add(_ definitions: [GraphQLTypeSystemDefinition]) {
    for definition in definitions where !definition.isExtension {
      switch definition.content {
      case .schema(let schema): add(schema)
      case .type(let type): add(type)
      case .directive(let directive): add(directive)
      }
    }
    for definition in definitions where definition.isExtension {
      switch definition.content {
      case .schema(let extra):
        schemaDefinition?.directives += extra.directives
        addRoots(extra)
      case .type(let type): extend(type)
      case .directive: break
      }
    }
  }

  private mutating func add(_ definition: GraphQLSchemaDefinition) {
    guard schemaDefinition == nil else {
      return report(
        "\"schema\" is defined twice", at: definition.location, help: "keep one of them")
    }
    schemaDefinition = definition
    schema.description = definition.description
    addRoots(definition)
  }

  private mutating func addRoots(_ definition: GraphQLSchemaDefinition) {
    for root in definition.roots {
      guard schema.roots[root.kind] == nil else {
        report("\"\(root.kind.rawValue)\" is defined twice in \"schema\"", at: root.name.location)
        continue
      }
      schema.roots[root.kind] = root.name.text
      rootLocations[root.kind] = root.name
    }
  }

  private mutating func add(_ type: GraphQLType) {
    let name = type.name.text
    if let other = schema.types[name] {
      // Many tools write the scalars of the language out.
      if builtInNames.contains(name) {
        if type.kind != .scalar {
          report(
            "the type \"\(name)\" belongs to the language", at: type.name.location,
            help: "call it otherwise")
        }
        return
      }
      report(
        "the type \"\(name)\" is defined twice", at: type.name.location,
        help: "the other one is in line \(other.name.location.line); write \"extend\" to add to it")
      return
    }
    schema.types[name] = type
    schema.typeNames.append(name)
  }

  private mutating func add(_ directive: GraphQLDirectiveDefinition) {
    let name = directive.name.text
    if schema.directives[name] != nil {
      guard !GraphQLBuiltIns.directiveNames.contains(name) else { return }
      return report("the directive \"@\(name)\" is defined twice", at: directive.name.location)
    }
    schema.directives[name] = directive
    schema.directiveNames.append(name)
  }

  private mutating func extend(_ extra: GraphQLType) {
    let name = extra.name.text
    guard var type = schema.types[name], !builtInNames.contains(name) else {
      return report(
        "there is no type \"\(name)\" to extend", at: extra.name.location,
        help: Suggestion.help(for: name, in: schema.typeNames, label: "types"))
    }
    guard type.kind == extra.kind else {
      return report(
        "\"\(name)\" is \(type.kindWithArticle), not \(extra.kindWithArticle)",
        at: extra.name.location, help: "write \"extend \(type.kind.keyword) \(name)\"")
    }
    type.interfaces += extra.interfaces
    type.fields += extra.fields
    type.members += extra.members
    type.values += extra.values
    type.inputFields += extra.inputFields
    type.directives += extra.directives
    schema.types[name] = type
  }

  // MARK: - The end

  /// The schema, and every problem in the order of the text.
  mutating func finish() -> (GraphQLSchema, [GraphQLSchema.Problem]) {
    findRoots()
    findPossibleTypes()
    for name in schema.typeNames {
      if let type = schema.types[name] { check(type) }
    }
    checkInputCycles()
    for directive in schema.directives.values
    where !GraphQLBuiltIns.directiveNames.contains(directive.name.text) {
      check(directive)
    }
    if let schemaDefinition { checkUses(schemaDefinition.directives, "SCHEMA") }
    schema.typeNames += builtInNames.sorted()
    prepareLookups()
    let sorted = problems.sorted {
      ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
    }
    return (schema, sorted)
  }

  /// Section 3.3.1: without `schema`, the names Query, Mutation and Subscription say it.
  ///
  /// Many tools extend a schema that is defined in no other way.
  private mutating func findRoots() {
    if schemaDefinition == nil {
      for kind in GraphQLOperationKind.allCases where schema.roots[kind] == nil {
        let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        if schema.types[name] != nil { schema.roots[kind] = name }
      }
    }
    for (kind, name) in rootLocations {
      guard let type = schema.types[name.text] else {
        reportUnknownType(name)
        continue
      }
      if type.kind != .object {
        report(
          "the \(kind.rawValue) type \"\(name.text)\" is \(type.kindWithArticle), not a type",
          at: name.location)
      }
    }
    for kind in GraphQLOperationKind.allCases {
      let others = GraphQLOperationKind.allCases.prefix { $0 != kind }
      guard let name = rootLocations[kind],
        let other = others.first(where: { schema.roots[$0] == name.text })
      else {
        continue
      }
      report(
        "\"\(name.text)\" is the \(other.rawValue) type and the \(kind.rawValue) type",
        at: name.location, help: "define a type for each")
    }
    if schema.roots[.query] == nil {
      report(
        "the schema has no query type", at: schemaDefinition?.location ?? .init(line: 1, column: 1),
        help: "add \"type Query { … }\", or name another one in \"schema { query: … }\"")
    }
  }

  private mutating func findPossibleTypes() {
    for name in schema.typeNames {
      guard let type = schema.types[name] else { continue }
      if type.kind == .union { schema.possibleTypes[name] = type.members.map(\.text) }
      guard type.kind == .object else { continue }
      for interface in type.interfaces {
        schema.possibleTypes[interface.text, default: []].append(name)
      }
    }
  }

  /// Prepares the most frequent lookups, once nothing changes any more.
  private mutating func prepareLookups() {
    for name in schema.typeNames {
      guard let fields = schema.types[name]?.fields, !fields.isEmpty else { continue }
      schema.types[name]?.fieldPositions = Dictionary(
        fields.enumerated().map { ($1.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    }
    schema.possibleTypeSets = schema.possibleTypes.mapValues { Set($0) }
  }

  mutating func reportUnknownType(_ name: GraphQLName) {
    let known = schema.typeNames + GraphQLBuiltIns.scalars
    report(
      "there is no type \"\(name.text)\"", at: name.location,
      help: Suggestion.question(for: name.text, in: known)
        ?? "define it, as in \"type \(name.text) { … }\" or \"scalar \(name.text)\"")
  }
}

extension GraphQLType.Kind {
  /// The word that begins a definition.
  var keyword: String { self == .object ? "type" : rawValue }
}
