internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `vars:` names, each with its default or a map that says more.
  mutating func decodeVariables(_ node: YAMLNode) -> [VariableDefinition] {
    (decodeMembers(node, "vars") ?? []).compactMap { decodeVariable($0) }
  }

  private mutating func decodeVariable(_ member: YAMLMember) -> VariableDefinition? {
    guard
      checkWord(
        member.key, "the name of a variable", help: "so that ${{ vars.NAME }} can refer to it")
    else { return nil }
    var definition = VariableDefinition(name: member.key)
    guard case .mapping = member.value.content else {
      if member.value.isNull {
        report(
          "the variable \"\(member.key.value)\" has no default", code: .empty,
          at: member.value.isAbsent ? member.key.range : member.value.range,
          help:
            "write a default, or \(member.key.value): { required: true } for a required variable")
        return nil
      }
      definition.defaultValue = decodeVariableDefault(member.value)
      return definition.defaultValue == nil ? nil : definition
    }
    let subject = "\"vars.\(member.key.value)\""
    let initial = definition
    guard
      let decoded = decode(member.value, as: Grammar.variable, subject: subject, from: initial)
    else { return nil }
    return check(decoded, subject) ? decoded : nil
  }

  private mutating func check(_ definition: VariableDefinition, _ subject: String) -> Bool {
    if let name = definition.environmentName, !checkVariableName(name) { return false }
    guard let value = definition.defaultValue else {
      guard let required = definition.isRequired, !required.value else { return true }
      report(
        "\(subject) has no default, and \"required\" is false", code: .contradictory,
        at: required.range, help: "add default: …, or write required: true")
      return false
    }
    if let required = definition.isRequired, required.value {
      report(
        "\(subject) is required and has a default, which is never used",
        code: .contradictory, at: required.range, help: "keep one of them")
      return false
    }
    if let type = definition.type, !type.value.includes(value.value) {
      report(
        "the default of \(subject) is \(value.value.kindInWords), not \(type.value.described)",
        code: .wrongType, at: value.range,
        help: VariableType(of: value.value).map { "write type: \($0.rawValue), or another default" }
      )
      return false
    }
    return true
  }

  /// A default, in which nothing is computed.
  mutating func decodeVariableDefault(_ node: YAMLNode) -> Located<Value>? {
    guard let data = decodePlainData(node) else { return nil }
    warnOfChangedNumbers(node)
    do throws(Diagnostic) {
      return Located(
        try data.plainValue(of: "a default of \"vars\"", code: .fixedText), at: node.range)
    } catch {
      report(error)
      return nil
    }
  }
}

extension Value {
  /// The type of the value, in the words of an author.
  var kindInWords: String { VariableType(of: self)?.described ?? "null" }
}
