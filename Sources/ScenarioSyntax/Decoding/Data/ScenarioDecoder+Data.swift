internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// Data of any shape: literals, text with expressions, lists, maps and generators.
  mutating func decodeData(_ node: YAMLNode) -> DataNode? {
    switch node.content {
    case .scalar(let scalar): return decodeData(scalar, node)
    case .sequence(let nodes):
      let elements = nodes.compactMap { decodeData($0) }
      return elements.count == nodes.count ? DataNode(.list(elements), at: node.range) : nil
    case .mapping(let members):
      if members.contains(where: { $0.key.value.hasPrefix("$") }) {
        return decodeGenerator(members, node)
      }
      let fields = members.compactMap { decodeField($0) }
      return fields.count == members.count ? DataNode(.map(fields), at: node.range) : nil
    }
  }

  /// Data whose keys may begin with "$" and generate nothing, as `$ref` and `$defs` of a JSON Schema.
  mutating func decodePlainData(_ node: YAMLNode) -> DataNode? {
    switch node.content {
    case .scalar: return decodeData(node)
    case .sequence(let nodes):
      let elements = nodes.compactMap { decodePlainData($0) }
      return elements.count == nodes.count ? DataNode(.list(elements), at: node.range) : nil
    case .mapping(let members):
      let fields = members.compactMap { member -> DataField? in
        guard checkFieldKey(member.key) else { return nil }
        return decodePlainData(member.value).map { DataField(key: member.key, value: $0) }
      }
      return fields.count == members.count ? DataNode(.map(fields), at: node.range) : nil
    }
  }

  private mutating func decodeData(_ scalar: YAMLScalar, _ node: YAMLNode) -> DataNode? {
    let range = node.range
    switch scalar.meaning {
    case .null: return DataNode(.literal(.null), at: range)
    case .bool(let bool): return DataNode(.literal(.bool(bool)), at: range)
    case .integer(let integer): return DataNode(.literal(.integer(integer)), at: range)
    case .number(let number): return DataNode(.literal(.number(number)), at: range)
    case .text:
      if scalar.style == .plain, scalar.tag == nil { warnOfAmbiguity(scalar.text, at: range) }
      warnOfComment(behind: node)
      return decodeTemplate(scalar, at: range)
    case .tooLarge:
      report(
        "the number \(Self.shortened(scalar.text)) is out of range", code: .outOfRange, at: range,
        help: "write it in quotes for text")
    case .notFinite:
      report(
        "data cannot hold the number \(scalar.text)", code: .outOfRange, at: range,
        help: "JSON has no such number; write it in quotes for text")
    }
    return nil
  }

  /// A key of the author's choice and its data.
  mutating func decodeField(_ member: YAMLMember) -> DataField? {
    guard checkFieldKey(member.key) else { return nil }
    return decodeData(member.value).map { DataField(key: member.key, value: $0) }
  }

  /// A map from names to data, such as `fields:`.
  mutating func decodeFields(_ node: YAMLNode, _ subject: String) -> [DataField] {
    (decodeMembers(node, subject) ?? []).compactMap { member in
      guard checkFieldKey(member.key) else { return nil }
      guard !member.key.value.hasPrefix("$") else {
        reportUnknownGenerator(
          member.key,
          help: "\"\(subject)\" is a map of names; write the generator as the value of a name")
        return nil
      }
      warnOfChangedNumbers(member.value, decimalsAlone: true)
      return decodeField(member)
    }
  }

  /// A map from names to text, such as `env:`.
  mutating func decodeTextField(_ member: YAMLMember) -> DataField? {
    guard checkFieldKey(member.key) else { return nil }
    return decodeArgument(member.value, member.key.value).map {
      DataField(key: member.key, value: $0)
    }
  }

  /// Refuses an expression in a key, which is read literally; false if there was one.
  mutating func checkFieldKey(_ key: Located<String>) -> Bool {
    if TemplateParser.isNeeded(for: key.value) {
      report(
        "a key cannot contain an expression", code: .fixedText, at: key.range,
        help: "write a fixed key; only values can contain expressions")
      return false
    }
    return !refuseForeignTemplate(
      in: key.value, at: key.range, isFixed: true, isOfLanguage: true)
  }

  // MARK: - Generators

  private mutating func decodeGenerator(_ written: [YAMLMember], _ node: YAMLNode) -> DataNode? {
    let members = underCurrentNames(
      written, Grammar.generator.former, keys: Grammar.generators, subject: "the map")
    let generators = members.filter { $0.key.value.hasPrefix("$") }
    guard let generator = generators.first else { return nil }
    var isKnown = true
    for other in generators where !Grammar.generators.contains(other.key.value) {
      isKnown = false
      guard checkFieldKey(other.key) else { continue }
      reportUnknownGenerator(
        other.key,
        help: Self.helpForGenerator(other.key.value))
    }
    guard isKnown else { return nil }
    guard generators.count == 1 else {
      report(
        "\"\(generators[1].key.value)\" cannot be combined with \"\(generator.key.value)\"",
        code: .contradictory, at: generators[1].key.range,
        help: "keep one of them: a map has only one generator",
        notes: [Diagnostic.Note("the other one is here", at: generator.key.range)])
      return nil
    }
    switch generator.key.value {
    case "$build": return decodeBuild(members, node)
    default:
      guard checkSiblings(of: generator.key.value, members, allowed: [generator.key.value]) else {
        return nil
      }
      return decodeGenerator(generator, at: node.range)
    }
  }

  /// Words for generators, as other tools have them.
  private static let foreignGenerators: [(name: String, words: Set<String>)] = [
    ("$seq", ["$sequence", "$counter", "$increment"]),
    ("$pick", ["$choice", "$choose", "$oneof", "$one_of", "$sample", "$enum"]),
    ("$int", ["$integer", "$number", "$random", "$randint"]),
    ("$time", ["$date", "$datetime", "$now"]),
    ("$match", ["$regex", "$regexp", "$pattern"]), ("$build", ["$factory", "$create", "$ref"]),
  ]

  /// Returns the help for a key that begins as a generator does.
  private static func helpForGenerator(_ key: String) -> String {
    if key.hasPrefix("$.") || key.hasPrefix("$[") {
      return "a path is allowed only directly in \"json:\"; here, write the keys of the data,"
        + " as in { \(key.dropFirst(2).prefix { $0.isLetter }): … }"
    }
    if let (name, _) = foreignGenerators.first(where: { $0.words.contains(key.lowercased()) }) {
      return "did you mean \"\(name)\"? wrap plain data in $raw"
    }
    if Suggestion.closest(to: key, in: Grammar.generators) == nil {
      return
        "for a path write \"$.\(key.dropFirst())\", for plain data wrap it in $raw; known generators: "
        + Suggestion.list(Grammar.generators.sorted(), for: key)
    }
    return Suggestion.help(for: key, in: Grammar.generators, label: "known generators")
      + "; wrap plain data in $raw"
  }

  mutating func reportUnknownGenerator(_ key: Located<String>, help: String) {
    report("unknown generator \"\(key.value)\"", code: .unknownGenerator, at: key.range, help: help)
  }

  /// Reports plain keys beside a generator that takes none, or not these.
  mutating func checkSiblings(
    of generator: String, _ members: [YAMLMember], allowed: [String]
  ) -> Bool {
    let others = members.filter { !allowed.contains($0.key.value) }
    for other in others {
      let options = allowed.filter { $0 != generator }
      report(
        "the plain key \"\(other.key.value)\" cannot be combined with the generator \"\(generator)\"",
        code: .misusedGenerator, at: other.key.range,
        help: options.isEmpty
          ? "move the generator into a separate map"
          : Suggestion.help(
            for: other.key.value, in: options, label: "keys allowed with \"\(generator)\""))
    }
    return others.isEmpty
  }
}
