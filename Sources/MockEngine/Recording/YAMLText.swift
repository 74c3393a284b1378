package import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// Data as block YAML in one form, so that equal data is equal text.
package struct YAMLText {
  /// The text so far.
  package private(set) var text = ""
  /// True if the opening of an expression is text like any other: the reader is no scenario file.
  package var keepsExpressions = false

  /// Creates an empty text.
  package init() {}

  /// Appends a map's members, or a list's entries, at an indentation.
  package mutating func write(_ value: Value, indentation: Int) {
    let margin = String(repeating: " ", count: indentation)
    switch value {
    case .map(let members):
      for (key, value) in members { writeMember(key, value, margin: margin, indentation) }
    case .list(let values):
      for value in values { writeElement(value, margin: margin, indentation) }
    default:
      text += margin + scalar(value, indentation: indentation) + "\n"
    }
  }

  private mutating func writeMember(
    _ key: String, _ value: Value, margin: String, _ indentation: Int
  ) {
    text += margin + quoted(key) + ":"
    if Self.isNested(value) {
      text += "\n"
      write(value, indentation: indentation + 2)
    } else {
      text += " " + scalar(value, indentation: indentation + 2) + "\n"
    }
  }

  private mutating func writeElement(_ value: Value, margin: String, _ indentation: Int) {
    text += margin + "- "
    guard Self.isNested(value) else {
      text += scalar(value, indentation: indentation + 2) + "\n"
      return
    }
    // The first line of what is nested stands behind the dash.
    var inner = YAMLText()
    inner.keepsExpressions = keepsExpressions
    inner.write(value, indentation: indentation + 2)
    text += inner.text.dropFirst(indentation + 2)
  }

  private static func isNested(_ value: Value) -> Bool {
    switch value {
    case .map(let members): !members.isEmpty
    case .list(let values): !values.isEmpty
    default: false
    }
  }

  private func scalar(_ value: Value, indentation: Int) -> String {
    switch value {
    case .string(let string):
      return block(string, indentation: indentation) ?? quoted(string)
    case .number(let number):
      let text = number.description
      return Int64(text) == nil ? text : text + ".0"
    default: return value.jsonText()
    }
  }

  /// Text of several lines as a literal block; `nil` where that would change it.
  private func block(_ text: String, indentation: Int) -> String? {
    YAMLQuoting.block(text, indentation: indentation) { shielded($0) }
  }

  private func quoted(_ text: String) -> String {
    Self.isPlain(text) ? text : YAMLQuoting.quoted(shielded(text))
  }

  /// An expression's opening as text.
  private func shielded(_ text: String) -> String {
    keepsExpressions ? text : Template.shielded(text)
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= 200
      && YAMLQuoting.isPlain(text, marks: " -_./:=?&%+@~;,()", isASCII: true)
  }
}
