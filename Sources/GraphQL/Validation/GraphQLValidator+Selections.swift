internal import Foundations

/// Fields, arguments, directives and spreads (specification of October 2021, sections 5.3 to 5.7).
extension GraphQLValidator {
  /// - Parameter type: `nil` where it is not known: fields cannot be judged there, all else can.
  mutating func check(_ selections: [GraphQLSelection], on type: GraphQLType?) {
    guard !selections.isEmpty else { return }
    depth += 1
    defer { depth -= 1 }
    summary.depth = max(summary.depth, depth)
    for selection in selections where !isFull {
      switch selection {
      case .field(let field): check(field, on: type)
      case .spread(let spread): check(spread, on: type)
      case .inline(let inline): check(inline, on: type)
      }
    }
  }

  private mutating func check(_ field: GraphQLField, on type: GraphQLType?) {
    checkDirectives(field.directives, "FIELD")
    guard let type, let definition = schema.field(field.name.text, of: type) else {
      record(field.arguments)
      if let type { report(unknownField(field.name.text, on: type), at: field.location) }
      return check(field.selections, on: nil)
    }
    checkArguments(
      field.arguments, definition.arguments,
      "field \"\(type.name.text).\(field.name.text)\"", "Field \"\(field.name.text)\"",
      at: field.location)
    guard let result = schema.type(of: definition.type) else { return }
    let typeText = definition.type.text
    if result.isLeaf {
      guard !field.selections.isEmpty else { return }
      check(field.selections, on: nil)
      report(
        """
        Field "\(field.name.text)" must not have a selection since type "\(typeText)" has no \
        subfields.
        """,
        at: field.selectionsLocation ?? field.location)
    } else if field.selections.isEmpty {
      report(
        """
        Field "\(field.name.text)" of type "\(typeText)" must have a selection of subfields. Did \
        you mean "\(field.name.text) { ... }"?
        """,
        at: field.location)
    } else {
      check(field.selections, on: result)
    }
  }

  private func unknownField(_ name: String, on type: GraphQLType) -> String {
    let message = "Cannot query field \"\(name)\" on type \"\(type.name.text)\"."
    let owners = schema.possibleTypes(of: type).filter { schema.types[$0]?.field(name) != nil }
    if type.isAbstract, !owners.isEmpty {
      let list = owners.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
      return message + " Did you mean to use an inline fragment on \(list)?"
    }
    return message
      + (Suggestion.closest(to: name, in: type.fields.map(\.name.text)).map {
        " Did you mean \"\($0)\"?"
      } ?? "")
  }

  private mutating func check(_ spread: GraphQLSpread, on type: GraphQLType?) {
    checkDirectives(spread.directives, "FRAGMENT_SPREAD")
    guard let fragment = fragments[spread.name.text] else {
      return report("Unknown fragment \"\(spread.name.text)\".", at: spread.name.location)
    }
    summary.spreads.append(spread)
    summary.spreadDepths[spread.name.text] = max(depth, summary.spreadDepths[spread.name.text] ?? 0)
    guard let type, let condition = schema.types[fragment.condition.text], condition.isOutput,
      !condition.isLeaf, !schema.overlap(type, condition)
    else {
      return
    }
    report(
      """
      Fragment "\(spread.name.text)" cannot be spread here as objects of type \
      "\(type.name.text)" can never be of type "\(condition.name.text)".
      """,
      at: spread.location)
  }

  private mutating func check(_ inline: GraphQLInlineFragment, on type: GraphQLType?) {
    checkDirectives(inline.directives, "INLINE_FRAGMENT")
    guard let name = inline.condition else { return check(inline.selections, on: type) }
    let condition = checkCondition(name, "Fragment")
    if let type, let condition, !schema.overlap(type, condition) {
      report(
        """
        Fragment cannot be spread here as objects of type "\(type.name.text)" can never be of \
        type "\(name.text)".
        """,
        at: inline.location)
    }
    check(inline.selections, on: condition)
  }

  // MARK: - Arguments

  private mutating func checkArguments(
    _ arguments: [GraphQLArgument], _ definitions: [GraphQLInputValue], _ owner: String,
    _ subject: String, at location: GraphQLLocation
  ) {
    reportRepeated(arguments.map(\.name), "argument")
    let seen = Set(arguments.map(\.name.text))
    for argument in arguments {
      let name = argument.name.text
      guard let definition = definitions.first(where: { $0.name.text == name }) else {
        let hint = Suggestion.closest(to: name, in: definitions.map(\.name.text)).map {
          " Did you mean \"\($0)\"?"
        }
        report(
          "Unknown argument \"\(name)\" on \(owner).\(hint ?? "")", at: argument.name.location)
        record(argument.value, nil, hasDefault: false)
        continue
      }
      append(GraphQLLiteralCheck(schema: schema).errors(argument.value, definition.type))
      record(argument.value, definition.type, hasDefault: definition.defaultValue != nil)
    }
    for definition in definitions
    where definition.isRequired && !seen.contains(definition.name.text) {
      report(
        """
        \(subject) argument "\(definition.name.text)" of type "\(definition.type.text)" is \
        required, but it was not provided.
        """,
        at: location)
    }
  }

