/// The writing of XML 1.0: elements, attributes and text, each escaped in one place.
struct XMLText {
  private(set) var bytes: [UInt8] = []

  /// Starts a document.
  init() {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Starts a part of a document, such as what stands in the body of a page.
  static func part() -> XMLText {
    var text = XMLText()
    text.bytes = []
    return text
  }

  /// Hands out what has been written since the last time.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Writes text within an element.
  mutating func text(_ text: String) {
    appendEscaped(text, inAttribute: false)
  }

  /// Opens an element: `<name a="b">`.
  mutating func open(_ name: String, _ attributes: [(String, String)] = []) {
    begin(name, attributes)
    append(">")
  }

  /// Ends an element: `</name>`.
  mutating func close(_ name: String) {
    append("</\(name)>")
  }

  /// Writes an element without content: `<name a="b"/>`.
  mutating func empty(_ name: String, _ attributes: [(String, String)] = []) {
    begin(name, attributes)
    append("/>")
  }

  /// Writes an element with text: `<name a="b">text</name>`.
  mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String) {
    open(name, attributes)
    appendEscaped(text, inAttribute: false)
    close(name)
  }

  /// Starts a new line, indented by two spaces for each level.
  mutating func newLine(_ level: Int) {
    append("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
  }

  private mutating func begin(_ name: String, _ attributes: [(String, String)]) {
    append("<\(name)")
    for (key, value) in attributes {
      append(" \(key)=\"")
      appendEscaped(value, inAttribute: true)
      append("\"")
    }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Escapes what XML gives a meaning to.
  ///
  /// `>` is escaped everywhere, so that `]]>` never stands in text. A carriage return would be read
  /// back as a line feed, and a line break or tab in an attribute as a space, were they not written as
  /// character references.
  private mutating func appendEscaped(_ text: String, inAttribute: Bool) {
    for byte in ReportText.cleaned(text).utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\r"): append("&#13;")
      case UInt8(ascii: "\"") where inAttribute: append("&quot;")
      case UInt8(ascii: "\n") where inAttribute: append("&#10;")
      case UInt8(ascii: "\t") where inAttribute: append("&#9;")
      default: bytes.append(byte)
      }
    }
  }
}
