internal import Foundations

/// Schema texts (specification of October 2021, section 3).
extension GraphQLParser {
  private static let typeKinds: [String: GraphQLType.Kind] = [
    "scalar": .scalar, "type": .object, "interface": .interface, "union": .union,
    "enum": .enumeration, "input": .input,
  ]

  mutating func parseTypeSystem() throws(GraphQLSyntaxError) -> [GraphQLTypeSystemDefinition] {
    var definitions: [GraphQLTypeSystemDefinition] = []
    repeat { definitions.append(try parseDefinition()) } while token.content != .end
    return definitions
  }

  private mutating func parseDefinition() throws(GraphQLSyntaxError) -> GraphQLTypeSystemDefinition
  {
    let description = try takeDescription()
    let isExtension = description == nil ? try skipKeyword("extend") : false
    let location = token.location
    guard case .name(let keyword) = token.content else { throw unexpected("a definition") }
    let content: GraphQLTypeSystemDefinition.Content
    if let kind = Self.typeKinds[keyword] {
      try advance()
      content = .type(try parseType(kind, description, isExtension))
    } else if keyword == "schema" {
      try advance()
      content = .schema(try parseSchema(description, isExtension, location))
    } else if keyword == "directive", !isExtension {
      try advance()
      content = .directive(try parseDirectiveDefinition(description))
    } else {
      throw unexpected(
        isExtension
          ? "what is extended: schema, scalar, type, interface, union, enum or input"
          : "a definition: schema, scalar, type, interface, union, enum, input, directive or extend"
      )
    }
    return GraphQLTypeSystemDefinition(content: content, isExtension: isExtension)
  }

  private mutating func takeDescription() throws(GraphQLSyntaxError) -> String? {
    guard case .string(let text, _) = token.content else { return nil }
    try advance()
    return text
  }

  private mutating func parseSchema(
    _ description: String?, _ isExtension: Bool, _ location: GraphQLLocation
  ) throws(GraphQLSyntaxError) -> GraphQLSchemaDefinition {
    var schema = GraphQLSchemaDefinition(
      description: description, directives: try parseDirectives(isConstant: true), roots: [],
      location: location)
    let isOpen = token.content == .punctuator(UInt8(ascii: "{"))
    if isExtension, !isOpen, !schema.directives.isEmpty { return schema }
    try expect("{")
    repeat {
      guard case .name(let word) = token.content, let kind = GraphQLOperationKind(rawValue: word)
      else {
        throw unexpected("query, mutation or subscription")
      }
      try advance()
      try expect(":")
      schema.roots.append((kind, try takeName("a type")))
    } while try !skip("}")
    return schema
  }

  private mutating func parseType(
    _ kind: GraphQLType.Kind, _ description: String?, _ isExtension: Bool
  ) throws(GraphQLSyntaxError) -> GraphQLType {
    var type = GraphQLType(kind: kind, name: try takeName("a type"), description: description)
    if kind == .object || kind == .interface { type.interfaces = try parseInterfaces() }
    type.directives = try parseDirectives(isConstant: true)
    switch kind {
    case .scalar: break
    case .object, .interface: type.fields = try parseFields()
    case .union: type.members = try parseMembers()
    case .enumeration: type.values = try parseValues()
    case .input: type.inputFields = try parseInputValues("{", "}")
    }
    let isEmpty =
      type.interfaces.isEmpty && type.directives.isEmpty && type.fields.isEmpty
      && type.members.isEmpty && type.values.isEmpty && type.inputFields.isEmpty
    if isExtension, isEmpty { throw unexpected("what \"\(type.name.text)\" is extended by") }
    return type
  }

  private mutating func parseInterfaces() throws(GraphQLSyntaxError) -> [GraphQLName] {
    guard try skipKeyword("implements") else { return [] }
    _ = try skip("&")
    var names: [GraphQLName] = []
    repeat { names.append(try takeName("an interface")) } while try skip("&")
    return names
  }

  private mutating func parseMembers() throws(GraphQLSyntaxError) -> [GraphQLName] {
    guard try skip("=") else { return [] }
    _ = try skip("|")
    var names: [GraphQLName] = []
    repeat { names.append(try takeName("a type")) } while try skip("|")
    return names
  }

  private mutating func parseFields() throws(GraphQLSyntaxError) -> [GraphQLFieldDefinition] {
    guard try skip("{") else { return [] }
    var fields: [GraphQLFieldDefinition] = []
    repeat {
      let description = try takeDescription()
      let name = try takeName("a field")
      let arguments = try parseInputValues("(", ")")
      try expect(":")
      fields.append(
        GraphQLFieldDefinition(
          name: name, description: description, arguments: arguments, type: try parseType(),
          directives: try parseDirectives(isConstant: true)))
    } while try !skip("}")
    return fields
  }

  private mutating func parseValues() throws(GraphQLSyntaxError) -> [GraphQLEnumValue] {
    guard try skip("{") else { return [] }
    var values: [GraphQLEnumValue] = []
    repeat {
      let description = try takeDescription()
      if ["true", "false", "null"].contains(where: { token.content == .name($0) }) {
        throw unexpected("a value of the enum")
      }
      let name = try takeName("a value of the enum")
      values.append(
        GraphQLEnumValue(
          name: name, description: description, directives: try parseDirectives(isConstant: true)))
    } while try !skip("}")
    return values
  }

  private mutating func parseInputValues(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar
  ) throws(GraphQLSyntaxError) -> [GraphQLInputValue] {
    guard try skip(open) else { return [] }
    var values: [GraphQLInputValue] = []
    repeat {
      let description = try takeDescription()
      let name = try takeName(open == "(" ? "an argument" : "a field")
      try expect(":")
      let type = try parseType()
      let value = try skip("=") ? try parseValue(isConstant: true) : nil
      values.append(
        GraphQLInputValue(
          name: name, description: description, type: type, defaultValue: value,
          directives: try parseDirectives(isConstant: true)))
    } while try !skip(close)
    return values
  }

  private mutating func parseDirectiveDefinition(
    _ description: String?
  ) throws(GraphQLSyntaxError) -> GraphQLDirectiveDefinition {
    try expect("@")
    let name = try takeName("a directive")
    let arguments = try parseInputValues("(", ")")
    let isRepeatable = try skipKeyword("repeatable")
    guard try skipKeyword("on") else { throw unexpected("\"on\"") }
    _ = try skip("|")
    var places: [GraphQLName] = []
    repeat { places.append(try takeName("a place such as FIELD")) } while try skip("|")
    return GraphQLDirectiveDefinition(
      name: name, description: description, arguments: arguments, isRepeatable: isRepeatable,
      places: places)
  }
}
