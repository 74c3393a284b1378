internal import Foundations

/// A document of XML 1.0 with namespaces, as the data model of XPath 1.0 sees it (section 5).
///
/// Nodes stand in document order, each before what is in it, an element's attributes directly behind it. Nothing outside
/// of the bytes is ever opened: a document type is passed over, and the entities that it declares are not known.
package struct XMLDocument: Sendable {
  /// The kinds of nodes.
  enum Kind: UInt8, Sendable {
    case root
    case element
    case attribute
    case text
    case comment
    case instruction
  }

  /// A name with what its prefix stands for.
  struct Name: Hashable, Sendable {
    /// The prefix as written; empty for none.
    var prefix: String
    /// The name behind it.
    var local: String
    /// The namespace; empty for none.
    var namespace: String

    /// The name as written.
    var qualified: String { prefix.isEmpty ? local : "\(prefix):\(local)" }
  }

  /// A node, with places in the document's tables.
  struct Node: Sendable {
    var kind: Kind
    /// The place in `names`; of an instruction that of its target, of nodes without a name -1.
    var name: Int32 = -1
    /// The node around it; the root is its own.
    var parent: Int32
    /// The place behind the last node in it.
    var end: Int32 = 0
    /// The bytes in `texts`; nothing for elements and the root.
    var textStart: Int32 = 0
    var textEnd: Int32 = 0
    /// The bytes in `source`.
    var start: Int32
    var sourceEnd: Int32 = 0
    /// Whether white space counts in an element (XML 1.0, section 2.10).
    var preservesSpace = false
  }

  /// One node of a document, for those who show it.
  package struct Reference: Hashable, Sendable {
    /// The place among the document's nodes.
    let index: Int
  }

  /// The greatest depth to which elements may nest.
  package static let maximumDepth = 1_000
  /// The largest document in bytes.
  package static let maximumSize = 1 << 30

  let nodes: [Node]
  let names: [Name]
  /// The texts of all nodes, without entities.
  let texts: [UInt8]
  /// The document as UTF-8.
  let source: [UInt8]

  /// Reads a text; an encoding that it names does not count, as it is read already.
  package init(_ text: String) throws(XMLParseError) {
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    try self.init(utf8: bytes)
  }

  /// Reads bytes in UTF-8, UTF-16, ISO 8859-1 or Windows-1252, as their beginning says (XML 1.0, appendix F).
  package init(bytes: [UInt8]) throws(XMLParseError) {
    try self.init(utf8: XMLEncoding.utf8(of: bytes))
  }

  private init(utf8 bytes: [UInt8]) throws(XMLParseError) {
    var parser = XMLParser(bytes)
    try parser.parse()
    nodes = parser.nodes
    names = parser.names
    texts = parser.texts
    source = bytes
  }
}

/// The reason why a text is not XML.
package struct XMLParseError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package var message: String
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars.
  package var column: Int

  init(_ message: String, line: Int = 1, column: Int = 1) {
    self.message = message
    self.line = line
    self.column = column
  }
}

// MARK: - Texts

extension XMLDocument {
  /// XML's white space (section 2.3).
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// The string-value of a node (XPath 1.0, section 5).
  func text(of index: Int) -> String { String(decoding: textBytes(of: index), as: UTF8.self) }

  func textBytes(of index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    guard node.kind == .element || node.kind == .root else {
      return texts[Int(node.textStart)..<Int(node.textEnd)]
    }
    var only: Int?
    var bytes: [UInt8] = []
    for inner in (index + 1)..<max(index + 1, Int(node.end)) where nodes[inner].kind == .text {
      if only == nil, bytes.isEmpty {
        only = inner
        continue
      }
      if let first = only {
        bytes += textBytes(of: first)
        only = nil
      }
      bytes += textBytes(of: inner)
    }
    return only.map { textBytes(of: $0) } ?? bytes[...]
  }

  /// The largest length of the texts of several nodes together, in bytes: of elements in one another each has the text
  /// of all that are in it.
  package static let maximumTexts = 64 << 20

  /// The texts of nodes; `nil` if they are too long together.
  package func values(of nodes: [Reference]) -> [String]? {
    var texts: [String] = []
    var length = 0
    for node in nodes {
      texts.append(value(of: node))
      length += texts[texts.count - 1].utf8.count
      guard length <= Self.maximumTexts || texts.count == 1 else { return nil }
    }
    return texts
  }

  /// The text of a node as conditions and expressions see it: white space at the ends of what stands between tags does
  /// not count, unless `xml:space="preserve"` says so.
  func value(of node: Reference) -> String {
    let bytes = textBytes(of: node.index)
    guard nodes[node.index].kind != .attribute, !preservesSpace(node.index) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: Self.trimmed(bytes), as: UTF8.self)
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
  }

  /// Returns whether white space counts at a node.
  func preservesSpace(_ index: Int) -> Bool {
    let node = nodes[index]
    return node.kind == .element ? node.preservesSpace : nodes[Int(node.parent)].preservesSpace
  }
}

// MARK: - Relatives

extension XMLDocument {
  /// The places of an element's attributes.
  func attributes(of index: Int) -> Range<Int> {
    var end = index + 1
    guard nodes[index].kind == .element else { return end..<end }
    while end < nodes.count, nodes[end].kind == .attribute { end += 1 }
    return (index + 1)..<end
  }

  /// The place of the first child; the node's end if it has none.
  func firstChild(of index: Int) -> Int {
    nodes[index].kind == .root ? index + 1 : attributes(of: index).upperBound
  }

  /// The name of an element or attribute.
  func name(of index: Int) -> Name? {
    let place = Int(nodes[index].name)
    return place < 0 ? nil : names[place]
  }
}

// MARK: - What is shown

extension XMLDocument {
  /// A node as written, on one line, with its line in front: `line 3: <total>12.50</total>`.
  package func excerpt(of node: Reference, limit: Int = 160) -> String {
    let place = nodes[node.index]
    let start = Int(place.start)
    guard place.kind != .root else { return "the document" }
    // Four bytes hold any letter.
    let end = min(Int(place.sourceEnd), start + limit * 4)
    let text = String(decoding: source[start..<max(start, end)], as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "line \(Self.position(of: start, in: source).line): \(line.excerpt(limit: limit))"
  }

  /// Returns line and column of a byte, counted from 1, columns in Unicode scalars.
  static func position(of offset: Int, in source: [UInt8]) -> (line: Int, column: Int) {
    let before = source[..<min(offset, source.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = 1 + before.count { $0 == 0x0A }
    return (line, 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 })
  }
}
