package import Foundations

/// `scenario fmt`: one style for scenario files.
package enum ScenarioFormatter {
  /// The outcome for a file.
  package enum Outcome: Sendable {
    /// The text in the one style; it may be the text that was.
    case formatted(String)
    /// The file cannot be read, for these reasons.
    case refused([Diagnostic])
  }

  /// Formats a text that this program has made; one that it cannot format stays as it is.
  package static func formatted(_ text: String) -> String {
    guard case .formatted(let result) = format(bytes: Array(text.utf8), path: "") else {
      return text
    }
    return result
  }

  /// Formats a file: keys in their order, comments in their places, and the same values.
  ///
  /// The text is read again before it is given back: nothing is given that means anything else.
  package static func format(bytes: [UInt8], path: String) -> Outcome {
    if let invalid = UTF8Validation.firstInvalid(in: bytes) {
      let range = SourceRange(file: path, line: invalid.line, column: invalid.column)
      return .refused(
        [
          Diagnostic(
            "the file is not valid UTF-8", code: .badEncoding, at: range,
            help: "save the file as UTF-8")
        ])
    }
    let read = YAMLReader.read(SourceText(path: path, bytes: bytes))
    guard let root = read.root, !read.diagnostics.contains(where: { $0.severity == .error }) else {
      return .refused(read.diagnostics)
    }
    let source = FormatSource(bytes: bytes)
    do throws(YAMLStreamFailure) {
      let text = FormatWriter.text(of: try FormatReader.read(source))
      let again = YAMLReader.read(SourceText(path: path, text: text)).root
      let comments = try FormatReader.comments(in: source)
      let kept = try FormatReader.comments(in: FormatSource(bytes: Array(text.utf8)))
      if let again, again.isSame(as: root), kept.sorted() == comments.sorted() {
        return .formatted(text)
      }
    } catch {
      // Reported below: the text that was written cannot be read.
    }
    let range = SourceRange(file: path, line: 1, column: 1)
    return .refused(
      [
        Diagnostic(
          "the file cannot be formatted without changing its meaning", code: .internalError,
          at: range,
          help: "this is a bug in scenario; the file is not changed")
      ])
  }
}

extension YAMLNode {
  /// Returns whether two trees have the same values, wherever these are.
  func isSame(as other: YAMLNode) -> Bool {
    switch (content, other.content) {
    case (.scalar(let own), .scalar(let its)):
      own.text == its.text && own.meaning == its.meaning && own.tag == its.tag
    case (.sequence(let own), .sequence(let its)):
      own.count == its.count && zip(own, its).allSatisfy { $0.isSame(as: $1) }
    case (.mapping(let own), .mapping(let its)):
      own.count == its.count
        && zip(own, its).allSatisfy {
          $0.key.value == $1.key.value && $0.value.isSame(as: $1.value)
        }
    default: false
    }
  }
}
