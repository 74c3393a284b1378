internal import Foundations

extension ScenarioDecoder {
  /// The members of a map under the names of today.
  ///
  /// A file of version 1 may use the names of that version, each of which gets a warning; in a later one it is a
  /// mistake. It is read under its new name in both.
  mutating func underCurrentNames(
    _ members: [YAMLMember], _ former: FormerNames, keys: [String],
    of definition: LanguageDefinition? = nil, subject: String
  ) -> [YAMLMember] {
    guard !former.isEmpty else { return members }
    return members.map { member in
      var member = member
      let name = member.key.value
      if !keys.contains(name), let successor = former.successor(of: name),
        !isMeantOtherwise(member, in: definition, among: keys)
      {
        member = renamed(member, to: successor, beside: members, subject)
      }
      member.value = underCurrentWords(member.value, of: member.key.value, former)
      return member
    }
  }

  /// Returns whether the value shows that a key is no word of version 1, and meant as that of another tool.
  private func isMeantOtherwise(
    _ member: YAMLMember, in definition: LanguageDefinition?, among keys: [String]
  ) -> Bool {
    guard languageVersion > 1, let definition else { return false }
    return PlacedWord.of(member, in: definition.name, among: keys) != nil
  }

  private mutating func renamed(
    _ member: YAMLMember, to successor: FormerNames.Successor, beside members: [YAMLMember],
    _ subject: String
  ) -> YAMLMember {
    let (key, change, hasOtherMeaning) = successor
    var renamed = YAMLMember(key: Located(key, at: member.key.range), value: member.value)
    let current: String
    let fix: DiagnosticFix?
    switch change {
    case .nothing:
      current = "\"\(key)\""
      let isOpen = hasOtherMeaning && languageVersion > 1
      fix = DiagnosticFix(
        respelling: member.key, as: key, confidence: isOpen ? .likely : .certain, in: source)
    case .below(let inner):
      let value = member.value
      renamed.value = YAMLNode(
        content: .mapping([YAMLMember(key: Located(inner, at: member.key.range), value: value)]),
        range: value.range, lastLine: value.lastLine, size: value.size + 1, height: value.height + 1
      )
      current = "\"\(key): { \(inner): … }\""
      fix = self.fix(
        replacing: member, by: source.text(at: value.range).map { "\(key): { \(inner): \($0) }" })
    case .word(let word):
      // In version 1 a value that never belonged there is a mistake of its own; later the key is.
      if member.value.isNull || languageVersion > 1 {
        let scalar = YAMLScalar(text: word, style: .plain)
        renamed.value = YAMLNode(
          content: .scalar(scalar), range: member.key.range, lastLine: member.key.range.line,
          size: 1, height: 1)
      }
      current = "\"\(key): \(word)\""
      fix = self.fix(replacing: member, by: "\(key): \(word)")
    }
    if let other = members.first(where: { $0.key.value == key }) {
      // To write today's name as well would only repeat the key.
      report(
        "\"\(member.key.value)\" cannot be combined with \"\(key)\", its current name, in \(subject)",
        code: .contradictory, at: member.key.range, help: "keep one of them",
        notes: [Diagnostic.Note("the other one is here", at: other.key.range)])
    } else {
      reportFormerName(member.key.value, current, at: member.key.range, fix)
    }
    return renamed
  }

  /// Returns the fix that replaces a key and its value; `nil` where they are not on one line, or
  /// reach it by an alias.
  private func fix(replacing member: YAMLMember, by text: String?) -> DiagnosticFix? {
    let (key, value) = (member.key.range, member.value.range)
    guard let text, key.file == source.path, let written = source.line(key.line) else { return nil }
    var whole = key
    if member.value.isAbsent {
      // The colon goes with the key.
      let rest = written.unicodeScalars.dropFirst(key.endColumn - 1)
      guard let colon = rest.firstIndex(of: ":") else { return nil }
      whole.length += rest.distance(from: rest.startIndex, to: colon) + 1
    } else {
      guard value.line == key.line, member.value.lastLine == key.line,
        value.column > key.endColumn, source.text(at: value)?.hasPrefix("*") == false
      else { return nil }
      whole.length = value.endColumn - key.column
    }
    return DiagnosticFix(replacing: whole, with: text)
  }

  /// A word, or a list of words, under the names of today.
  private mutating func underCurrentWords(
    _ node: YAMLNode, of key: String, _ former: FormerNames
  ) -> YAMLNode {
    var node = node
    switch node.content {
    case .scalar(var scalar):
      guard let word = former.word(scalar.text, of: key) else { break }
      let place = Located(scalar.text, at: node.range)
      let edit = EditableDocument(root: node, source: source).replace(node, with: word)
      reportFormerName(
        scalar.text, "\"\(word)\"", at: node.range,
        DiagnosticFix(respelling: place, as: word, confidence: .certain, in: source)
          ?? edit.map { DiagnosticFix(replacing: $0.range, with: $0.replacement) })
      scalar.text = word
      node.content = .scalar(scalar)
    case .sequence(let nodes):
      node.content = .sequence(nodes.map { underCurrentWords($0, of: key, former) })
    case .mapping: break
    }
    return node
  }

  private mutating func reportFormerName(
    _ name: String, _ current: String, at range: SourceRange, _ fix: DiagnosticFix?
  ) {
    guard !isWrittenByProgram else { return }
    report(
      Diagnostic(
        languageVersion == 1
          ? "\"\(name)\" is the old name of \(current)"
          : "\"\(name)\" is a key of version 1 of the language",
        code: languageVersion == 1 ? .formerName : .unknownKey, at: range,
        help: languageVersion == 1
          ? "write \(current); \"scenario upgrade\" upgrades the file to version \(LanguageVersion.current)"
          : "write \(current)", fix: fix))
  }
}
