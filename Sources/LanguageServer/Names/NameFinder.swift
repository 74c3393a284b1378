internal import Foundations
internal import ScenarioSyntax

/// Walks through a file and finds its names.
struct NameFinder {
  private let source: SourceText
  private(set) var occurrences: [NameOccurrence] = []
  private var scenario: Int?
  private var owner: String?

  init(source: SourceText) {
    self.source = source
  }

  mutating func walk(_ node: YAMLNode, at place: LanguagePlace, isTop: Bool = true) {
    switch node.content {
    case .mapping(let members): walk(members, at: place, isTop: isTop)
    case .sequence(let nodes):
      let entry = place.entry
      for node in nodes { walk(node, at: entry, isTop: false) }
    case .scalar(let scalar):
      // A number behind `$seq` is one to begin with.
      if let role = place.role, !scalar.text.isEmpty, !scalar.text.mayHoldExpressions,
        role.kind != .sequence || scalar.meaning == .text
      {
        add(role, name: scalar.text, at: inner(node.range, scalar), key: place.keyName)
      }
      if scalar.text.mayHoldExpressions { findInExpressions(of: scalar, at: node.range) }
    }
  }

  private mutating func walk(_ members: [YAMLMember], at place: LanguagePlace, isTop: Bool) {
    let present = Set(members.map(\.key.value))
    let outer = owner
    if let factory = members.first(where: { $0.key.value == "$build" })?.value.scalarText {
      owner = factory
    }
    for member in members {
      let key = member.key.value
      let role = place.role(ofKey: key, beside: present)
      if let role {
        add(role, name: key, at: unquoted(member.key.range), key: place.keyName)
      }
      let own = owner
      if role == .gives(.factory) { owner = key }
      let next = place.value(of: key, beside: present)
      if isTop, key == "scenarios", case .sequence(let nodes) = member.value.content {
        for (index, node) in nodes.enumerated() {
          scenario = index
          walk(node, at: next.entry, isTop: false)
        }
        scenario = nil
      } else {
        walk(member.value, at: next, isTop: false)
      }
      owner = own
    }
    owner = outer
  }

  private mutating func add(_ role: NameRole, name: String, at range: SourceRange, key: String?) {
    occurrences.append(
      NameOccurrence(
        kind: role.kind, name: name, isDefinition: role.isDefinition, range: range,
        scenario: scenario, owner: owner, key: key))
  }

  // MARK: - Expressions

  private static let opening = Array("${{".unicodeScalars)

  /// Finds `build.NAME` and its like; quoted parts are text.
  private mutating func findInExpressions(of scalar: YAMLScalar, at range: SourceRange) {
    let scalars = Array(scalar.text.unicodeScalars)
    let places = TextPlaces(scalar, at: range, in: source)
    var position = 0
    var isInside = false
    while position < scalars.count {
      if !isInside {
        isInside = scalars[position...].starts(with: Self.opening)
        position += isInside ? Self.opening.count : 1
        continue
      }
      let scalar = scalars[position]
      if scalar == "}", scalars[position...].starts(with: "}}".unicodeScalars) {
        isInside = false
        position += 2
      } else if scalar == "'" || scalar == "\"" {
        position += 1
        while position < scalars.count, scalars[position] != scalar { position += 1 }
        position += 1
      } else if Self.isWord(scalar) {
        position = find(from: position, in: scalars, places)
      } else {
        position += 1
      }
    }
  }

  /// Finds the names of a path, and returns the place behind it.
  private mutating func find(
    from start: Int, in scalars: [Unicode.Scalar], _ places: TextPlaces
  ) -> Int {
    func word(from start: Int) -> Int {
      var end = start
      while end < scalars.count, Self.isWord(scalars[end]) { end += 1 }
      return end
    }
    var end = word(from: start)
    let root = String(String.UnicodeScalarView(scalars[start..<end]))
    let kind = NameKind.allCases.first { $0.expressionRoot == root }
    if let kind, end < scalars.count, scalars[end] == "." {
      let first = end + 1
      end = word(from: first)
      let name = String(String.UnicodeScalarView(scalars[first..<end]))
      if !name.isEmpty {
        add(
          .uses(kind), name: name,
          at: places.range(at: first, length: end - first), key: nil)
      }
    }
    // What follows are steps into the value.
    while end < scalars.count, scalars[end] == "." || Self.isWord(scalars[end]) { end += 1 }
    return end
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  // MARK: - Quotes

  private func inner(_ range: SourceRange, _ scalar: YAMLScalar) -> SourceRange {
    scalar.style == .singleQuoted || scalar.style == .doubleQuoted ? unquoted(range) : range
  }

  /// The part of a range between quotes.
  private func unquoted(_ range: SourceRange) -> SourceRange {
    guard range.length > 2, let first = source.text(line: range.line, from: range.column, limit: 1),
      first == "\"" || first == "'"
    else { return range }
    return SourceRange(
      file: range.file, line: range.line, column: range.column + 1, length: range.length - 2)
  }
}

extension YAMLNode {
  /// The text of a scalar.
  var scalarText: String? {
    if case .scalar(let scalar) = content { scalar.text } else { nil }
  }
}
