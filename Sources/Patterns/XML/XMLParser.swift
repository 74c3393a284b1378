internal import Foundations

/// Reads a document of XML 1.0 with namespaces, whose bytes are UTF-8, in one pass and without recursion.
struct XMLParser {
  /// An element whose closing tag has not come.
  private struct Open {
    var node: Int
    /// The bytes of its name.
    var name: Range<Int>
    /// The number of namespaces that were in force around it.
    var bindingCount: Int
  }

  /// An attribute whose prefix may be declared behind it.
  private struct Attribute {
    var name: Range<Int>
    var node: XMLDocument.Node
  }

  let source: [UInt8]
  var position = 0
  private(set) var nodes: [XMLDocument.Node] = []
  private(set) var texts: [UInt8] = []
  private var scope = XMLNameScope()
  private var open: [Open] = []
  /// The text that goes on where the next one begins: references and CDATA sections do not end one.
  private var currentText: Int?
  private var hasDocumentType = false
  private var hasRoot = false

  init(_ source: [UInt8]) {
    self.source = source
  }

  var names: [XMLDocument.Name] { scope.names }

  mutating func parse() throws(XMLParseError) {
    guard source.count <= XMLDocument.maximumSize else {
      throw XMLParseError("a document of \(source.count) bytes is too large")
    }
    nodes.append(XMLDocument.Node(kind: .root, parent: 0, start: 0))
    texts.reserveCapacity(source.count)
    try skipDeclaration()
    while let byte = current {
      if byte == UInt8(ascii: "<") { try markup() } else { try text() }
    }
    if let last = open.last {
      throw failure(
        "the document ends within <\(name(last.name))>, which begins in line"
          + " \(line(of: Int(nodes[last.node].start)))")
    }
    guard hasRoot else { throw failure("expected an element, found \(found)") }
    nodes[0].end = Int32(nodes.count)
    nodes[0].sourceEnd = Int32(source.count)
  }

  // MARK: - Markup

  private mutating func markup() throws(XMLParseError) {
    if starts(with: "<![CDATA[") { return try literalText() }
    currentText = nil
    if starts(with: "</") { return try closingTag() }
    if starts(with: "<!--") { return try comment() }
    if starts(with: "<?") { return try instruction() }
    if starts(with: "<!DOCTYPE") { return try documentType() }
    try openingTag()
  }

  private mutating func openingTag() throws(XMLParseError) {
    let start = position
    position += 1
    let name = try takeName("the name of an element")
    if open.isEmpty, hasRoot {
      throw failure(
        "a document has one outermost element, and <\(self.name(name))> is another one", at: start)
    }
    guard open.count < XMLDocument.maximumDepth else {
      throw failure("elements nest deeper than \(XMLDocument.maximumDepth)", at: start)
    }
    hasRoot = true
    let element = nodes.count
    nodes.append(XMLDocument.Node(kind: .element, parent: parent, start: Int32(start)))
    let bindingCount = scope.count
    let attributes = try takeAttributes(of: name, element: element)
    let isEmpty = take("/")
    guard take(">") else {
      throw failure("expected \">\" at the end of <\(self.name(name))>, found \(found)")
    }
    try resolve(name, attributes, element: element)
    if isEmpty {
      close(element, bindingCount)
    } else {
      open.append(Open(node: element, name: name, bindingCount: bindingCount))
    }
  }

  private mutating func closingTag() throws(XMLParseError) {
    let start = position
    position += 2
    let name = try takeName("the name of an element")
    guard let last = open.popLast() else {
      throw failure("</\(self.name(name))> closes nothing", at: start)
    }
    guard source[name] == source[last.name] else {
      throw failure(
        "</\(self.name(name))> does not close <\(self.name(last.name))>, which begins in line"
          + " \(line(of: Int(nodes[last.node].start)))", at: start)
    }
    skipSpace()
    guard take(">") else {
      throw failure("expected \">\" at the end of </\(self.name(name))>, found \(found)")
    }
    close(last.node, last.bindingCount)
  }

  private mutating func close(_ element: Int, _ bindingCount: Int) {
    nodes[element].end = Int32(nodes.count)
    nodes[element].sourceEnd = Int32(position)
    scope.leave(bindingCount)
  }

  // MARK: - Attributes

