internal import Foundations

/// Checks the rules of schemas (specification of October 2021, sections 3.5 to 3.13).
extension GraphQLSchemaBuilder {
  mutating func check(_ type: GraphQLType) {
    checkReserved(type.name)
    checkUses(type.directives, type.kind.place)
    switch type.kind {
    case .scalar:
      break
    case .object, .interface:
      checkNotEmpty(type, type.fields.isEmpty, "a field")
      checkUnique(type.fields.map(\.name), "the field", of: type)
      for field in type.fields { check(field, of: type) }
      checkInterfaces(of: type)
    case .union:
      checkNotEmpty(type, type.members.isEmpty, "a type")
      checkUnique(type.members, "the member", of: type)
      for member in type.members {
        guard let object = schema.types[member.text] else {
          reportUnknownType(member)
          continue
        }
        if object.kind != .object {
          report(
            "\"\(member.text)\" is \(object.kindWithArticle): a union is made of types",
            at: member.location)
        }
      }
    case .enumeration:
      checkNotEmpty(type, type.values.isEmpty, "a value")
      checkUnique(type.values.map(\.name), "the value", of: type)
      for value in type.values {
        checkReserved(value.name)
        checkUses(value.directives, "ENUM_VALUE")
      }
    case .input:
      checkNotEmpty(type, type.inputFields.isEmpty, "a field")
      checkUnique(type.inputFields.map(\.name), "the field", of: type)
      for field in type.inputFields { check(field, "INPUT_FIELD_DEFINITION") }
    }
  }

  private mutating func check(_ field: GraphQLFieldDefinition, of type: GraphQLType) {
    checkReserved(field.name)
    checkUses(field.directives, "FIELD_DEFINITION")
    if let found = known(field.type), !found.isOutput {
      report(
        "\"\(found.name.text)\" is an input and cannot be the type of a field",
        at: field.type.name.location, help: "define a type with the same fields")
    }
    checkUnique(field.arguments.map(\.name), "the argument", of: type)
    for argument in field.arguments { check(argument, "ARGUMENT_DEFINITION") }
  }

  private mutating func check(_ value: GraphQLInputValue, _ place: String) {
    checkReserved(value.name)
    checkUses(value.directives, place)
    // Sections 3.6 and 3.10: who has to give it cannot do without it.
    if value.isRequired, let mark = value.directives.first(where: { $0.name.text == "deprecated" })
    {
      report(
        "\"\(value.name.text)\" is required and cannot be deprecated", at: mark.location,
        help: "take out the \"!\" of its type, or give it a default")
    }
    guard let type = known(value.type) else { return }
    guard type.isInput else {
      return report(
        "\"\(type.name.text)\" is \(type.kindWithArticle) and cannot be given by a client",
        at: value.type.name.location, help: "define an input with the same fields")
    }
    guard let literal = value.defaultValue else { return }
    for error in GraphQLLiteralCheck(schema: schema).errors(literal, value.type) {
      report(
        "the default of \"\(value.name.text)\" does not fit \(value.type.text): \(error.message)",
        at: error.locations.first ?? literal.location)
    }
  }

  mutating func check(_ directive: GraphQLDirectiveDefinition) {
    checkReserved(directive.name)
    var names: Set<String> = []
    for argument in directive.arguments where !names.insert(argument.name.text).inserted {
      report(
        "the argument \"\(argument.name.text)\" stands twice in \"@\(directive.name.text)\"",
        at: argument.name.location, help: "take one of them out")
    }
    for argument in directive.arguments { check(argument, "ARGUMENT_DEFINITION") }
    let places = schema.types["__DirectiveLocation"]?.values.map(\.name.text) ?? []
    for place in directive.places where !places.contains(place.text) {
      report(
        "\"\(place.text)\" is no place for a directive", at: place.location,
        help: Suggestion.help(for: place.text, in: places, label: "places"))
    }
  }

  private mutating func known(_ reference: GraphQLTypeReference) -> GraphQLType? {
    if let type = schema.type(of: reference) { return type }
    reportUnknownType(reference.name)
    return nil
  }

  private mutating func checkReserved(_ name: GraphQLName) {
    guard name.text.hasPrefix("__") else { return }
    report(
      "\"\(name.text)\" begins with \"__\", which is reserved", at: name.location,
      help: "call it \"\(name.text.drop { $0 == "_" })\"")
  }

  private mutating func checkNotEmpty(_ type: GraphQLType, _ isEmpty: Bool, _ part: String) {
    guard isEmpty else { return }
    report(
      "\(type.kind.rawValue) \"\(type.name.text)\" is empty", at: type.name.location,
      help: "give it at least \(part)")
  }

