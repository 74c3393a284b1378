package import Foundations

/// A text of a scenario file that is to be another one.
package struct LiteralEdit: Sendable, Hashable {
  /// The place of its beginning.
  package var range: SourceRange
  /// The text to replace.
  package var old: String
  /// The replacement.
  package var new: String

  /// Creates an edit.
  package init(range: SourceRange, old: String, new: String) {
    self.range = range
    self.old = old
    self.new = new
  }
}

/// Writes texts of a scenario file anew in their places; everything else stays, comments among it.
package enum LiteralRewriting {
  /// The file with its new texts and the ends of lines that it has, and what could not be written.
  package static func apply(
    _ edits: [LiteralEdit], to text: String, path: String
  ) -> (text: String, refused: [Diagnostic]) {
    var file = LineEnds(text)
    var refused: [Diagnostic] = []
    let places = Dictionary(grouping: Set(edits)) { [$0.range.line, $0.range.column] }
    for (_, edits) in places.sorted(by: { $1.key.lexicographicallyPrecedes($0.key) }) {
      guard let edit = edits.first else { continue }
      guard edits.count == 1 else {
        refused.append(refusal(edit, "scenarios that share this text need different texts"))
        continue
      }
      if let rewritten = apply(edit, to: file.text, path: path) {
        file.replace(with: rewritten)
      } else {
        refused.append(refusal(edit, "the text is not written literally here"))
      }
    }
    return (file.original, refused)
  }

  private static func refusal(_ edit: LiteralEdit, _ reason: String) -> Diagnostic {
    Diagnostic(
      "cannot update this expected text: \(reason)", code: .badExpectation, at: edit.range,
      help: "change it by hand, or use `snapshot: true`")
  }

  private static func apply(_ edit: LiteralEdit, to text: String, path: String) -> String? {
    guard let before = Leaf.all(of: text, path: path),
      let index = before.firstIndex(where: {
        $0.range.line == edit.range.line && $0.range.column == edit.range.column
      }), before[index].scalar.text == edit.old,
      let place = Place(of: before[index], in: Array(text.unicodeScalars))
    else { return nil }
    var expected = before.map(\.scalar.text)
    for (written, meant) in place.candidates(for: edit.new) {
      expected[index] = meant
      guard let after = Leaf.all(of: written, path: path),
        after.map(\.scalar.text) == expected
      else { continue }
      return written
    }
    return nil
  }
}

/// A scalar of a file, with its place.
private struct Leaf {
  var scalar: YAMLScalar
  var range: SourceRange
  var lastLine: Int

  /// Returns the scalars in the order of the file, keys among them; `nil` if it cannot be read.
  static func all(of text: String, path: String) -> [Leaf]? {
    let result = YAMLReader.read(SourceText(path: path, bytes: Array(text.utf8)))
    guard let root = result.root, !result.diagnostics.contains(where: { $0.severity == .error })
    else { return nil }
    var leaves: [Leaf] = []
    collect(root, &leaves)
    return leaves
  }

  private static func collect(_ node: YAMLNode, _ leaves: inout [Leaf]) {
    switch node.content {
    case .scalar(let scalar):
      leaves.append(Leaf(scalar: scalar, range: node.range, lastLine: node.lastLine))
    case .sequence(let nodes): for node in nodes { collect(node, &leaves) }
    case .mapping(let members):
      for member in members {
        let key = YAMLScalar(text: member.key.value, style: .plain, tag: nil)
        leaves.append(Leaf(scalar: key, range: member.key.range, lastLine: member.key.range.line))
        collect(member.value, &leaves)
      }
    }
  }
}

/// The stretch of a file that a scalar takes, and what surrounds it.
private struct Place {
  private let scalars: [Unicode.Scalar]
  private let stretch: Range<Int>
  private let leaf: Leaf
  /// The column of the key, or of the entry, that the scalar belongs to.
  private let margin: Int
  /// The text behind the scalar on its first line: a comment, at most.
  private let remark: String
  private let isBlock: Bool

