internal import Foundations
internal import ScenarioPlan
internal import ScenarioSyntax

extension DocumentFeatures {
  /// Returns the documentation of the word at a place.
  func hover(at position: EditorPosition) -> Value {
    let bytes = document.text.bytes
    let offset = offset(position)
    var (start, end) = (offset, offset)
    let line = document.text.line(position.line)
    while start > line.lowerBound, Self.isWord(bytes[start - 1]) { start -= 1 }
    while end < line.upperBound, Self.isWord(bytes[end]) { end += 1 }
    guard start < end, start <= offset else { return .null }
    let context = CursorContext(of: bytes, at: end)
    var parts: [String] = []
    if let occurrence = document.names.occurrence(
      at: offset, in: document.text, document.source)
    {
      parts.append(meaning(of: occurrence))
    }
    if let expression = context.expression {
      // A path is looked at from its beginning.
      var first = start
      while first > expression.lowerBound,
        Self.isWord(bytes[first - 1]) || bytes[first - 1] == UInt8(ascii: ".")
      {
        first -= 1
      }
      let path = String(decoding: bytes[first..<end], as: UTF8.self)
      parts += Self.meaning(ofExpression: path).map { [$0] } ?? []
    } else if let documentation = documentation(context, bytes[start..<end], behind: end) {
      parts.append(documentation)
    }
    guard !parts.isEmpty else { return .null }
    return .object([
      "contents": .object([
        "kind": .string("markdown"), "value": .string(parts.joined(separator: "\n\n---\n\n")),
      ]),
      "range": document.text.range(of: start..<end, encoding).value,
    ])
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: byte >= 0x80
    }
  }

  /// Returns the documentation of a key; of a value that of its key.
  private func documentation(
    _ context: CursorContext, _ word: ArraySlice<UInt8>, behind end: Int
  ) -> String? {
    let text = String(decoding: word, as: UTF8.self)
    if context.mayBeKey {
      let place = context.place.value(of: text, beside: context.siblings.union([text]))
      let bytes = document.text.bytes
      var next = end
      while next < bytes.count, bytes[next] == 0x20 || bytes[next] == UInt8(ascii: "\"") {
        next += 1
      }
      if next < bytes.count, bytes[next] == UInt8(ascii: ":"), let own = place.documentation {
        return own
      }
    }
    return context.mayBeValue ? context.place.documentation : nil
  }

  private func meaning(of occurrence: NameOccurrence) -> String {
    let title = "**\(occurrence.name)**: a \(occurrence.kind.word)"
    guard occurrence.kind != .file else { return "**\(occurrence.name)**: a file" }
    var index = NameIndex(workspace)
    guard let definition = index.definition(of: occurrence, in: document.path),
      let file = index.file(definition.path)
    else { return title + ", which is not defined here" }
    let line = definition.occurrence.range.line
    let place = definition.path == document.path ? "line \(line)" : "\(definition.path):\(line)"
    var excerpt: [String] = []
    for number in line..<(line + Self.excerptLimit) {
      guard let text = file.source.line(number) else { break }
      let indentation = text.prefix { $0 == " " }.count
      let first = excerpt.first.map { $0.prefix { $0 == " " }.count } ?? -1
      guard excerpt.isEmpty || indentation > first || text.isEmpty else { break }
      excerpt.append(text)
    }
    return "\(title), defined in \(place)\n\n```yaml\n\(excerpt.joined(separator: "\n"))\n```"
  }

  /// The largest number of lines of a definition that are shown; more are read where they are.
  private static let excerptLimit = 12

  static func meaning(ofExpression path: String) -> String? {
    let names = path.split(separator: ".").map(String.init)
    guard let first = names.first else { return nil }
    if let root = ExpressionRoot(rawValue: first) {
      return "**\(first)**: \(root.entry.summary)"
    }
    guard names.count == 1, let function = ExpressionFunction.named(first) else { return nil }
    let example = function.example
    return
      "**\(function.usage)**: \(function.summary)\n\n`\(example.expression)` gives `\(example.result)`"
  }
}
