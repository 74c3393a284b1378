internal import Foundations

/// The check whether a literal is allowed where a type is expected (specification of October 2021,
/// section 5.6.1).
struct GraphQLLiteralCheck {
  let schema: GraphQLSchema

  /// Finds what does not fit; variables are left to the rule about their usages.
  func errors(_ literal: GraphQLValue, _ type: GraphQLTypeReference) -> [GraphQLError] {
    if case .variable = literal.content { return [] }
    switch type {
    case .nonNull(let inner):
      guard literal.content != .null else {
        return [failure("Expected value of type \"\(type.text)\", found null.", literal)]
      }
      return errors(literal, inner)
    case .list(let inner):
      guard literal.content != .null else { return [] }
      guard case .list(let elements) = literal.content else { return errors(literal, inner) }
      return elements.flatMap { errors($0, inner) }
    case .named(let name):
      guard literal.content != .null, let named = schema.types[name.text] else { return [] }
      switch named.kind {
      case .scalar:
        return scalarError(literal, named.name.text).map { [failure($0, literal)] }
          ?? repeatedFields(literal)
      case .enumeration: return enumError(literal, named).map { [failure($0, literal)] } ?? []
      case .input: return inputErrors(literal, named)
      case .object, .interface, .union: return []
      }
    }
  }

  private func failure(_ message: String, _ literal: GraphQLValue) -> GraphQLError {
    GraphQLError(message, at: [literal.location])
  }

  private func scalarError(_ literal: GraphQLValue, _ name: String) -> String? {
    let text = literal.text
    switch (name, literal.content) {
    case ("Int", .integer(let digits)):
      return Int32(digits) == nil
        ? "Int cannot represent non 32-bit signed integer value: \(digits)" : nil
    case ("Int", _): return "Int cannot represent non-integer value: \(text)"
    case ("Float", .integer), ("Float", .float): return nil
    case ("Float", _): return "Float cannot represent non numeric value: \(text)"
    case ("String", .string): return nil
    case ("String", _): return "String cannot represent a non string value: \(text)"
    case ("Boolean", .boolean): return nil
    case ("Boolean", _): return "Boolean cannot represent a non boolean value: \(text)"
    case ("ID", .string), ("ID", .integer): return nil
    case ("ID", _): return "ID cannot represent a non-string and non-integer value: \(text)"
    default: return nil
    }
  }

  /// Section 5.6.3 holds for objects of which no type is known, too.
  private func repeatedFields(_ literal: GraphQLValue) -> [GraphQLError] {
    switch literal.content {
    case .list(let elements): return elements.flatMap(repeatedFields)
    case .object(let fields):
      var seen: Set<String> = []
      return fields.flatMap { field in
        let name = field.name.text
        guard seen.insert(name).inserted else {
          return [
            GraphQLError(
              "There can be only one input field named \"\(name)\".", at: [field.name.location])
          ]
        }
        return repeatedFields(field.value)
      }
    default: return []
    }
  }

  private func enumError(_ literal: GraphQLValue, _ type: GraphQLType) -> String? {
    guard case .enumeration(let value) = literal.content else {
      return "Enum \"\(type.name.text)\" cannot represent non-enum value: \(literal.text)."
    }
    return Self.enumError(value, type)
  }

  /// Returns the error of a name that is no value of an enum; `nil` if it is one.
  static func enumError(_ value: String, _ type: GraphQLType) -> String? {
    let names = type.values.map(\.name.text)
    guard !names.contains(value) else { return nil }
    let hint = Suggestion.closest(to: value, in: names).map {
      " Did you mean the enum value \"\($0)\"?"
    }
    return "Value \"\(value)\" does not exist in \"\(type.name.text)\" enum.\(hint ?? "")"
  }

  private func inputErrors(_ literal: GraphQLValue, _ type: GraphQLType) -> [GraphQLError] {
    guard case .object(let fields) = literal.content else {
      return [
        failure("Expected value of type \"\(type.name.text)\", found \(literal.text).", literal)
      ]
    }
    var errors: [GraphQLError] = []
    var seen: Set<String> = []
    for field in fields {
      let name = field.name.text
      guard seen.insert(name).inserted else {
        errors.append(
          GraphQLError(
            "There can be only one input field named \"\(name)\".", at: [field.name.location]))
        continue
      }
      guard let wanted = type.inputFields.first(where: { $0.name.text == name }) else {
        errors.append(
          GraphQLError(Self.unknownField(name, of: type), at: [field.name.location]))
        continue
      }
      errors += self.errors(field.value, wanted.type)
    }
    for wanted in type.inputFields where wanted.isRequired && !seen.contains(wanted.name.text) {
      errors.append(failure(Self.missingField(wanted, of: type), literal))
    }
    return errors
  }

  static func unknownField(_ name: String, of type: GraphQLType) -> String {
    let hint = Suggestion.closest(to: name, in: type.inputFields.map(\.name.text)).map {
      " Did you mean \"\($0)\"?"
    }
    return "Field \"\(name)\" is not defined by type \"\(type.name.text)\".\(hint ?? "")"
  }

  static func missingField(_ field: GraphQLInputValue, of type: GraphQLType) -> String {
    """
    Field "\(type.name.text).\(field.name.text)" of required type "\(field.type.text)" was not \
    provided.
    """
  }
}
