internal import Foundations

/// Puts values in place of `${{ with.NAME }}` in what a block holds.
struct ParameterFilling {
  private let arguments: [String: YAMLNode]
  private lazy var names = KnownNames(arguments.keys)
  private let block: String
  private(set) var diagnostics: [Diagnostic] = []

  init(_ arguments: [String: YAMLNode], block: String) {
    self.arguments = arguments
    self.block = block
  }

  /// The node with values in the places of parameters.
  mutating func fill(_ node: YAMLNode) -> YAMLNode {
    var node = node
    switch node.content {
    case .scalar(let scalar): return fill(scalar, in: node)
    case .sequence(let nodes): node.content = .sequence(nodes.map { fill($0) })
    case .mapping(let members):
      node.content = .mapping(
        members.map { YAMLMember(key: $0.key, value: fill($0.value)) })
    }
    return node
  }

  private mutating func fill(_ scalar: YAMLScalar, in node: YAMLNode) -> YAMLNode {
    guard scalar.text.contains("${{"), scalar.text.contains("with.") else { return node }
    var result = ""
    var rest = scalar.text[...]
    var isChanged = false
    while let open = rest.firstRange(of: "${{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      let inner = rest[open.upperBound..<close.lowerBound]
      let name = Self.parameter(String(inner))
      if let name, open.lowerBound == scalar.text.startIndex,
        close.upperBound == scalar.text.endIndex
      {
        // Alone it keeps its type, be it a list or a map.
        return value(of: name, at: node.range) ?? node
      }
      result += rest[..<open.lowerBound]
      if let name {
        result += text(of: name, at: node.range)
        isChanged = true
      } else if let filled = expression(String(inner), at: node.range) {
        result += "${{\(filled)}}"
        isChanged = isChanged || filled != inner
      }
      rest = rest[close.upperBound...]
    }
    guard isChanged else { return node }
    var filled = node
    // What was text stays text, whatever it looks like now.
    filled.content = .scalar(YAMLScalar(text: result + rest, style: .doubleQuoted, tag: scalar.tag))
    return filled
  }

  /// `with.NAME`, and nothing else.
  private static func parameter(_ expression: String) -> String? {
    let word = expression.filter { $0 != " " }
    guard word.hasPrefix("with."), word.count > 5 else { return nil }
    let name = word.dropFirst(5)
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
  }

  private mutating func value(of name: String, at range: SourceRange) -> YAMLNode? {
    if let node = arguments[name] { return node }
    report(
      "the block \"\(block)\" has no parameter \"\(name)\"", at: range,
      help: arguments.isEmpty
        ? "define it in \"params\" of the block"
        : names.help(for: name, label: "parameters"))
    return nil
  }

  /// A value as a part of a text.
  private mutating func text(of name: String, at range: SourceRange) -> String {
    guard let node = value(of: name, at: range) else { return "" }
    guard case .scalar(let scalar) = node.content else {
      report(
        "\"\(name)\" is not a text, but is used within a text", at: range,
        help: "write only ${{ with.\(name) }} as the value, or pass a text or a number")
      return ""
    }
    return scalar.text
  }

  /// Returns an expression with values in the places of parameters; quoted text is unchanged.
  private mutating func expression(_ text: String, at range: SourceRange) -> String? {
    var result = ""
    var rest = text[...]
    var isQuoted = false
    while let letter = rest.first {
      if letter == "'" { isQuoted.toggle() }
      let isWord = result.last.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
      guard !isQuoted, !isWord, rest.hasPrefix("with.") else {
        result.append(letter)
        rest = rest.dropFirst()
        continue
      }
      let name = String(rest.dropFirst(5).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      guard let node = value(of: name, at: range), let literal = literal(of: node, name, at: range)
      else { return nil }
      result += literal
      rest = rest.dropFirst(5 + name.count)
    }
    return result
  }

  /// A value as a part of an expression.
  private mutating func literal(
    of node: YAMLNode, _ name: String, at range: SourceRange
  ) -> String? {
    if case .scalar(let scalar) = node.content {
      switch scalar.meaning {
      case .null: return "null"
      case .bool, .integer, .number: return scalar.text
      case .text:
        let text = scalar.text
        guard text.contains("${{") else {
          return "'\(text.replacing("'", with: "''"))'"
        }
        if text.hasPrefix("${{"), text.hasSuffix("}}"), !text.dropFirst(3).contains("${{") {
          return "(\(text.dropFirst(3).dropLast(2)))"
        }
      case .tooLarge, .notFinite: break
      }
    }
    report(
      "the value of \"\(name)\" cannot be used in an expression", at: range,
      help: "pass a text, a number, true, false, or one expression")
    return nil
  }

  private mutating func report(_ message: String, at range: SourceRange, help: String) {
    diagnostics.append(Diagnostic(message, code: .badBlock, at: range, help: help))
  }
}
