internal import Foundations

/// Writes a document in the one style.
///
/// Two columns of indentation, lists indented as well; flow collections stay where they fit, and are opened
/// up where not; at most one empty line; comments in their places.
struct FormatWriter {
  /// The largest width of a line with a flow collection.
  static let width = 100

  /// A line and the comment behind it.
  struct Line {
    var text: String
    var comment: String?
    /// The former column of the comment, and its line: neighbours in one column stay so.
    var column = 0
  }

  private var lines: [Line] = []
  /// True if an empty line would belong to the block above.
  private var isBehindKeptLines = false

  /// The text of a document, with a final line feed.
  static func text(of document: FormatDocument) -> String {
    var writer = FormatWriter()
    writer.write(document)
    return writer.joined()
  }

  // MARK: - The document

  private mutating func write(_ document: FormatDocument) {
    write(document.prologue, indentation: 0)
    for directive in document.directives { emit(directive) }
    if document.hasStart { emit("---", comment: document.startComment) }
    write(document.lead, indentation: 0)
    let root = document.root
    switch root.content {
    case .collection(let collection) where !fits(root, behind: 0):
      if !root.properties.isEmpty || root.header != nil {
        emit(root.properties, comment: root.header)
      }
      write(collection, indentation: 0)
    default: writeValue(root, behind: "", indentation: 0, trailing: nil)
    }
    write(document.tail, indentation: 0)
    if document.hasEnd { emit("...") }
    write(document.epilogue, indentation: 0)
  }

  // MARK: - Lists and maps

  /// - Parameter opening: What stands in front of the first entry in its line.
  private mutating func write(
    _ collection: FormatCollection, indentation: Int, opening: String? = nil
  ) {
    for (index, element) in collection.elements.enumerated() {
      let lead =
        element.lead
        + (collection.isMapping ? [] : hoisted(from: element, indentation: indentation))
      var start = String(repeating: " ", count: indentation)
      if index == 0, let opening {
        start = opening
      } else {
        write(lead, indentation: indentation, isFirst: index == 0)
        if element.hasBlankBefore, index > 0 || !lead.isEmpty { breakLines() }
      }
      if let key = element.key {
        start += "\(keyText(key)):"
      } else {
        start += "-"
      }
      writeValue(
        element.value, behind: start, indentation: indentation, trailing: element.trailing,
        isItem: element.key == nil)
    }
    write(collection.tail, indentation: indentation)
  }

  /// Returns the comments within the line of a list's entry, which move in front of it.
  private func hoisted(from element: FormatElement, indentation: Int) -> [FormatLine] {
    guard case .collection(let collection) = element.value.content,
      element.value.properties.isEmpty, !fits(element.value, behind: indentation + 1)
    else { return [] }
    let lines =
      FormatReader.lines(of: element.value.header) + FormatReader.lines(of: element.trailing)
    guard let first = collection.elements.first else { return lines }
    return lines + first.lead
      + (collection.isMapping ? [] : hoisted(from: first, indentation: indentation + 2))
  }

  /// - Parameters:
  ///   - opening: The line so far.
  ///   - indentation: Of the entry that the value belongs to.
  private mutating func writeValue(
    _ node: FormatNode, behind opening: String, indentation: Int, trailing: FormatComment?,
    isItem: Bool = false
  ) {
    let comment = trailing ?? node.header
    let start = [opening, node.properties].filter { !$0.isEmpty }.joined(separator: " ")
    func line(_ text: String) -> String { start.isEmpty ? text : "\(start) \(text)" }
    switch node.content {
    case .absent: emit(start, comment: comment)
    case .alias(let name): emit(line("*\(name)"), comment: comment)
    case .scalar(let scalar): write(scalar, line, indentation: indentation, comment: comment)
    case .collection(let collection):
      if fits(node, behind: start.unicodeScalars.count), let text = flowText(node) {
        emit(line(text), comment: comment)
      } else if isItem, node.properties.isEmpty {
        write(collection, indentation: indentation + 2, opening: "\(opening) ")
      } else {
        emit(start, comment: node.header ?? trailing)
        if node.header != nil {
          write(FormatReader.lines(of: trailing), indentation: indentation + 2)
        }
        write(collection, indentation: indentation + 2)
      }
    }
  }

