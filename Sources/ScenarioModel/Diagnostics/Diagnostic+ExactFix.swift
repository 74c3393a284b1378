extension Diagnostic {
  /// The same with the fix that its help and the text at its place give, where nothing is left to decide.
  ///
  /// The text in the file is compared with what the message says of it, so that only what was looked at is
  /// replaced: a range may well cover more than the word that is wrong.
  public func withExactFix(in source: SourceText) -> Diagnostic {
    guard fix == nil, let range, range.file == source.path, let help,
      let written = source.text(at: range), let text = Self.replacement(for: written, self, help)
    else { return self }
    var mended = self
    mended.fix = DiagnosticFix(replacing: range, with: text)
    return mended
  }

  private static func replacement(
    for written: String, _ diagnostic: Diagnostic, _ help: String
  ) -> String? {
    let quote = written.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    var word = written
    if let quote {
      guard written.count >= 2, written.last == quote else { return nil }
      word = String(written.dropFirst().dropLast())
    }
    if let meant = Suggestion.name(askedForIn: help) {
      guard diagnostic.message.contains("\"\(word)\"") else { return nil }
      guard let quote else { return YAMLQuoting.isPlainWord(meant) ? meant : nil }
      return meant.contains(quote) || meant.contains("\\") ? nil : "\(quote)\(meant)\(quote)"
    }
    return wanted(word, isQuoted: quote != nil, diagnostic.code, help)
  }

  /// What "write X" says, where X is the word itself in another form.
  private static func wanted(
    _ word: String, isQuoted: Bool, _ code: DiagnosticCode, _ help: String
  ) -> String? {
    guard help.hasPrefix("write ") else { return nil }
    let meant = String(help.dropFirst("write ".count))
    switch code {
    case .badSignal, .badRequest:
      return !isQuoted && word != meant && word.uppercased() == meant ? meant : nil
    case .wrongType where meant == "true" || meant == "false":
      return meant
    case .wrongType where isQuoted && meant == "\(word) without the quotes":
      return word
    default: return nil
    }
  }
}
