package import Foundations
internal import OrderedCollections
package import ScenarioModel
internal import ScenarioSyntax

/// A file with values for `vars:`: a map in YAML or JSON, or lines `NAME=value` as dotenv has them.
package enum VariableFile {
  /// Reads a file; by its name it is YAML or JSON, and dotenv otherwise.
  ///
  /// `path` is the file's path as it was named; nothing is read from there.
  package static func parse(
    bytes: [UInt8], path: String
  ) -> (values: [String: VariableInputs.Given], diagnostics: [Diagnostic]) {
    guard [".json", ".yaml", ".yml"].contains(where: path.hasSuffix) else {
      return lines(bytes, path)
    }
    let (value, diagnostics) = DataDocument.parse(bytes: bytes, path: path)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return ([:], diagnostics) }
    guard case .map(let members)? = value else {
      let mistake = Diagnostic(
        "the file must be a map of variables and values", code: .badInput,
        at: SourceRange(file: path, line: 1, column: 1), help: "write one NAME: value per line")
      return ([:], diagnostics + [mistake])
    }
    var values: [String: VariableInputs.Given] = [:]
    for (name, value) in members {
      let range = DataDocument.range(of: [name], bytes: bytes, path: path)
      values[name] = VariableInputs.Given(value, isText: false, origin: path, at: range)
    }
    return (values, diagnostics)
  }

  // MARK: - dotenv

  private static func lines(
    _ bytes: [UInt8], _ path: String
  ) -> (values: [String: VariableInputs.Given], diagnostics: [Diagnostic]) {
    var values: [String: VariableInputs.Given] = [:]
    var mistakes: [Diagnostic] = []
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      let mistake = Diagnostic(
        "the file is not valid UTF-8", code: .badEncoding, at: range, help: "save the file as UTF-8"
      )
      return ([:], [mistake])
    }
    let lines = TextLines.split(String(decoding: bytes, as: UTF8.self))
    for (index, line) in lines.enumerated() {
      var text = line.drop { $0 == " " || $0 == "\t" }
      while let last = text.last, last.isWhitespace { text.removeLast() }
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      if text.hasPrefix("export ") { text = text.dropFirst(7).drop { $0 == " " } }
      let range = SourceRange(
        file: path, line: index + 1, column: 1, length: line.unicodeScalars.count)
      do throws(Mistake) {
        let (name, value) = try assignment(text)
        values[name] = VariableInputs.Given(
          .string(value), isText: true, origin: path, at: range)
      } catch {
        mistakes.append(Diagnostic(error.message, code: .badInput, at: range, help: error.help))
      }
    }
    return (values, mistakes)
  }

  private struct Mistake: Error {
    var message: String
    var help: String
  }

  private static func assignment(
    _ text: Substring
  ) throws(Mistake) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(" ") else {
      throw Mistake(
        message: "the line does not set a variable", help: "write NAME=value, or # for a comment")
    }
    return (String(parts[0]), try unquoted(parts[1]))
  }

  /// Returns a value without its quotes: in double quotes \n, \t, \" and \\ are escapes; in single
  /// quotes nothing is; without quotes a comment may follow.
  private static func unquoted(_ text: Substring) throws(Mistake) -> String {
    guard let quote = text.first, quote == "\"" || quote == "'" else {
      guard let comment = text.firstRange(of: " #") else { return String(text) }
      var value = text[..<comment.lowerBound]
      while value.last == " " { value.removeLast() }
      return String(value)
    }
    var value = ""
    var rest = text.dropFirst()
    while let letter = rest.popFirst() {
      if letter == quote {
        let behind = rest.drop { $0 == " " }
        guard behind.isEmpty || behind.hasPrefix("#") else { break }
        return value
      }
      guard letter == "\\", quote == "\"", let escaped = rest.popFirst() else {
        value.append(letter)
        continue
      }
      switch escaped {
      case "n": value.append("\n")
      case "t": value.append("\t")
      case "\"", "\\", "$": value.append(escaped)
      default:
        throw Mistake(
          message: "\"\\\(escaped)\" is not an escape sequence",
          help: "write \\\\ for a backslash, or single quotes")
      }
    }
    throw Mistake(
      message: "the value has no closing quote at its end", help: "end it with \(quote)")
  }
}
