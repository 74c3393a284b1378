internal import Foundations

/// Pieces of JSON for a page: they are inside a `script` element and cannot end it.
enum PageJSON {
  /// A text in which no `<` is left, so that neither `</script>` nor `<!--` can come about.
  static func text(_ text: String) -> String {
    let json = Value.string(text).jsonText()
    guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
    return json.split(separator: "<", omittingEmptySubsequences: false).joined(
      separator: "\\u003c")
  }

  /// A text of which only the beginning is kept.
  static func text(_ text: String, limit: Int) -> String {
    let bounded = BoundedText(text, limit: 2 * limit)
    guard bounded.omitted > 0 else { return Self.text(text) }
    return Self.text(bounded.head + "…")
  }

  /// A list.
  static func list(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  /// An object; members without a value are left out.
  static func object(_ members: [(String, String?)]) -> String {
    var result = "{"
    for (name, value) in members {
      guard let value else { continue }
      if result.utf8.count > 1 { result += "," }
      result += "\"\(name)\":\(value)"
    }
    return result + "}"
  }
}
