internal import Foundations
internal import ScenarioSyntax

extension DocumentFeatures {
  /// Returns the outline of the document, as a tree: its sections, scenarios, steps and
  /// definitions.
  func symbols() -> Value {
    guard case .mapping(let members)? = document.names.tree?.content else { return .list([]) }
    return .list(members.compactMap { symbol($0, depth: 0) })
  }

  /// Deeper data is no outline any more.
  private static let depthLimit = 3

  /// The numbers of LSP 3.17, `SymbolKind`.
  private enum SymbolKind: Int {
    case module = 2
    case property = 7
    case method = 6
    case event = 24
  }

  private func symbol(_ member: YAMLMember, depth: Int) -> Value? {
    symbol(
      named: member.key.value, kind: depth == 0 ? .module : .property, at: member.key.range,
      value: member.value, depth: depth)
  }

  private func symbol(
    named name: String, kind: SymbolKind, at range: SourceRange, value: YAMLNode, depth: Int
  ) -> Value? {
    guard let selection = self.range(range) else { return nil }
    let last = document.source.line(value.lastLine).map { $0.unicodeScalars.count } ?? 0
    let end = document.text.offsets(
      of: SourceRange(file: range.file, line: value.lastLine, column: last + 1),
      in: document.source
    )?.lowerBound
    let place = end.map { document.text.position(of: $0, encoding) } ?? selection.end
    let whole = EditorRange(start: selection.start, end: max(place, selection.end))
    return .object([
      "name": .string(name.isEmpty ? "-" : name), "detail": detail(of: value).map { .string($0) },
      "kind": .int(kind.rawValue), "range": whole.value, "selectionRange": selection.value,
      "children": .list(children(of: value, depth: depth + 1)),
    ])
  }

  private func children(of node: YAMLNode, depth: Int) -> [Value] {
    guard depth < Self.depthLimit else { return [] }
    switch node.content {
    case .scalar: return []
    case .mapping(let members): return members.compactMap { symbol($0, depth: depth) }
    case .sequence(let nodes):
      return nodes.compactMap { node in
        guard case .mapping(let members) = node.content, let first = members.first else {
          return nil
        }
        let name = members.first { $0.key.value == "name" }
        let shown = name?.value.scalarText ?? Self.line(first)
        return symbol(
          named: shown, kind: depth == 1 ? .method : .event, at: (name ?? first).key.range,
          value: node, depth: depth)
      }
    }
  }

  /// A key with its value, if that is one word.
  private static func line(_ member: YAMLMember) -> String {
    guard let text = member.value.scalarText, !text.isEmpty, !text.contains("\n") else {
      return member.key.value
    }
    return "\(member.key.value): \(text)"
  }

  private func detail(of node: YAMLNode) -> String? {
    guard let text = node.scalarText, !text.isEmpty, !text.contains("\n") else { return nil }
    return String(text.prefix(60))
  }

  // MARK: - Lenses

  /// The command that a client offers a run by; its arguments are the place and the line of a shell.
  static let runCommand = "scenario.run"

  /// A run above each scenario.
  func lenses() -> Value {
    guard case .mapping(let members)? = document.names.tree?.content else { return .list([]) }
    var places: [SourceRange] = []
    if case .sequence(let nodes)? = members.first(where: { $0.key.value == "scenarios" })?.value
      .content
    {
      places = nodes.map(\.range)
    } else if let first = members.first(where: { ["steps", "expect"].contains($0.key.value) }) {
      places = [first.key.range]
    }
    return .list(
      places.compactMap { place in
        guard let range = range(place) else { return nil }
        let argument = "\(document.path):\(place.line)"
        return .object([
          "range": range.value,
          "command": .object([
            "title": .string("scenario run \(argument)"), "command": .string(Self.runCommand),
            "arguments": .list([.string(argument)]),
          ]),
        ])
      })
  }
}
