package import Foundations

/// A path to one place in data as the keys of `with` have it, without `$`: `address.city`.
package struct JSONPath: Hashable, Sendable {
  /// The steps from the top.
  package var steps: [PathStep]

  /// Reads a path whose first step needs no point in front.
  package init(relative text: String) throws(PatternError) {
    let needsPoint = !text.hasPrefix("[") && !text.hasPrefix(".")
    steps = try Self.read(needsPoint ? "." + text : Substring(text), of: text)
    guard !steps.isEmpty else {
      throw PatternError("the path is empty", help: "write a field's name, as in address.city")
    }
  }

  /// The steps as a key of `with` that reads back to them.
  package static func relativeText(_ steps: some Collection<PathStep>) -> String {
    let text = steps.map(\.text).joined()
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }

  private static func read(
    _ source: Substring, of text: String
  ) throws(PatternError) -> [PathStep] {
    var rest = source
    var steps: [PathStep] = []
    while let mark = rest.popFirst() {
      switch mark {
      case ".":
        let end = rest.firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
        let key = rest[..<end]
        guard !key.isEmpty, key != "*" else { throw malformed(text) }
        steps.append(.key(String(key)))
        rest = rest[end...]
      case "[":
        steps.append(try bracket(&rest, of: text))
      default:
        throw malformed(text)
      }
    }
    return steps
  }

  /// Reads the rest behind `[`: an index, or a key in quotes.
  private static func bracket(
    _ rest: inout Substring, of text: String
  ) throws(PatternError) -> PathStep {
    if let quote = rest.first, quote == "\"" || quote == "'" {
      rest.removeFirst()
      var key = ""
      while let letter = rest.popFirst(), letter != quote {
        key.append(letter == "\\" ? rest.popFirst() ?? letter : letter)
      }
      guard rest.popFirst() == "]" else { throw malformed(text) }
      return .key(key)
    }
    guard let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]), index >= 0 else {
      throw malformed(text)
    }
    rest = rest[rest.index(after: end)...]
    return .index(index)
  }

  private static func malformed(_ text: String) -> PatternError {
    PatternError(
      "\"\(text)\" is not a path",
      help: "write keys behind points and indexes in brackets, as in items[0].price; "
        + "a key with points in it as ['a.b']")
  }
}

extension String {
  /// True if a key is written as a path into a field: `address.city`, `items[0]`.
  package var isPathIntoField: Bool { contains(".") || contains("[") }
}
