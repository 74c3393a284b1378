extension DiagnosticFix {
  /// Replaces a word, in the quotes in which it is written; `nil` where the new one is not allowed
  /// there.
  ///
  /// The text in the file must be the word itself: a range may well cover more than the mistake.
  package init?(
    respelling word: Located<String>, as meant: String, confidence: Confidence,
    in source: SourceText
  ) {
    guard word.range.file == source.path, let written = source.text(at: word.range),
      let text = Self.respelled(written, word.value, as: meant)
    else { return nil }
    self.init(replacing: word.range, with: text, confidence: confidence)
  }

  /// Returns a word in the quotes of another one that is written there; `nil` where it is not
  /// allowed there.
  static func respelled(_ written: String, _ word: String, as meant: String) -> String? {
    guard let quote = written.first, quote == "\"" || quote == "'" else {
      return written == word && YAMLQuoting.isPlainWord(meant) ? meant : nil
    }
    guard written == "\(quote)\(word)\(quote)", !meant.contains(quote), !meant.contains("\\")
    else { return nil }
    return "\(quote)\(meant)\(quote)"
  }
}