  private mutating func takeAttributes(
    of element: Range<Int>, element index: Int
  ) throws(XMLParseError) -> [Attribute] {
    var attributes: [Attribute] = []
    while true {
      let hasSpace = skipSpace()
      guard let byte = current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return attributes
      }
      guard hasSpace else {
        throw failure("expected white space in <\(name(element))>, found \(found)")
      }
      let start = position
      let attribute = try takeName("the name of an attribute", of: element)
      skipSpace()
      guard take("=") else {
        throw failure(
          "the attribute \"\(name(attribute))\" of <\(name(element))> has no value", at: start)
      }
      skipSpace()
      let textStart = texts.count
      try takeAttributeValue(of: attribute)
      if try bind(attribute, textStart, at: start) { continue }
      attributes.append(
        Attribute(
          name: attribute,
          node: XMLDocument.Node(
            kind: .attribute, parent: Int32(index), textStart: Int32(textStart),
            textEnd: Int32(texts.count), start: Int32(start), sourceEnd: Int32(position))))
    }
  }

  /// Reads a value, in which white space is one kind only (section 3.3.3).
  private mutating func takeAttributeValue(of name: Range<Int>) throws(XMLParseError) {
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw failure("the value of the attribute \"\(self.name(name))\" is not in quotes")
    }
    position += 1
    var start = position
    while let byte = current {
      switch byte {
      case quote:
        texts += source[start..<position]
        position += 1
        return
      case UInt8(ascii: "&"):
        texts += source[start..<position]
        texts += try takeReference()
        start = position
      case 0x09, 0x0A, 0x0D:
        texts += source[start..<position]
        if byte != 0x0D || source.count == position + 1 || source[position + 1] != 0x0A {
          texts.append(0x20)
        }
        position += 1
        start = position
      case UInt8(ascii: "<"):
        throw failure("a \"<\" in the attribute \"\(self.name(name))\" must be written &lt;")
      case 0..<0x20: throw control(byte)
      default: position += 1
      }
    }
    throw failure("the document ends within the attribute \"\(self.name(name))\"")
  }

  /// Takes `xmlns` and `xmlns:prefix`, which are no attributes (XPath 1.0, section 5.3); false if it is another one.
  private mutating func bind(
    _ name: Range<Int>, _ textStart: Int, at start: Int
  ) throws(XMLParseError) -> Bool {
    guard source[name].starts(with: "xmlns".utf8) else { return false }
    let written = self.name(name)
    guard written == "xmlns" || written.hasPrefix("xmlns:") else { return false }
    let prefix = String(written.dropFirst("xmlns:".count))
    let namespace = String(decoding: texts[textStart...], as: UTF8.self)
    texts.removeSubrange(textStart...)
    guard scope.bind(prefix, to: namespace) else {
      throw failure(
        "more than \(XMLNameScope.limit) namespaces are declared around one element", at: start)
    }
    return true
  }

  private mutating func resolve(
    _ name: Range<Int>, _ attributes: [Attribute], element: Int
  ) throws(XMLParseError) {
    nodes[element].name = try named(name, isElement: true)
    nodes[element].preservesSpace = nodes[Int(nodes[element].parent)].preservesSpace
    var seen: Set<Int32> = []
    for attribute in attributes {
      var node = attribute.node
      node.name = try named(attribute.name, isElement: false)
      let expanded = scope.expanded(node.name)
      guard attributes.count == 1 || seen.insert(expanded).inserted else {
        throw failure(
          "<\(self.name(name))> has the attribute \"\(self.name(attribute.name))\" twice",
          at: Int(node.start))
      }
      if source[attribute.name].elementsEqual("xml:space".utf8) {
        let value = texts[Int(node.textStart)..<Int(node.textEnd)]
        nodes[element].preservesSpace = value.elementsEqual("preserve".utf8)
      }
      node.end = Int32(nodes.count + 1)
      nodes.append(node)
    }
  }

  private mutating func named(
    _ range: Range<Int>, isElement: Bool
  ) throws(XMLParseError) -> Int32 {
    let written = name(range)
    if let known = scope.place(of: written, isElement: isElement) { return known }
    switch scope.add(written, isElement: isElement) {
    case .place(let place): return place
    case .malformed:
      throw failure(
        "\"\(written)\" is no name: a colon stands between a prefix and a name",
        at: range.lowerBound)
    case .undeclared(let prefix):
      throw failure(
        "the prefix \"\(prefix)\" of \"\(written)\" is not declared: xmlns:\(prefix)=\"…\" is missing",
        at: range.lowerBound)
    }
  }

  // MARK: - Texts

  private mutating func text() throws(XMLParseError) {
    var start = position
    if open.isEmpty {
      skipSpace()
      guard position == start || current != nil && current != UInt8(ascii: "<") else { return }
      throw failure(
        hasRoot
          ? "expected the end of the document, found \(found)"
          : "expected a tag, found \(found)")
    }
    beginText()
    scan: while let byte = current {
      switch byte {
      case UInt8(ascii: "<"): break scan
      case UInt8(ascii: "&"):
        texts += source[start..<position]
        texts += try takeReference()
        start = position
      case 0x0D:
        texts += source[start..<position]
        takeLineEnd()
        start = position
      case UInt8(ascii: "]") where starts(with: "]]>"):
        throw failure("a \"]]>\" in text must be written ]]&gt;")
      case 0x09, 0x0A: position += 1
      case 0..<0x20: throw control(byte)
      default: position += 1
      }
    }
    texts += source[start..<position]
    endText()
  }

  private mutating func literalText() throws(XMLParseError) {
    let beginning = position
    guard !open.isEmpty else {
      throw failure("a CDATA section stands outside of the outermost element")
    }
    beginText()
    position += "<![CDATA[".utf8.count
    var start = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "]") where starts(with: "]]>"):
        texts += source[start..<position]
        position += 3
        return endText()
      case 0x0D:
        texts += source[start..<position]
        takeLineEnd()
        start = position
      case 0x09, 0x0A: position += 1
      case 0..<0x20: throw control(byte)
      default: position += 1
      }
    }
    throw failure("the CDATA section has no end", at: beginning)
  }

  /// Section 2.11: every end of a line is a line feed.
  private mutating func takeLineEnd() {
    position += 1
    if current != 0x0A { texts.append(0x0A) }
  }

  private mutating func beginText() {
    guard currentText == nil else { return }
    currentText = nodes.count
    nodes.append(
      XMLDocument.Node(
        kind: .text, parent: parent, end: Int32(nodes.count + 1), textStart: Int32(texts.count),
        textEnd: Int32(texts.count), start: Int32(position)))
  }

  private mutating func endText() {
    guard let index = currentText else { return }
    nodes[index].textEnd = Int32(texts.count)
    nodes[index].sourceEnd = Int32(position)
    // An empty CDATA section is no text.
    guard nodes[index].textStart == nodes[index].textEnd else { return }
    nodes.removeLast()
    currentText = nil
  }

  // MARK: - Comments, instructions, document types

  private var parent: Int32 { Int32(open.last?.node ?? 0) }

  private mutating func addNode(
    _ kind: XMLDocument.Kind, name: Int32 = -1, _ content: Range<Int>, from start: Int
  ) {
    let textStart = texts.count
    texts += source[content]
    nodes.append(
      XMLDocument.Node(
        kind: kind, name: name, parent: parent, end: Int32(nodes.count + 1),
        textStart: Int32(textStart), textEnd: Int32(texts.count), start: Int32(start),
        sourceEnd: Int32(position)))
  }

  private mutating func comment() throws(XMLParseError) {
    let start = position
    position += 4
    guard let end = skip(to: "--") else { throw failure("the comment has no end", at: start) }
    guard take(">") else {
      throw failure("a comment cannot hold \"--\"", at: end)
    }
    addNode(.comment, (start + 4)..<end, from: start)
  }

  private mutating func instruction() throws(XMLParseError) {
    let start = position
    position += 2
    let target = try takeName("the target of a processing instruction")
    guard name(target).lowercased() != "xml" else {
      throw failure("\"<?xml\" stands at the beginning of a document, and nowhere else", at: start)
    }
    skipSpace()
    let content = position
    guard let end = skip(to: "?>") else {
      throw failure("the processing instruction has no end", at: start)
    }
    addNode(.instruction, name: scope.plain(name(target)), content..<end, from: start)
  }

  private mutating func documentType() throws(XMLParseError) {
    let start = position
    guard !hasRoot, !hasDocumentType else {
      throw failure("<!DOCTYPE stands once, before the outermost element", at: start)
    }
    hasDocumentType = true
    guard skipDocumentType() else { throw failure("the document type has no end", at: start) }
  }
}
