package import Foundations
internal import OrderedCollections

extension GraphQLOperation {
  /// The variables with defaults filled in, or what is wrong with them (specification of October
  /// 2021, section 6.1.2).
  package func coerce(
    _ variables: Value, in schema: GraphQLSchema
  ) -> (values: [String: Value], errors: [GraphQLError]) {
    var check = GraphQLVariableCheck(schema: schema)
    var values: [String: Value] = [:]
    var given: OrderedDictionary<String, Value> = [:]
    if case .map(let members) = variables { given = members }
    for variable in self.variables {
      let name = variable.name.text
      guard let value = given[name] else {
        if let literal = variable.defaultValue {
          values[name] = literal.value(with: [:])
        } else if variable.type.isNonNull {
          check.fail(
            "Variable \"$\(name)\" of required type \"\(variable.type.text)\" was not provided.",
            variable)
        }
        continue
      }
      if value == .null, variable.type.isNonNull {
        check.fail(
          "Variable \"$\(name)\" of non-null type \"\(variable.type.text)\" must not be null.",
          variable)
        continue
      }
      check.check(value, variable.type, [], variable)
      values[name] = value
    }
    return (values, check.errors)
  }
}

extension GraphQLValue {
  /// The literal as data; a variable without a value is `nil`.
  package func value(with variables: [String: Value]) -> Value? {
    switch content {
    case .variable(let name): return variables[name]
    case .integer(let text): return Int64(text).map(Value.integer) ?? Double(text).map(Value.number)
    case .float(let text): return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .string(let text, _), .enumeration(let text): return .string(text)
    case .boolean(let flag): return .bool(flag)
    case .null: return .null
    case .list(let elements): return .list(elements.map { $0.value(with: variables) ?? .null })
    case .object(let fields):
      var members: OrderedDictionary<String, Value> = [:]
      for field in fields { members[field.name.text] = field.value.value(with: variables) }
      return .map(members)
    }
  }
}

/// Compares the values of variables with their types (specification of October 2021, section 3).
private struct GraphQLVariableCheck {
  let schema: GraphQLSchema
  private(set) var errors: [GraphQLError] = []

  init(schema: GraphQLSchema) {
    self.schema = schema
  }

  mutating func fail(_ message: String, _ variable: GraphQLVariableDefinition) {
    guard errors.count < GraphQLLimits.errors else { return }
    errors.append(
      GraphQLError(message, at: [variable.name.location], code: "BAD_USER_INPUT"))
  }

  mutating func check(
    _ value: Value, _ type: GraphQLTypeReference, _ path: [PathStep],
    _ variable: GraphQLVariableDefinition
  ) {
    switch type {
    case .nonNull(let inner):
      guard value != .null else {
        return fail(
          value, "Expected non-nullable type \"\(type.text)\" not to be null.", path, variable)
      }
      check(value, inner, path, variable)
    case .list(let inner):
      guard value != .null else { return }
      guard case .list(let elements) = value else { return check(value, inner, path, variable) }
      for (index, element) in elements.enumerated() {
        check(element, inner, path + [.index(index)], variable)
      }
    case .named(let name):
      guard value != .null, let named = schema.types[name.text] else { return }
      checkNamed(value, named, path, variable)
    }
  }

  private mutating func checkNamed(
    _ value: Value, _ type: GraphQLType, _ path: [PathStep], _ variable: GraphQLVariableDefinition
  ) {
    switch type.kind {
    case .scalar:
      if let problem = Self.scalarProblem(value, type.name.text) {
        fail(value, problem, path, variable)
      }
    case .enumeration:
      guard case .string(let name) = value else {
        let text = value.jsonText()
        return fail(
          value, "Enum \"\(type.name.text)\" cannot represent non-string value: \(text).", path,
          variable)
      }
      if let problem = GraphQLLiteralCheck.enumError(name, type) {
        fail(value, problem, path, variable)
      }
    case .input:
      guard case .map(let members) = value else {
        return fail(
          value, "Expected type \"\(type.name.text)\" to be an object.", path, variable)
      }
      for (key, member) in members {
        guard let field = type.inputFields.first(where: { $0.name.text == key }) else {
          fail(value, GraphQLLiteralCheck.unknownField(key, of: type), path, variable)
          continue
        }
        check(member, field.type, path + [.key(key)], variable)
      }
      for field in type.inputFields where field.isRequired && members[field.name.text] == nil {
        fail(value, GraphQLLiteralCheck.missingField(field, of: type), path, variable)
      }
    case .object, .interface, .union: break
    }
  }

  private mutating func fail(
    _ value: Value, _ problem: String, _ path: [PathStep], _ variable: GraphQLVariableDefinition
  ) {
    let name = variable.name.text
    let place = path.isEmpty ? "" : " at \"\(name)\(path.map(\.placeText).joined())\""
    fail(
      "Variable \"$\(name)\" got invalid value \(value.jsonText().prefix(200))\(place); \(problem)",
      variable)
  }

  private static func scalarProblem(_ value: Value, _ name: String) -> String? {
    let text = value.jsonText().prefix(200)
    switch (name, value) {
    case ("Int", .integer(let integer)):
      return Int32(exactly: integer) == nil
        ? "Int cannot represent non 32-bit signed integer value: \(text)" : nil
    case ("Int", .number(let number)) where Int32(exactly: number) != nil: return nil
    case ("Int", _): return "Int cannot represent non-integer value: \(text)"
    case ("Float", .integer), ("Float", .number): return nil
    case ("Float", _): return "Float cannot represent non numeric value: \(text)"
    case ("String", .string): return nil
    case ("String", _): return "String cannot represent a non string value: \(text)"
    case ("Boolean", .bool): return nil
    case ("Boolean", _): return "Boolean cannot represent a non boolean value: \(text)"
    case ("ID", .string), ("ID", .integer): return nil
    case ("ID", _): return "ID cannot represent value: \(text)"
    default: return nil
    }
  }
}
