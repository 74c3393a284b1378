/// A change of a file that mends a mistake, for editors and for `scenario check --fix`.
package struct DiagnosticFix: Hashable, Sendable {
  /// How sure it is that the change is what the author means.
  package enum Confidence: String, CaseIterable, Hashable, Sendable {
    /// Nothing is left to decide; `scenario check --fix` makes no other change.
    case certain
    /// The author should look at it: a slip of the finger, or a word of another tool.
    case likely
    /// The nearest name there is, and perhaps another one.
    case guess
  }

  /// Where the change begins.
  package var start: SourceRange
  /// How many columns, in Unicode scalars, are taken out; 0 where text is only put in.
  package var length: Int
  /// What stands there afterwards.
  package var text: String
  /// How sure it is that this is meant.
  package var confidence: Confidence

  /// Replaces a whole range.
  package init(
    replacing range: SourceRange, with text: String, confidence: Confidence = .certain
  ) {
    start = range
    length = range.length
    self.text = text
    self.confidence = confidence
  }

  /// Puts text in front of a place.
  package init(inserting text: String, at range: SourceRange) {
    start = range
    length = 0
    self.text = text
    confidence = .certain
  }

  /// Writes a word otherwise, in the quotes in which it stands; `nil` where it cannot stand there.
  ///
  /// What stands in the file must be the word itself: a range may well cover more than what is wrong.
  init?(
    respelling word: Located<String>, as meant: String, confidence: Confidence,
    in source: SourceText
  ) {
    guard word.range.file == source.path, let written = source.text(at: word.range),
      let text = Self.respelled(written, word.value, as: meant)
    else { return nil }
    self.init(replacing: word.range, with: text, confidence: confidence)
  }

  /// A word in the quotes of another one that is written there; `nil` where it cannot stand there.
  static func respelled(_ written: String, _ word: String, as meant: String) -> String? {
    guard let quote = written.first, quote == "\"" || quote == "'" else {
      return written == word && YAMLQuoting.isPlainWord(meant) ? meant : nil
    }
    guard written == "\(quote)\(word)\(quote)", !meant.contains(quote), !meant.contains("\\")
    else { return nil }
    return "\(quote)\(meant)\(quote)"
  }

  /// The first column behind what is taken out.
  package var endColumn: Int { start.column + length }
}