  private mutating func checkUnique(
    _ names: [GraphQLName], _ subject: String, of type: GraphQLType
  ) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name.text).inserted {
      report(
        "\(subject) \"\(name.text)\" stands twice in \"\(type.name.text)\"", at: name.location,
        help: "take one of them out")
    }
  }

  // MARK: - Interfaces

  private mutating func checkInterfaces(of type: GraphQLType) {
    checkUnique(type.interfaces, "the interface", of: type)
    for name in type.interfaces {
      guard let interface = schema.types[name.text] else {
        reportUnknownType(name)
        continue
      }
      guard interface.kind == .interface, name.text != type.name.text else {
        report(
          name.text == type.name.text
            ? "\"\(name.text)\" cannot implement itself"
            : "\"\(name.text)\" is \(interface.kindWithArticle), not an interface",
          at: name.location)
        continue
      }
      for inherited in interface.interfaces
      where !type.interfaces.contains(where: { $0.text == inherited.text }) {
        report(
          """
          "\(type.name.text)" implements "\(name.text)" but not "\(inherited.text)", which that \
          implements
          """,
          at: name.location, help: "write \"implements \(inherited.text) & \(name.text)\"")
      }
      for field in interface.fields { check(field, in: type, name) }
    }
  }

  private mutating func check(
    _ wanted: GraphQLFieldDefinition, in type: GraphQLType, _ name: GraphQLName
  ) {
    let (typeName, field) = (type.name.text, wanted.name.text)
    guard let found = type.field(field) else {
      return report(
        "\"\(typeName)\" lacks the field \"\(field)\" of the interface \"\(name.text)\"",
        at: name.location, help: "add \"\(field): \(wanted.type.text)\" to \"\(typeName)\"")
    }
    if !schema.isSubtype(found.type, of: wanted.type) {
      report(
        """
        "\(typeName).\(field)" is \(found.type.text), but the interface "\(name.text)" says \
        \(wanted.type.text)
        """,
        at: found.type.name.location, help: "write \"\(field): \(wanted.type.text)\"")
    }
    for argument in wanted.arguments {
      let same = found.arguments.first { $0.name.text == argument.name.text }
      guard same?.type.text != argument.type.text else { continue }
      report(
        same == nil
          ? "\"\(typeName).\(field)\" lacks the argument \"\(argument.name.text)\" of \"\(name.text)\""
          : """
          the argument "\(argument.name.text)" of "\(typeName).\(field)" is \
          \(same?.type.text ?? ""), but the interface "\(name.text)" says \(argument.type.text)
          """,
        at: same?.name.location ?? found.name.location,
        help: "write \"\(argument.name.text): \(argument.type.text)\"")
    }
    for extra in found.arguments
    where extra.isRequired
      && !wanted.arguments.contains(where: { $0.name.text == extra.name.text })
    {
      report(
        """
        the argument "\(extra.name.text)" of "\(typeName).\(field)" is required, but the interface \
        "\(name.text)" does not have it
        """,
        at: extra.name.location, help: "take out the \"!\", or give it a default")
    }
  }

  // MARK: - Inputs

  /// Section 3.10: an input that must hold itself can never be written.
  mutating func checkInputCycles() {
    var done: Set<String> = []
    for name in schema.typeNames where schema.types[name]?.kind == .input {
      var path: [String] = []
      followInput(name, &path, &done)
    }
  }

  private mutating func followInput(
    _ name: String, _ path: inout [String], _ done: inout Set<String>
  ) {
    guard !done.contains(name), path.count < GraphQLLimits.depth else { return }
    path.append(name)
    for field in schema.types[name]?.inputFields ?? [] {
      guard case .nonNull(.named(let next)) = field.type, field.defaultValue == nil,
        schema.types[next.text]?.kind == .input
      else {
        continue
      }
      if path.contains(next.text) {
        report(
          "the input \"\(next.text)\" must hold itself and can never be written",
          at: field.name.location, help: "take out the \"!\" of \"\(field.name.text)\"")
      } else {
        followInput(next.text, &path, &done)
      }
    }
    path.removeLast()
    done.insert(name)
  }

  // MARK: - Directives

  mutating func checkUses(_ directives: [GraphQLDirective], _ place: String) {
    var seen: Set<String> = []
    for directive in directives {
      let name = directive.name.text
      guard let definition = schema.directives[name] else {
        report(
          "there is no directive \"@\(name)\"", at: directive.location,
          help: Suggestion.question(for: name, in: schema.directiveNames) { "@\($0)" }
            ?? "define it: \"directive @\(name) on \(place)\"")
        continue
      }
      if !definition.places.contains(where: { $0.text == place }) {
        report(
          "the directive \"@\(name)\" may not stand on \(place)", at: directive.location,
          help: "it is for \(definition.places.map(\.text).joined(separator: ", "))")
      }
      if !seen.insert(name).inserted, !definition.isRepeatable {
        report("the directive \"@\(name)\" stands here twice", at: directive.location)
      }
      checkArguments(of: directive, definition)
    }
  }

  private mutating func checkArguments(
    of directive: GraphQLDirective, _ definition: GraphQLDirectiveDefinition
  ) {
    var seen: Set<String> = []
    for argument in directive.arguments {
      if !seen.insert(argument.name.text).inserted {
        report(
          "the argument \"\(argument.name.text)\" stands here twice", at: argument.name.location,
          help: "take one of them out")
      }
      guard
        let wanted = definition.arguments.first(where: { $0.name.text == argument.name.text })
      else {
        report(
          "the directive \"@\(directive.name.text)\" has no argument \"\(argument.name.text)\"",
          at: argument.name.location,
          help: Suggestion.help(
            for: argument.name.text, in: definition.arguments.map(\.name.text), label: "arguments"))
        continue
      }
      for error in GraphQLLiteralCheck(schema: schema).errors(argument.value, wanted.type) {
        report(
          "the argument \"\(argument.name.text)\" does not fit \(wanted.type.text): \(error.message)",
          at: error.locations.first ?? argument.value.location)
      }
    }
    for wanted in definition.arguments
    where wanted.isRequired
      && !directive.arguments.contains(where: { $0.name.text == wanted.name.text })
    {
      report(
        "the directive \"@\(directive.name.text)\" lacks its argument \"\(wanted.name.text)\"",
        at: directive.location)
    }
  }
}

extension GraphQLType.Kind {
  /// The place of directives on a definition.
  fileprivate var place: String {
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
