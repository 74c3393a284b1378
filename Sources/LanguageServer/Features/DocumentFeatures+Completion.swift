internal import Foundations
internal import ScenarioPlan
internal import ScenarioSyntax

extension DocumentFeatures {
  /// Returns the completions at a place, whether the text around can be read or not.
  func completions(at position: EditorPosition) -> Value {
    let offset = offset(position)
    let context = CursorContext(of: document.text.bytes, at: offset)
    var completions: [Completion] = []
    var start = context.word.lowerBound
    if document.kind == .foreign {
      completions = []
    } else if let expression = context.expression {
      (completions, start) = expressionCompletions(expression, position)
    } else {
      let place = context.place
      if context.mayBeKey { completions += keys(place, context, position) }
      if context.mayBeValue { completions += values(place, context, position) }
    }
    let range = document.text.range(of: start..<offset, encoding)
    return .object([
      "isIncomplete": .bool(false),
      "items": .list(completions.map { $0.item(replacing: range) }),
    ])
  }

  // MARK: - Keys

  private func keys(
    _ place: LanguagePlace, _ context: CursorContext, _ position: EditorPosition
  ) -> [Completion] {
    let isFollowed = isFollowedByColon(context.word.upperBound)
    var completions = place.keys(beside: context.siblings).map { key in
      let ending =
        switch key.layout {
        case .scalar: ": "
        case .map, .list: context.column == nil ? ": " : ":"
        case .nothing: ":"
        }
      return Completion(
        key.name, .property, detail: key.shape, documentation: key.summary,
        text: isFollowed ? key.name : key.name + ending, rank: key.isRequired ? 0 : 1)
    }
    // Of names that are given there is nothing to offer.
    if let role = place.keyRole, !role.isDefinition {
      completions += names(role.kind, context, position).map { name in
        var name = name
        if !isFollowed { name.text += ":" }
        return name
      }
    }
    return completions
  }