  mutating func checkDirectives(_ directives: [GraphQLDirective], _ place: String) {
    var seen: [String: GraphQLLocation] = [:]
    for directive in directives {
      let name = directive.name.text
      guard let definition = schema.directives[name] else {
        report("Unknown directive \"@\(name)\".", at: directive.location)
        record(directive.arguments)
        continue
      }
      if !definition.places.contains(where: { $0.text == place }) {
        report("Directive \"@\(name)\" may not be used on \(place).", at: directive.location)
      }
      if let first = seen[name], !definition.isRepeatable {
        report(
          "The directive \"@\(name)\" can only be used once at this location.",
          at: first, directive.location)
      }
      seen[name] = directive.location
      checkArguments(
        directive.arguments, definition.arguments, "directive \"@\(name)\"",
        "Directive \"@\(name)\"", at: directive.location)
    }
  }

  // MARK: - Variables

  private mutating func record(_ arguments: [GraphQLArgument]) {
    for argument in arguments { record(argument.value, nil, hasDefault: false) }
  }

  /// Writes down the variables of a value; `type` is `nil` where nothing is known.
  private mutating func record(
    _ value: GraphQLValue, _ type: GraphQLTypeReference?, hasDefault: Bool
  ) {
    switch value.content {
    case .variable(let name):
      summary.usages.append(
        Usage(name: name, location: value.location, type: type, hasDefault: hasDefault))
    case .list(let elements):
      var inner: GraphQLTypeReference?
      if case .list(let type)? = type?.nullable { inner = type }
      for element in elements { record(element, inner, hasDefault: false) }
    case .object(let fields):
      let object = type.flatMap { schema.type(of: $0) }
      for field in fields {
        let definition = object?.inputFields.first { $0.name.text == field.name.text }
        record(field.value, definition?.type, hasDefault: definition?.defaultValue != nil)
      }
    case .integer, .float, .string, .boolean, .null, .enumeration:
      break
    }
  }

  mutating func checkVariableDefinitions(_ operation: GraphQLOperation) {
    // This rule alone points behind the "$".
    let names = operation.variables.map { variable in
      var name = variable.name
      name.location.column += 1
      return name
    }
    reportRepeated(names, "variable", prefix: "$")
    for variable in operation.variables {
      checkDirectives(variable.directives, "VARIABLE_DEFINITION")
      let name = variable.name.text
      guard let type = schema.type(of: variable.type) else {
        let hint = Suggestion.closest(to: variable.type.name.text, in: schema.typeNames).map {
          " Did you mean \"\($0)\"?"
        }
        report(
          "Unknown type \"\(variable.type.name.text)\".\(hint ?? "")",
          at: variable.type.name.location)
        continue
      }
      guard type.isInput else {
        report(
          "Variable \"$\(name)\" cannot be non-input type \"\(variable.type.text)\".",
          at: variable.type.name.location)
        continue
      }
      if let value = variable.defaultValue {
        append(GraphQLLiteralCheck(schema: schema).errors(value, variable.type))
      }
    }
  }

  mutating func checkUsages(_ usages: [Usage], of operation: GraphQLOperation) {
    let owner = operation.name.map { " by operation \"\($0.text)\"" } ?? ""
    let variables = Dictionary(
      operation.variables.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    for usage in usages {
      guard let variable = variables[usage.name] else {
        report("Variable \"$\(usage.name)\" is not defined\(owner).", at: usage.location)
        continue
      }
      guard schema.type(of: variable.type) != nil, let expected = usage.type,
        !isAllowed(variable, at: expected, hasDefault: usage.hasDefault)
      else {
        continue
      }
      report(
        """
        Variable "$\(usage.name)" of type "\(variable.type.text)" used in position expecting type \
        "\(expected.text)".
        """,
        at: variable.name.location, usage.location)
    }
    let names = Set(usages.map(\.name))
    for variable in operation.variables where !names.contains(variable.name.text) {
      let place = operation.name.map { " in operation \"\($0.text)\"" } ?? ""
      report(
        "Variable \"$\(variable.name.text)\" is never used\(place).", at: variable.name.location)
    }
  }

  /// Section 5.8.5, `IsVariableUsageAllowed`.
  private func isAllowed(
    _ variable: GraphQLVariableDefinition, at expected: GraphQLTypeReference, hasDefault: Bool
  ) -> Bool {
    if expected.isNonNull, !variable.type.isNonNull {
      let hasValue = variable.defaultValue.map { $0.content != .null } ?? false
      guard hasValue || hasDefault else { return false }
      return schema.isSubtype(variable.type, of: expected.nullable)
    }
    return schema.isSubtype(variable.type, of: expected)
  }
}
