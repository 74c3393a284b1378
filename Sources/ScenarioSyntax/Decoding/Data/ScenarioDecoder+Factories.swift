internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `factories:`.
  mutating func decodeFactories(_ node: YAMLNode) -> [FactoryDefinition] {
    (decodeMembers(node, "factories") ?? []).compactMap { decodeFactory($0) }
  }

  private mutating func decodeFactory(_ member: YAMLMember) -> FactoryDefinition? {
    guard checkFieldKey(member.key) else { return nil }
    let subject = "the factory \"\(member.key.value)\""
    return decode(
      member.value, as: Grammar.factory, subject: subject,
      from: FactoryDefinition(name: member.key, fields: [], traits: []))
  }

  mutating func decodeTraits(_ node: YAMLNode) -> [TraitDefinition] {
    (decodeMembers(node, "traits") ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      let subject = "the trait \"\(member.key.value)\""
      return decode(
        member.value, as: Grammar.trait, subject: subject,
        from: TraitDefinition(name: member.key, fields: []))
    }
  }

  /// Fields and their values: `status: [pending, active]`, `plan: { free: 0, paid: 1 }`.
  mutating func decodeEnums(_ node: YAMLNode) -> [EnumDefinition] {
    (decodeMembers(node, "enums") ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      if case .mapping = member.value.content {
        return EnumDefinition(
          field: member.key, values: decodeFields(member.value, "an entry of \"enums\""))
      }
      let values = decodeTextList(member.value, "an entry of \"enums\"")
      return EnumDefinition(
        field: member.key,
        values: values.map { value in
          DataField(
            key: value, value: DataNode(.literal(.string(value.value)), at: value.range))
        })
    }
  }

  /// Reads the value of `construct`: `{ args: [a, b], from: … }`.
  mutating func decodeConstruct(_ node: YAMLNode) -> ConstructRule? {
    guard let reader = mapping(node, as: Grammar.construct, subject: "\"construct\"") else {
      return nil
    }
    if reader.members.isEmpty, reader.unknownCount == 0 {
      report(
        "\"construct\" is empty", code: .empty, at: node.range,
        help: "write { args: [FIELD, …] } or { from: … }")
      return nil
    }
    return ConstructRule(
      arguments: reader["args"].map { decodeTextList($0, "args") } ?? [],
      base: reader["from"].flatMap { decodeData($0) })
  }

  mutating func decodeTypes(_ node: YAMLNode) -> [FieldType] {
    (decodeMembers(node, "types") ?? []).compactMap { member in
      let kind: Located<FieldType.Kind>? = decodeWord(member.value, member.key.value)
      return kind.map { FieldType(field: member.key, kind: $0) }
    }
  }

  mutating func decodeExtra(_ node: YAMLNode) -> Bool? {
    guard let word = decodeText(node, "extra", example: "write allow or forbid") else { return nil }
    switch word.value {
    case "allow": return true
    case "forbid": return false
    default:
      report(
        "unknown value \"\(word.value)\" for \"extra\"", code: .unknownValue, at: word.range,
        help: Suggestion.help(
          for: word.value, in: ["allow", "forbid"], label: "allowed values"))
      return nil
    }
  }

  mutating func decodeAfter(_ node: YAMLNode) -> [AfterRule] {
    (decodeList(node, "after_build") ?? []).compactMap { node in
      guard let reader = mapping(node, as: Grammar.after, subject: "an entry of \"after_build\"")
      else { return nil }
      guard let member = single(among: Grammar.after.keys, in: reader) else {
        if reader.unknownCount == 0 {
          report(
            "an entry of \"after_build\" is empty", code: .empty, at: node.range,
            help: "write { set: { FIELD: … } } or { assert: \"${{ … }}\" }")
        }
        return nil
      }
      switch member.key.value {
      case "set": return .set(decodeFields(member.value, "set"))
      default: return decodeData(member.value).map { .assert($0) }
      }
    }
  }

  /// `FILE#/pointer`, or a schema written out.
  mutating func decodeSchemaReference(_ node: YAMLNode, _ subject: String) -> SchemaReference? {
    if case .mapping = node.content {
      return decodePlainData(node).map {
        SchemaReference(source: .inline($0), pointer: "", range: node.range)
      }
    }
    guard let text = decodeText(node, subject, example: "write FILE.json or FILE.json#/$defs/NAME")
    else { return nil }
    let parts = text.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    return SchemaReference(
      source: .file(Located(String(parts[0]), at: text.range)),
      pointer: parts.count > 1 ? String(parts[1]) : "", range: text.range)
  }

  /// `sequences:`.
  mutating func decodeSequences(_ node: YAMLNode) -> [SequenceDefinition] {
    (decodeMembers(node, "sequences") ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      return decodeSequenceRule(member.value, member.key.value).map {
        SequenceDefinition(name: member.key, rule: $0)
      }
    }
  }

  /// `START`, or `{ start:, step:, value:, scope: }`.
  mutating func decodeSequenceRule(_ node: YAMLNode, _ subject: String) -> SequenceRule? {
    guard case .mapping = node.content else {
      return decodeInteger(node, subject).map { SequenceRule(start: $0.value) }
    }
    guard let reader = mapping(node, as: Grammar.sequence, subject: quoted(subject)) else {
      return nil
    }
    let start = reader["start"].map { decodeInteger($0, "start")?.value } ?? 1
    let step = reader["step"].map { decodeInteger($0, "step")?.value } ?? 1
    let value = reader["value"].map { decodeData($0) }
    let scope: Located<SequenceRule.Scope>? = reader["scope"].flatMap { decodeWord($0, "scope") }
    guard let start, let step, value != .some(.none) else { return nil }
    return SequenceRule(
      start: start, step: step, value: value ?? nil, scope: scope?.value ?? .scenario)
  }
}