  private mutating func write(
    _ scalar: FormatScalar, _ line: (String) -> String, indentation: Int, comment: FormatComment?
  ) {
    let inner = String(repeating: " ", count: indentation + 2)
    if scalar.isBlock, scalar.lines.contains(where: { !$0.isEmpty }) {
      let first = scalar.lines.first { !$0.isEmpty }
      let indicator = first?.first == " " || first?.first == "\t" ? "2" : ""
      let mark = scalar.style == .literal ? "|" : ">"
      emit(line("\(mark)\(indicator)\(scalar.chomping)"), comment: comment)
      for text in scalar.lines { emit(text.isEmpty ? "" : inner + text, isContent: true) }
      isBehindKeptLines = scalar.chomping == "+"
    } else if !scalar.isBlock, scalar.lines.count > 1 {
      for (index, text) in scalar.lines.enumerated() {
        let isLast = index == scalar.lines.count - 1
        let whole = index == 0 ? line(text) : text.isEmpty ? "" : inner + text
        emit(whole, comment: isLast ? comment : nil, isContent: true)
      }
    } else {
      emit(line(scalar.oneLine), comment: comment)
    }
  }

  // MARK: - Flow

  /// Returns whether a node fits in one line.
  private func fits(_ node: FormatNode, behind length: Int) -> Bool {
    guard let text = flowText(node) else { return false }
    if case .collection(let collection) = node.content, collection.elements.isEmpty { return true }
    return length + 1 + text.unicodeScalars.count <= Self.width
  }

  /// A flow collection in one line, without its properties; `nil` if it is a block or holds comments.
  private func flowText(_ node: FormatNode) -> String? {
    guard case .collection(let collection) = node.content, collection.isFlow,
      collection.tail.isEmpty
    else { return nil }
    if collection.elements.isEmpty { return collection.isMapping ? "{}" : "[]" }
    if node.header != nil { return nil }
    var parts: [String] = []
    for element in collection.elements {
      guard element.lead.isEmpty, element.trailing == nil,
        let value = flowValue(element.value)
      else { return nil }
      guard let key = element.key else {
        parts.append(value)
        continue
      }
      // Behind a colon without a space a comma would belong to the key.
      parts.append("\(keyText(key)): \(value)")
    }
    let text = parts.joined(separator: ", ")
    guard collection.isMapping else { return "[\(text)]" }
    return text.hasSuffix(" ") ? "{ \(text)}" : "{ \(text) }"
  }

  private func flowValue(_ node: FormatNode) -> String? {
    let text: String?
    switch node.content {
    case .absent: text = ""
    case .alias(let name): text = "*\(name)"
    case .scalar(let scalar): text = node.header == nil ? scalar.oneLine : nil
    case .collection: text = flowText(node)
    }
    guard let text, !node.properties.isEmpty else { return text }
    return text.isEmpty ? node.properties : "\(node.properties) \(text)"
  }

  private func keyText(_ key: FormatNode) -> String {
    switch key.content {
    case .absent, .collection: return key.properties.isEmpty ? "''" : key.properties + " "
    case .alias(let name): return "*\(name) "
    case .scalar(let scalar):
      return key.properties.isEmpty ? scalar.oneLine : "\(key.properties) \(scalar.oneLine)"
    }
  }

  // MARK: - Lines

  private mutating func write(_ comments: [FormatLine], indentation: Int, isFirst: Bool = false) {
    for (index, comment) in comments.enumerated() {
      if comment.hasBlankBefore, index > 0 || !isFirst { breakLines() }
      emit(String(repeating: " ", count: indentation) + comment.text, isContent: true)
    }
  }

  private mutating func breakLines() {
    guard !lines.isEmpty, !isBehindKeptLines else { return }
    lines.append(Line(text: ""))
  }

  private mutating func emit(
    _ text: String, comment: FormatComment? = nil, isContent: Bool = false
  ) {
    isBehindKeptLines = false
    var text = text
    if !isContent { while text.hasSuffix(" ") { text.removeLast() } }
    lines.append(Line(text: text, comment: comment?.text, column: comment?.column ?? 0))
    for further in comment?.continuations ?? [] {
      lines.append(Line(text: "", comment: further, column: comment?.column ?? 0))
    }
  }

  /// Returns the lines; comments that were in one column below each other are in one column again.
  private func joined() -> String {
    var text = ""
    var index = 0
    while index < lines.count {
      guard lines[index].comment != nil else {
        text += lines[index].text + "\n"
        index += 1
        continue
      }
      var end = index
      while end < lines.count, lines[end].comment != nil, lines[end].column == lines[index].column {
        end += 1
      }
      let width = lines[index..<end].map { $0.text.unicodeScalars.count }.max() ?? 0
      for line in lines[index..<end] {
        let gap = width + (width == 0 ? 0 : 2) - line.text.unicodeScalars.count
        text += line.text + String(repeating: " ", count: gap) + (line.comment ?? "") + "\n"
      }
      index = end
    }
    return text
  }
}
