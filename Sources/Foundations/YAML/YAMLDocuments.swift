/// Text that a program wrote as YAML.
package enum YAMLDocuments {
  /// The place where a text is no YAML, with the reason.
  package struct Problem: Error, Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1.
    package var column: Int
    /// The message.
    package var message: String
  }

  /// The data of a text; of several documents the list of those that hold anything, and `nil` where none does.
  ///
  /// Separators of documents are at the beginning of a line, where nothing else can be (YAML 1.2, 9.1).
  package static func parse(_ text: String) throws(Problem) -> Value? {
    let parts = split(text)
    guard let first = parts.first else { return nil }
    guard parts.count > 1 else { return try value(of: first) }
    var values: [Value] = []
    for part in parts { values.append(try value(of: part)) }
    return .list(values)
  }

  /// One document, with the number of lines before it.
  private struct Part {
    var line: Int
    var text: String
  }

  private static func split(_ text: String) -> [Part] {
    let lines = TextLines.split(text)
    var parts: [Part] = []
    var start = 0
    var holdsAnything = false
    func end(before line: Int) {
      defer { holdsAnything = false }
      guard holdsAnything else { return }
      parts.append(Part(line: start, text: lines[start..<line].joined(separator: "\n")))
    }
    for (index, line) in lines.enumerated() {
      let begins = isMark(line, "---")
      if begins || isMark(line, "...") {
        end(before: index)
        start = begins ? index : index + 1
        let rest = line.dropFirst(3).drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        holdsAnything = begins && !rest.isEmpty && !rest.hasPrefix("#")
      } else if !holdsAnything {
        let content = line.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        // Directives stand before a mark and belong to it.
        holdsAnything = !content.isEmpty && !content.hasPrefix("#") && !line.hasPrefix("%")
      }
    }
    end(before: lines.count)
    return parts
  }

  private static func isMark(_ line: Substring, _ mark: String) -> Bool {
    guard line.hasPrefix(mark) else { return false }
    guard let next = line.dropFirst(3).unicodeScalars.first else { return true }
    return " \t\r".unicodeScalars.contains(next)
  }

  private static func value(of part: Part) throws(Problem) -> Value {
    let result = YAMLReader.read(SourceText(path: "", bytes: Array(part.text.utf8)))
    if let error = result.diagnostics.first(where: { $0.severity == .error }) {
      throw Problem(
        line: part.line + (error.range?.line ?? 1), column: error.range?.column ?? 1,
        message: error.message)
    }
    return result.root?.plainValue ?? .null
  }
}
