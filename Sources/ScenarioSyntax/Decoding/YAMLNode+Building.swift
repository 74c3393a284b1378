internal import Foundations
internal import OrderedCollections

// Nodes as an author could have written them: importers translate other tools' files into the language,
// and leave it to the language's own decoder to judge the outcome.

extension YAMLNode {
  /// Text as it is, expressions shielded.
  static func text(_ text: String, at range: SourceRange) -> YAMLNode {
    scalar(text.replacing("${{", with: "$${{"), .doubleQuoted, at: range)
  }

  /// A number, a truth value, null, or a word of the language.
  static func word(_ word: String, at range: SourceRange) -> YAMLNode {
    scalar(word, .plain, at: range)
  }

  /// A list.
  static func list(_ nodes: [YAMLNode], at range: SourceRange) -> YAMLNode {
    YAMLNode(
      content: .sequence(nodes), range: range, lastLine: range.line,
      size: nodes.reduce(1) { $0 + $1.size }, height: 1 + (nodes.map(\.height).max() ?? 0))
  }

  /// A map; members without a value are left out.
  static func map(_ members: [(String, YAMLNode?)], at range: SourceRange) -> YAMLNode {
    let present = members.compactMap { key, value in
      value.map { YAMLMember(key: Located(key, at: $0.range), value: $0) }
    }
    return YAMLNode(
      content: .mapping(present), range: range, lastLine: range.line,
      size: present.reduce(1) { $0 + $1.value.size },
      height: 1 + (present.map(\.value.height).max() ?? 0))
  }

  /// Data as it is.
  static func data(_ value: Value, at range: SourceRange) -> YAMLNode {
    switch value {
    case .null: word("null", at: range)
    case .bool(let bool): word(bool ? "true" : "false", at: range)
    case .integer(let integer): word(String(integer), at: range)
    case .number(let number): word(Self.numberText(number), at: range)
    case .string(let string): text(string, at: range)
    case .list(let values): list(values.map { data($0, at: range) }, at: range)
    case .map(let members): map(members.map { ($0, data($1, at: range)) }, at: range)
    }
  }

  /// A number that is not taken for a whole one.
  private static func numberText(_ number: Double) -> String {
    let text = number.description
    return Int64(text) == nil ? text : text + ".0"
  }

  private static func scalar(
    _ text: String, _ style: YAMLScalar.Style, at range: SourceRange
  ) -> YAMLNode {
    YAMLNode(
      content: .scalar(YAMLScalar(text: text, style: style, tag: nil)), range: range,
      lastLine: range.line, size: 1, height: 1)
  }

  /// The data that a node of a JSON file holds.
  var jsonValue: Value {
    switch content {
    case .sequence(let nodes): return .list(nodes.map(\.jsonValue))
    case .mapping(let members):
      var map: OrderedDictionary<String, Value> = [:]
      for member in members { map[member.key.value] = member.value.jsonValue }
      return .map(map)
    case .scalar(let scalar):
      guard scalar.style == .plain else { return .string(scalar.text) }
      return (try? JSONText.parse(scalar.text)) ?? .string(scalar.text)
    }
  }

  /// The text of a scalar that is not null.
  var scalarText: String? {
    guard case .scalar(let scalar) = content, !isNull else { return nil }
    return scalar.text
  }

  /// The member with a key.
  subscript(key: String) -> YAMLNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.key.value == key }?.value
  }

  /// The elements of a list.
  var elements: [YAMLNode]? {
    guard case .sequence(let nodes) = content else { return nil }
    return nodes
  }
}
