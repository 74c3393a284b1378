internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

// Helps that show the form to write with the author's own value in it.

extension ScenarioDecoder {
  /// Returns the help for a value in the place of a map.
  ///
  /// - Parameters:
  ///   - subject: How messages call the map.
  ///   - definition: The map; `nil` for one with keys of the author's choice.
  func helpForMap(
    _ node: YAMLNode, _ subject: String, of definition: LanguageDefinition?
  ) -> String {
    let form: String
    if let merged = Self.merged(node, in: definition) {
      if definition?.name == LanguageDescription.rootName { return Self.helpForEntries }
      form = merged.inlineText
    } else if let definition {
      let key = LanguageDescription.key(taking: node, in: definition, isBlock: isBlock(node))
      form =
        key.map { "{ \($0.name): \(node.inlineText) }" }
        ?? Self.firstKey(of: definition).map { "{ \($0): … }" } ?? "{ … }"
    } else {
      form = Self.assignments(in: node) ?? "{ NAME: \(node.isNull ? "…" : node.inlineText) }"
    }
    return "write \"\(Self.name(of: subject).map { "\($0): " } ?? "")\(form)\""
  }

  /// Returns the help for a value in the place of a list.
  func helpForList(_ node: YAMLNode, _ subject: String) -> String {
    guard let name = Self.name(of: subject), !node.isNull else {
      return "write \"- \" before each entry, or [a, b]"
    }
    var entry = node.inlineText
    if case .mapping(let members) = node.content, let first = members.first {
      switch name {
      case "scenarios" where Grammar.scenario.keys.contains(first.key.value) == false:
        var inner: [YAMLMember] = []
        if case .mapping(let own) = first.value.content { inner = own }
        entry = ([.made("name", .word(first.key.value, at: first.key.range))] + inner).inlineText
      case "requests" where isRequestLine(first.key.value):
        entry = Self.requestCondition(of: first)
      default: break
      }
    }
    return "write \"- \" before each entry, as in \"\(name): [\(entry)]\""
  }

  /// `{ request: GET /, count: 2 }` for `{ GET /: 2 }`, and `{ request: { method: GET, url: /, json: {} } }` for
  /// `{ GET /: { json: {} } }`.
  static func requestCondition(of member: YAMLMember) -> String {
    let line = YAMLNode.word(member.key.value, at: member.key.range)
    let request = YAMLMember.made("request", line)
    guard case .mapping(let members) = member.value.content else {
      if case .scalar(let scalar) = member.value.content, Int(scalar.text) != nil {
        return [request, .made("count", member.value)].inlineText
      }
      return [request].inlineText
    }
    // A reply has a file, bytes or a text where a request has a body.
    let inner = members.compactMap { member -> YAMLMember? in
      switch member.key.value {
      case let key where Grammar.requestCondition.keys.contains(key): nil
      case let key where Grammar.request.keys.contains(key): member
      case "text": .made("body", member.value)
      case let key where Grammar.exactBytes.keys.contains(key):
        .made("body", .map([(key, member.value)], at: member.value.range))
      default: nil
      }
    }
    let others = members.filter { Grammar.requestCondition.keys.contains($0.key.value) }
    guard !inner.isEmpty else { return ([request] + others).inlineText }
    let texts =
      ["request: \((requestParts(of: line) + inner).inlineText)"]
      + others.map { "\($0.key.value): \($0.value.inlineText)" }
    return "{ \(texts.joined(separator: ", ")) }"
  }

  /// `method: GET, url: /` for the line `GET /`.
  static func requestParts(of line: YAMLNode) -> [YAMLMember] {
    guard case .scalar(let scalar) = line.content else { return [] }
    let words = scalar.text.split(separator: " ", maxSplits: 1).map(String.init)
    let url = YAMLMember.made("url", .word(words.last ?? "", at: line.range))
    return words.count < 2 ? [url] : [.made("method", .word(words[0], at: line.range)), url]
  }

  private static let helpForEntries =
    "write \"version: \(LanguageVersion.current)\" and \"scenarios:\" before the list"

  /// The key of the language that a subject of messages is; `nil` for others, such as "a step".
  static func name(of subject: String) -> String? {
    let isQuoted = subject.hasPrefix("\"") && subject.hasSuffix("\"") && subject.count > 2
    let name = isQuoted ? String(subject.dropFirst().dropLast()) : subject
    let isWord = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
    return isWord && !name.isEmpty ? name : nil
  }

  private func isBlock(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content else { return false }
    return (blockNodes + outerBlocks).contains { $0.key.value == scalar.text }
  }

  private static func firstKey(of definition: LanguageDefinition) -> String? {
    guard case .map(let keys, _) = definition.content else { return nil }
    return
      (keys.first(where: \.isRequired) ?? keys.first { !["block", "with"].contains($0.name) })?
      .name
  }

  /// The members of maps in a list, where a map can have them all.
  private static func merged(
    _ node: YAMLNode, in definition: LanguageDefinition?
  ) -> [YAMLMember]? {
    guard case .sequence(let nodes) = node.content, !nodes.isEmpty else { return nil }
    var merged: [YAMLMember] = []
    for node in nodes {
      guard case .mapping(let members) = node.content, !members.isEmpty else { return nil }
      merged += members
    }
    if definition?.name == LanguageDescription.rootName { return merged }
    guard Set(merged.map(\.key.value)).count == merged.count else { return nil }
    guard let definition else { return merged.count == nodes.count ? merged : nil }
    guard case .map(let keys, _) = definition.content else { return nil }
    let names = Set(keys.map(\.name))
    return merged.allSatisfy { names.contains($0.key.value) } ? merged : nil
  }