  init?(of leaf: Leaf, in scalars: [Unicode.Scalar]) {
    self.leaf = leaf
    self.scalars = scalars
    var starts = [0]
    for index in scalars.indices where scalars[index] == "\n" { starts.append(index + 1) }
    guard starts.indices.contains(leaf.range.line - 1) else { return nil }
    let lineStart = starts[leaf.range.line - 1]
    let start = lineStart + leaf.range.column - 1
    guard start < scalars.count else { return nil }
    margin = Self.margin(scalars[lineStart..<start])
    isBlock = leaf.scalar.style == .literal || leaf.scalar.style == .folded
    guard let end = Self.end(of: leaf, from: start, scalars, starts, margin: margin) else {
      return nil
    }
    stretch = start..<end
    let remarkStart = isBlock ? start : end
    let lineEnd = scalars[remarkStart...].firstIndex(of: "\n") ?? scalars.count
    let rest = String(String.UnicodeScalarView(scalars[remarkStart..<lineEnd]))
    if isBlock {
      remark = rest.firstRange(of: " #").map { String(rest[$0.lowerBound...]) } ?? ""
    } else {
      let isRemark = rest.drop { $0 == " " || $0 == "\t" }.first.map { $0 == "#" } ?? true
      remark = isRemark ? rest : "\0"
    }
  }

  private static func margin(_ prefix: ArraySlice<Unicode.Scalar>) -> Int {
    var index = prefix.startIndex
    while index < prefix.endIndex {
      let isDash =
        prefix[index] == "-" && index + 1 < prefix.endIndex && prefix[index + 1] == " "
      guard prefix[index] == " " || isDash else { break }
      index += 1
    }
    // The entry of a list is no deeper than its dash.
    let isEntry = index == prefix.endIndex
    return max(0, index - prefix.startIndex - (isEntry ? 2 : 0))
  }

  private static func end(
    of leaf: Leaf, from start: Int, _ scalars: [Unicode.Scalar], _ starts: [Int], margin: Int
  ) -> Int? {
    switch leaf.scalar.style {
    case .plain:
      return leaf.lastLine == leaf.range.line ? start + leaf.range.length : nil
    case .singleQuoted:
      guard scalars[start] == "'" else { return nil }
      var index = start + 1
      while index < scalars.count {
        guard scalars[index] == "'" else {
          index += 1
          continue
        }
        guard index + 1 < scalars.count, scalars[index + 1] == "'" else { return index + 1 }
        index += 2
      }
      return nil
    case .doubleQuoted:
      guard scalars[start] == "\"" else { return nil }
      var index = start + 1
      while index < scalars.count {
        if scalars[index] == "\"" { return index + 1 }
        index += scalars[index] == "\\" ? 2 : 1
      }
      return nil
    case .literal, .folded:
      guard scalars[start] == "|" || scalars[start] == ">" else { return nil }
      var end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
      for line in leaf.range.line..<max(leaf.range.line, starts.count) {
        let first = starts[line]
        let next = line + 1 < starts.count ? starts[line + 1] - 1 : scalars.count
        let content = scalars[first..<next].firstIndex { $0 != " " && $0 != "\r" }
        guard let content else { continue }
        guard content - first > margin else { break }
        end = next
      }
      return end
    }
  }

  /// The whole file with the new text, in the ways in which it may be written, best first; and what each
  /// means to a reader.
  func candidates(for text: String) -> [(written: String, meant: String)] {
    let stripped = text.hasSuffix("\n") ? String(text.dropLast()) : text
    let isShort = !stripped.contains("\n")
    var ways: [(String, String, isBlock: Bool)] = []
    if isShort {
      if leaf.scalar.style == .plain || isBlock, YAMLQuoting.isPlain(stripped) {
        ways.append((stripped, stripped, false))
      }
      if leaf.scalar.style == .singleQuoted, !stripped.contains("'") {
        ways.append(("'\(stripped)'", stripped, false))
      }
    } else {
      // In a flow collection there are no blocks, which reading it again tells.
      let block = YAMLQuoting.block(text, indentation: margin + 2)
      if let block { ways.append((block, text, true)) }
    }
    let kept = isShort || !leaf.scalar.text.hasSuffix("\n") ? stripped : text
    ways.append((YAMLQuoting.quoted(kept), kept, false))
    return ways.compactMap { way in
      compose(way.0, isBlock: way.isBlock).map { ($0, way.1) }
    }
  }

  private func compose(_ value: String, isBlock becomesBlock: Bool) -> String? {
    var head = String(String.UnicodeScalarView(scalars[..<stretch.lowerBound]))
    var tail = String(String.UnicodeScalarView(scalars[stretch.upperBound...]))
    if becomesBlock {
      guard remark != "\0" else { return nil }
      let header = value.prefix { $0 != "\n" }
      head += header + remark + value.dropFirst(header.count)
      if !isBlock { tail = String(tail.dropFirst(remark.count)) }
    } else {
      head += value + (isBlock ? remark : "")
    }
    return head + tail
  }
}