  private func isFollowedByColon(_ offset: Int) -> Bool {
    let bytes = document.text.bytes
    var next = offset
    while next < bytes.count, bytes[next] == 0x20 { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  // MARK: - Values

  private func values(
    _ place: LanguagePlace, _ context: CursorContext, _ position: EditorPosition
  ) -> [Completion] {
    // Behind the colon itself, a blank is missing.
    let bytes = document.text.bytes
    let start = context.word.lowerBound
    let gap =
      start > 0 && start == context.word.upperBound && bytes[start - 1] == UInt8(ascii: ":")
      ? " " : ""
    var completions: [Completion] = []
    if let role = place.role, !role.isDefinition {
      completions += names(role.kind, context, position)
    }
    completions += place.words.map { word in
      Completion(
        word.text, word.isExample ? .value : .word, detail: word.isExample ? "for example" : nil,
        text: context.isQuoted ? word.text.filter { $0 != "\"" } : word.text,
        rank: word.isExample ? 2 : 1)
    }
    if takesSnippets, !context.isQuoted, !context.mayBeKey {
      completions += place.snippets.map { label, body in
        Completion(
          label, .snippet, documentation: "`\(body)`", text: body, isSnippet: true, rank: 3)
      }
    }
    return completions.map { completion in
      var completion = completion
      completion.text = gap + completion.text
      return completion
    }
  }

  /// The names that can be called at a place.
  private func names(
    _ kind: NameKind, _ context: CursorContext, _ position: EditorPosition
  ) -> [Completion] {
    guard kind != .file else { return files() }
    var index = NameIndex(workspace)
    let owner = context.values["$build"] ?? context.factory
    // No factory extends itself.
    let own = kind == .factory && context.values["$build"] == nil ? context.factory : nil
    return index.definitions(
      of: kind, from: document.path, scenario: scenario(atLine: position.line), owner: owner
    ).filter { $0.occurrence.name != own }.map { found in
      let name = found.occurrence.name
      let place = found.path == document.path ? "" : ", \(found.path)"
      let text =
        YAMLQuoting.isPlainWord(name) || context.isQuoted || context.expression != nil
          || kind == .request ? name : YAMLQuoting.quoted(name)
      return Completion(name, .reference, detail: kind.word + place, text: text, rank: 0)
    }
  }

  /// Scenario files, as the document names them.
  private func files() -> [Completion] {
    let folder = PathText.folder(of: document.path)
    return workspace.files.scenarioFiles(folder.isEmpty ? "." : folder)
      .filter { $0 != document.path }.prefix(Self.fileLimit).map { path in
        let isBelow = !folder.isEmpty && path.hasPrefix(folder + "/")
        let name = isBelow ? String(path.dropFirst(folder.count + 1)) : path
        return Completion(name, .file, rank: 0)
      }
  }

  /// The largest number of files in a list; a longer one is of no use to a reader.
  private static let fileLimit = 200

  // MARK: - Expressions

  /// Returns the completions in an expression, and the beginning of the word that they replace.
  private func expressionCompletions(
    _ expression: Range<Int>, _ position: EditorPosition
  ) -> ([Completion], Int) {
    let bytes = document.text.bytes
    var start = expression.upperBound
    func isName(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 0x80
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    while start > expression.lowerBound, isName(bytes[start - 1]) { start -= 1 }
    guard start > expression.lowerBound, bytes[start - 1] == UInt8(ascii: ".") else {
      return (rootCompletions(), start)
    }
    var first = start - 1
    while first > expression.lowerBound,
      isName(bytes[first - 1]) || bytes[first - 1] == UInt8(ascii: ".")
    {
      first -= 1
    }
    let path = String(decoding: bytes[first..<(start - 1)], as: UTF8.self).split(separator: ".")
      .map(String.init)
    return (memberCompletions(path, position), start)
  }

  private func rootCompletions() -> [Completion] {
    let roots = ExpressionRoot.allCases.map {
      Completion($0.rawValue, .variable, documentation: $0.entry.summary, rank: 0)
    }
    let functions = ExpressionFunction.all.map { function in
      Completion(
        function.name, .function, detail: function.usage, documentation: function.summary,
        text: function.name + "(")
    }
    return roots + functions
  }

  private func memberCompletions(_ path: [String], _ position: EditorPosition) -> [Completion] {
    guard let root = path.first else { return [] }
    var index = NameIndex(workspace)
    let scenario = scenario(atLine: position.line)
    if let kind = NameKind.allCases.first(where: { $0.expressionRoot == root }), path.count == 1 {
      return index.definitions(of: kind, from: document.path, scenario: scenario).map {
        Completion($0.occurrence.name, .variable, detail: kind.word, rank: 0)
      }
    }
    if root == ExpressionRoot.build.rawValue, path.count == 2 {
      return fields(ofObject: path[1], scenario).map {
        Completion($0, .variable, detail: "field", rank: 0)
      }
    }
    if root == ExpressionRoot.env.rawValue, path.count == 1 {
      return environment().map { Completion($0, .variable, detail: "variable", rank: 0) }
    }
    guard path.count == 1 else { return [] }
    return (ExpressionRoot(rawValue: root)?.members ?? []).map {
      Completion($0, .variable, rank: 0)
    }
  }

  /// The fields of an object of `build`, as far as its factories in this file say.
  private func fields(ofObject name: String, _ scenario: Int?) -> [String] {
    guard let tree = document.names.tree else { return [] }
    let tops =
      [tree]
      + tree.entries(of: "scenarios").enumerated().filter { $0.offset == scenario }.map(\.element)
    guard let object = tops.compactMap({ $0.value("build")?.value(name) }).last else { return [] }
    guard let factory = object.value("$build")?.scalarText else { return object.keys }
    var fields: [String] = []
    for own in document.names.lineage(of: factory) {
      for top in tops {
        fields += top.value("factories")?.value(own)?.value("fields")?.keys ?? []
      }
    }
    var seen: Set<String> = []
    return fields.filter { seen.insert($0).inserted }
  }

  private func environment() -> [String] {
    guard let tree = document.names.tree else { return [] }
    let tops = [tree] + tree.entries(of: "scenarios")
    var seen: Set<String> = []
    return tops.flatMap { $0.value("target")?.value("env")?.keys ?? [] }
      .filter { $0 != "pass" && seen.insert($0).inserted }
  }
}

extension CursorContext {
  /// The factory whose definition contains the place.
  fileprivate var factory: String? {
    for (step, next) in zip(path, path.dropFirst()) {
      if case .key("factories", _) = step, case .key(let name, _) = next { return name }
    }
    return nil
  }
}

extension YAMLNode {
  /// The value of a key, where this is a map that has it.
  fileprivate func value(_ key: String) -> YAMLNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.key.value == key }?.value
  }

  /// The keys of a map.
  fileprivate var keys: [String] {
    guard case .mapping(let members) = content else { return [] }
    return members.map(\.key.value)
  }

  /// The entries of a list behind a key.
  fileprivate func entries(of key: String) -> [YAMLNode] {
    guard case .sequence(let nodes)? = value(key)?.content else { return [] }
    return nodes
  }
}