  /// `{ A: b }` for the list `[A=b]`.
  private static func assignments(in node: YAMLNode) -> String? {
    let nodes: [YAMLNode]
    switch node.content {
    case .sequence(let entries): nodes = entries
    case .scalar: nodes = [node]
    case .mapping: return nil
    }
    guard !nodes.isEmpty, nodes.count <= 20 else { return nil }
    let members = nodes.compactMap { node -> YAMLMember? in
      guard case .scalar(let scalar) = node.content, let sign = scalar.text.firstIndex(of: "="),
        sign != scalar.text.startIndex
      else { return nil }
      let value = String(scalar.text[scalar.text.index(after: sign)...])
      let style: YAMLScalar.Style =
        YAMLScalar(text: value, style: .plain).meaning == .text ? .doubleQuoted : .plain
      return .made(
        String(scalar.text[..<sign]),
        YAMLNode(
          content: .scalar(YAMLScalar(text: value, style: style)), range: node.range,
          lastLine: node.lastLine, size: 1, height: 1))
    }
    return members.count == nodes.count ? members.inlineText : nil
  }

  // MARK: - Keys one level too high

  /// The place below a key of a map for a key that the map itself does not have.
  struct PlaceBelow {
    /// The key of the map.
    var key: String
    /// The help.
    var help: String
  }

  /// Returns the place below one of a map's keys for a key that the map does not have; `nil` where there is none, or
  /// nothing decides between several.
  func placeBelow(
    _ member: YAMLMember, of definition: LanguageDefinition, beside written: WrittenMembers
  ) -> PlaceBelow? {
    let word = member.key.value
    let all = (LanguageDescription.parents[definition.name]?[word] ?? []).filter {
      $0.takes(member.value, behind: word)
    }
    let direct = all.filter { !$0.isEntry }
    if let parent = direct.first(where: { written.names.contains($0.key) }),
      let own = written[parent.key]
    {
      return PlaceBelow(key: parent.key, help: Self.help(joining: member, to: own, parent))
    }
    let keys = (direct.isEmpty ? all : direct).map(\.key).reduce(into: [String]()) { keys, key in
      if !keys.contains(key) { keys.append(key) }
    }
    guard let first = keys.first, keys.count <= (direct.isEmpty ? 1 : 2) else { return nil }
    let forms = keys.map { key in
      let inner = [member].inlineText
      return direct.isEmpty ? "\"\(key): [\(inner)]\"" : "\"\(key): \(inner)\""
    }
    return PlaceBelow(
      key: first,
      help: "\"\(word)\" belongs to \(keys.map { "\"\($0)\"" }.joined(separator: " or "));"
        + " write \(forms.joined(separator: " or "))")
  }

  /// The help where the key below which another one belongs is there.
  private static func help(
    joining member: YAMLMember, to own: YAMLMember, _ parent: LanguageDescription.Parent
  ) -> String {
    var inner = [member]
    if case .mapping(let members) = own.value.content {
      inner = members.filter { $0.key.value != member.key.value } + inner
    } else if parent.key == "request", case .scalar = own.value.content {
      inner = requestParts(of: own.value) + inner
    } else if !own.value.isNull, let definition = LanguageDescription.named[parent.definition],
      let key = LanguageDescription.key(taking: own.value, in: definition, isBlock: false),
      key.name != member.key.value
    {
      inner = [.made(key.name, own.value)] + inner
    }
    return "\"\(member.key.value)\" belongs to \"\(parent.key)\";"
      + " write \"\(parent.key): \(inner.inlineText)\""
  }

  /// Returns the place for a key that a map of the author's own names has below another key: a field of a factory, or
  /// of a trait.
  func placeAmongFields(
    _ member: YAMLMember, of definition: LanguageDefinition, beside written: WrittenMembers
  ) -> PlaceBelow? {
    guard case .map(let keys, _) = definition.content,
      let fields = keys.first(where: { $0.name == "fields" && $0.shape.isFields })
    else { return nil }
    // All that is unknown is shown together, with what is there already, as far as a reader follows it.
    var inner: [YAMLMember] = []
    if case .mapping(let own)? = written[fields.name]?.value.content { inner = own }
    inner += written.all.lazy.filter { other in !keys.contains { $0.name == other.key.value } }
      .prefix(Self.shownFields + 1)
    inner = inner.count > Self.shownFields ? [member] : inner
    return PlaceBelow(
      key: fields.name,
      help: "fields belong below \"fields\"; write \"fields: \(inner.inlineText)\""
    )
  }
}

extension ScenarioDecoder {
  /// The largest number of fields that a help writes anew.
  fileprivate static let shownFields = 20
}

extension SchemaShape {
  /// True if it is that of names of the author's choice and their data.
  fileprivate var isFields: Bool { keywords["$ref"] == SchemaShape.fields.keywords["$ref"] }
}

extension LanguageDescription.Parent {
  /// Returns whether a value may stand behind a key of the map.
  fileprivate func takes(_ value: YAMLNode, behind word: String) -> Bool {
    guard case .map(let keys, _)? = LanguageDescription.named[definition]?.content,
      let key = keys.first(where: { $0.name == word })
    else { return false }
    return value.isAbsent || value.isTemplate || LanguageDescription.fit(value, behind: key) != nil
  }
}
