internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// An expression where the language has a form of its own, such as a duration, of names that are known before a
/// scenario is planned: what it gives is read in its place.
struct LateValue {
  /// The text that contains it.
  var template: Template
  /// The place in the file.
  var range: SourceRange

  /// The names whose values are known before a scenario is planned.
  static let roots: Set<String> = ["matrix", "vars"]

  /// What a help says of an expression whose value comes too late for its place.
  static let help = "an expression can use only vars and matrix here"

  var namesRow: Bool { template.roots.contains("matrix") }
}

extension ScenarioDecoder {
  /// Keys of a file and of a scenario that decide which scenarios there are, or where values come from.
  private static let earlyKeys: Set<String> = [
    "folder", "include", "matrix", "scenarios", "secrets", "use", "vars", "version",
  ]

  /// Returns whether a subject of messages is a key whose value must be known before expressions have any.
  func isEarly(_ subject: String) -> Bool {
    let name =
      subject.hasPrefix("\"")
      ? String(subject.dropFirst().prefix { $0 != "\"" && $0 != "." }) : subject
    return Self.earlyKeys.contains(name)
  }

  /// The names in an expression that have no value when a place of fixed form is read.
  func foreignRoots(of scalar: YAMLScalar, at range: SourceRange) -> [String] {
    let parser = TemplateParser(
      text: scalar.text, places: TextPlaces(scalar, at: range, in: source))
    guard let template = try? parser.parse() else { return [] }
    return Set(template.roots).subtracting(LateValue.roots).sorted()
  }

  /// Returns the name that replaces one which an expression gives, until that has a value.
  func lateName(_ node: YAMLNode) -> Located<String>? {
    guard case .scalar(let scalar) = node.content, lateValue(scalar, at: node.range) != nil else {
      return nil
    }
    return Located(scalar.text, at: node.range)
  }

  /// Sets apart findings that exist only because of an expression whose value will be read in its
  /// place.
  mutating func findLateReadings(in node: YAMLNode, of file: inout ScenarioFile) {
    guard diagnostics.contains(where: { $0.severity == .error }),
      case .mapping(let members) = node.content
    else { return }
    let found = findings
    file.late = lateReading(of: node, as: Grammar.file.keys, found)
    if file.name == nil {
      file.name = members.first { $0.key.value == "name" }.flatMap { lateName($0.value) }
    }
    guard let entries = members.first(where: { $0.key.value == "scenarios" })?.value,
      case .sequence(let nodes) = entries.content
    else { return }
    let places = Dictionary(
      file.scenarios.enumerated().map { ($0.element.range, $0.offset) }
    ) { first, _ in first }
    for node in nodes {
      guard let place = places[node.range] else { continue }
      file.scenarios[place].late = lateReading(of: node, as: Grammar.scenario.keys, found)
    }
  }

  /// The errors by their lines.
  private var findings: [Int: [SourceRange]] {
    var findings: [Int: [SourceRange]] = [:]
    for diagnostic in diagnostics where diagnostic.severity == .error {
      if let range = diagnostic.range { findings[range.line, default: []].append(range) }
    }
    return findings
  }

  private mutating func lateReading(
    of node: YAMLNode, as keys: [String], _ found: [Int: [SourceRange]]
  ) -> LateReading? {
    guard case .mapping(let members) = node.content else { return nil }
    var values: [SourceRange: LateValue] = [:]
    var namesRowInName = false
    for member in members where !Self.earlyKeys.contains(member.key.value) {
      var own: [LateValue] = []
      collectLateValues(in: member.value, found, &own)
      for value in own { values[value.range] = value }
      if member.key.value == "name" { namesRowInName = own.contains(where: \.namesRow) }
    }
    guard !values.isEmpty else { return nil }
    let dropped = diagnostics.indices.filter { index in
      guard diagnostics[index].severity == .error, let range = diagnostics[index].range else {
        return false
      }
      return values.keys.contains { $0.encloses(range) }
    }
    drop(Set(dropped))
    let told = Set(diagnostics)
    let isScenario = keys == Grammar.scenario.keys
    return LateReading(
      namesRow: values.values.contains(where: \.namesRow), namesRowInName: namesRowInName
    ) { [source, values, members, isWrittenByProgram] evaluate in
      var decoder = ScenarioDecoder(
        source: source, diagnostics: [], isWrittenByProgram: isWrittenByProgram)
      // An expression without a value is reported already; that its text does not fit its place adds nothing.
      var failed: [SourceRange] = []
      let own = members.filter { !Self.earlyKeys.contains($0.key.value) }.map { member in
        let value = member.value.settled(values) { template, range in
          let value = evaluate(template, range)
          if value == nil { failed.append(range) }
          return value
        }
        return YAMLMember(key: member.key, value: value)
      }
      let settled = YAMLNode(
        content: .mapping(own), range: node.range, lastLine: node.lastLine, size: node.size,
        height: node.height)
      var body = ScenarioBody()
      var name: Located<String>?
      if let reader = decoder.mapping(
        settled, keys: keys, subject: isScenario ? "a scenario" : "the file")
      {
        body = decoder.decodeBody(reader)
        name = reader["name"].flatMap { decoder.decodeName($0, "name") }
      }
      return LateReading.Result(
        name: name, body: body,
        diagnostics: decoder.sortedDiagnostics.filter { found in
          !told.contains(found)
            && !failed.contains { range in found.range.map(range.encloses) ?? false }
        })
    }
  }

