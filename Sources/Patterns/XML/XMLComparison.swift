internal import Foundations

/// Two documents as texts that are equal if the documents say the same.
///
/// What does not count is left out or written in one way: the order of attributes, comments and processing instructions,
/// prefixes of namespaces, CDATA sections, the spelling of entities, and white space at the ends of what stands between
/// tags, unless `xml:space="preserve"` says that it does.
package struct XMLComparison: Sendable {
  /// The document that is expected, an element on each line.
  package let expected: String
  /// The document that is there, in the same form.
  package let actual: String

  /// Compares two documents.
  package init(expected: XMLDocument, actual: XMLDocument) {
    let prefixes = XMLPrefixes(of: [expected, actual])
    self.expected = XMLWriter.text(of: expected, prefixes)
    self.actual = XMLWriter.text(of: actual, prefixes)
  }

  /// True if the two say the same.
  package var isEqual: Bool { expected.utf8.elementsEqual(actual.utf8) }
}

/// One prefix for each namespace of some documents, where possible the one that the first of them has.
private struct XMLPrefixes {
  private var prefixes: [String: String] = [:]

  init(of documents: [XMLDocument]) {
    var order: [XMLDocument.Name] = []
    var seen: Set<String> = [""]
    var ofAttributes: Set<String> = []
    var hasPlainElements = false
    for document in documents {
      for (index, node) in document.nodes.enumerated() {
        guard node.kind == .element || node.kind == .attribute,
          let name = document.name(of: index)
        else { continue }
        if node.kind == .attribute {
          ofAttributes.insert(name.namespace)
        } else if name.namespace.isEmpty {
          hasPlainElements = true
        }
        if seen.insert(name.namespace).inserted { order.append(name) }
      }
    }
    var taken: Set<String> = []
    var number = 0
    for name in order {
      var prefix = name.prefix
      let isFree =
        !taken.contains(prefix)
        && (!prefix.isEmpty || !hasPlainElements && !ofAttributes.contains(name.namespace))
      if !isFree {
        repeat {
          number += 1
          prefix = "ns\(number)"
        } while taken.contains(prefix)
      }
      taken.insert(prefix)
      prefixes[name.namespace] = prefix
    }
  }

  func written(_ name: XMLDocument.Name) -> String {
    guard let prefix = prefixes[name.namespace], !prefix.isEmpty else { return name.local }
    return "\(prefix):\(name.local)"
  }

  /// `xmlns:prefix="namespace"` of what a document uses, in order.
  func declarations(in document: XMLDocument) -> [(name: String, value: String)] {
    var used: Set<String> = []
    for (index, node) in document.nodes.enumerated()
    where node.kind == .element || node.kind == .attribute {
      if let name = document.name(of: index), name.prefix != "xml" { used.insert(name.namespace) }
    }
    return used.compactMap { namespace in
      prefixes[namespace].map { ($0.isEmpty ? "xmlns" : "xmlns:\($0)", namespace) }
    }.sorted { $0.0 < $1.0 }
  }
}

/// Writes a document with an element on each line.
private struct XMLWriter {
  private struct Frame {
    var node: Int
    var next: Int
    var text: [UInt8] = []
    var preservesSpace: Bool
  }

  private let document: XMLDocument
  private let prefixes: XMLPrefixes
  private var output: [UInt8] = []
  private var frames: [Frame] = []

  static func text(of document: XMLDocument, _ prefixes: XMLPrefixes) -> String {
    var writer = XMLWriter(document: document, prefixes: prefixes)
    writer.output.reserveCapacity(document.source.count)
    writer.writeAll()
    return String(decoding: writer.output, as: UTF8.self)
  }

  private init(document: XMLDocument, prefixes: XMLPrefixes) {
    self.document = document
    self.prefixes = prefixes
  }

  private mutating func writeAll() {
    frames = [Frame(node: 0, next: 1, preservesSpace: false)]
    while !frames.isEmpty {
      // In place: a copy of a frame would have its text copied for each piece.
      let place = frames.count - 1
      let (node, next) = (frames[place].node, frames[place].next)
      guard next < Int(document.nodes[node].end) else {
        flushText()
        frames.removeLast()
        if node != 0 { writeLine("</\(name(of: node))>") }
        continue
      }
      frames[place].next = Int(document.nodes[next].end)
      switch document.nodes[next].kind {
      case .text: frames[place].text += document.textBytes(of: next)
      case .element:
        flushText()
        open(next, preservesSpace: frames[place].preservesSpace)
      case .root, .attribute, .comment, .instruction: break
      }
    }
  }

  private mutating func open(_ element: Int, preservesSpace outer: Bool) {
    indent()
    write("<\(name(of: element))")
    var attributes = document.attributes(of: element).map { index in
      (name: name(of: index), value: document.text(of: index))
    }
    attributes.sort { $0.name < $1.name }
    if document.nodes[element].parent == 0 { attributes += prefixes.declarations(in: document) }
    var preservesSpace = outer
    for attribute in attributes {
      write(" \(attribute.name)=\"")
      escape(Array(attribute.value.utf8)[...], isAttribute: true)
      write("\"")
      if attribute.name == "xml:space" { preservesSpace = attribute.value == "preserve" }
    }
    let first = document.firstChild(of: element)
    var holdsElements = false
    var text: [UInt8] = []
    var child = first
    while child < Int(document.nodes[element].end), !holdsElements {
      holdsElements = document.nodes[child].kind == .element
      if document.nodes[child].kind == .text { text += document.textBytes(of: child) }
      child = Int(document.nodes[child].end)
    }
    guard !holdsElements else {
      write(">\n")
      frames.append(Frame(node: element, next: first, preservesSpace: preservesSpace))
      return
    }
    let shown = preservesSpace ? text[...] : XMLDocument.trimmed(text[...])
    guard !shown.isEmpty else { return write("/>\n") }
    write(">")
    escape(shown, isAttribute: false)
    write("</\(name(of: element))>\n")
  }

  private mutating func flushText() {
    let frame = frames[frames.count - 1]
    frames[frames.count - 1].text = []
    let shown = frame.preservesSpace ? frame.text[...] : XMLDocument.trimmed(frame.text[...])
    guard !shown.isEmpty else { return }
    indent()
    escape(shown, isAttribute: false)
    write("\n")
  }

  private mutating func writeLine(_ text: String) {
    indent()
    write(text + "\n")
  }

  /// The root and the outermost element begin lines without blanks.
  private mutating func indent() {
    output += repeatElement(0x20, count: 2 * max(0, frames.count - 1))
  }

  private mutating func write(_ text: String) { output += text.utf8 }

  private func name(of index: Int) -> String {
    guard let name = document.name(of: index) else { return "" }
    return name.prefix == "xml" ? name.qualified : prefixes.written(name)
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>, isAttribute: Bool) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): write("&amp;")
      case UInt8(ascii: "<"): write("&lt;")
      case UInt8(ascii: ">") where !isAttribute: write("&gt;")
      case UInt8(ascii: "\"") where isAttribute: write("&quot;")
      case 0x0D: write("&#13;")
      case 0x09, 0x0A:
        if isAttribute { write("&#\(byte);") } else { output.append(byte) }
      default: output.append(byte)
      }
    }
  }
}