  private func collectLateValues(
    in node: YAMLNode, _ found: [Int: [SourceRange]], _ values: inout [LateValue]
  ) {
    switch node.content {
    case .sequence(let nodes): for node in nodes { collectLateValues(in: node, found, &values) }
    case .mapping(let members):
      for member in members { collectLateValues(in: member.value, found, &values) }
    case .scalar(let scalar):
      guard let places = found[node.range.line], places.contains(where: node.range.encloses),
        let value = lateValue(scalar, at: node.range)
      else { return }
      values.append(value)
    }
  }

  private func lateValue(_ scalar: YAMLScalar, at range: SourceRange) -> LateValue? {
    guard TemplateParser.isNeeded(for: scalar.text) else { return nil }
    let parser = TemplateParser(
      text: scalar.text, places: TextPlaces(scalar, at: range, in: source))
    guard let template = try? parser.parse(), template.literal == nil,
      LateValue.roots.isSuperset(of: template.roots)
    else { return nil }
    // Where it names nothing, no value makes a template of another tool in it right.
    guard !template.roots.isEmpty || !template.holdsForeignTemplate else { return nil }
    return LateValue(template: template, range: range)
  }
}

extension Template {
  fileprivate var holdsForeignTemplate: Bool {
    segments.contains { segment in
      guard case .literal(let text) = segment else { return false }
      return ForeignTemplate(in: text) != nil
    }
  }
}

extension YAMLNode {
  /// The tree with the values of expressions in the place of some of them; what has none stays as it is.
  fileprivate func settled(
    _ values: [SourceRange: LateValue], _ evaluate: LateReading.Evaluation
  ) -> YAMLNode {
    var node = self
    switch content {
    case .sequence(let nodes): node.content = .sequence(nodes.map { $0.settled(values, evaluate) })
    case .mapping(let members):
      node.content = .mapping(
        members.map { YAMLMember(key: $0.key, value: $0.value.settled(values, evaluate)) })
    case .scalar:
      guard let value = values[range], let result = evaluate(value.template, value.range) else {
        return self
      }
      node.content = result.nodeContent(at: range)
    }
    return node
  }
}

extension Value {
  /// The value as it would have been written.
  fileprivate func nodeContent(at range: SourceRange) -> YAMLNode.Content {
    switch self {
    case .null: .scalar(YAMLScalar(text: "null", style: .plain))
    case .bool(let bool): .scalar(YAMLScalar(text: bool ? "true" : "false", style: .plain))
    case .integer, .number: .scalar(YAMLScalar(text: textForm ?? "", style: .plain))
    // It is no expression, whatever it looks like; where a number is meant, one in digits will do.
    case .string(let text):
      .scalar(
        YAMLScalar(
          text: text.replacing("${{", with: "$${{"),
          style: YAMLScalar(text: text, style: .plain).isNumberOrBool ? .plain : .doubleQuoted))
    case .list(let elements): .sequence(elements.map { $0.node(at: range) })
    case .map(let members):
      .mapping(
        members.map { YAMLMember(key: Located($0.key, at: range), value: $0.value.node(at: range)) }
      )
    }
  }

  private func node(at range: SourceRange) -> YAMLNode {
    YAMLNode(
      content: nodeContent(at: range), range: range, lastLine: range.line, size: 1, height: 1)
  }
}

extension YAMLScalar {
  fileprivate var isNumberOrBool: Bool {
    switch meaning {
    case .bool, .integer, .number: true
    case .null, .text, .tooLarge, .notFinite: false
    }
  }
}
