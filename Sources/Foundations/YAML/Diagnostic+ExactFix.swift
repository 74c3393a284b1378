extension Diagnostic {
  /// The same with the fix that its help and the text at its place give.
  ///
  /// The text in the file is compared with what the message says of it, so that only what was looked at is
  /// replaced: a range may well cover more than the word that is wrong.
  package func withExactFix(in source: SourceText) -> Diagnostic {
    guard fix == nil, let range, range.file == source.path, let help,
      let written = source.text(at: range)
    else { return self }
    let quote = written.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    var word = written
    if let quote {
      guard written.count >= 2, written.last == quote else { return self }
      word = String(written.dropFirst().dropLast())
    }
    var mended = self
    if let meant = Suggestion.name(askedForIn: help) {
      guard message.contains("\"\(word)\""),
        let text = DiagnosticFix.respelled(written, word, as: meant)
      else { return self }
      mended.fix = DiagnosticFix(
        replacing: range, with: text, confidence: confidence(that: meant, isMeantBy: word, help))
    } else if let text = Self.wanted(word, isQuoted: quote != nil, code, help) {
      mended.fix = DiagnosticFix(replacing: range, with: text)
    }
    return mended
  }

  /// Returns the confidence in a replacement: words of the language are few and known, but a name
  /// of the author's may have a neighbour that is still to be written.
  private func confidence(
    that meant: String, isMeantBy word: String, _ help: String
  ) -> DiagnosticFix.Confidence {
    // The help lists what else there is.
    let listed = help.split(separator: ": ", maxSplits: 1).last.map {
      $0.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
    let found = Suggestion.confidence(that: meant, isMeantBy: word, among: listed ?? [])
    return found == .certain && !code.isAboutLanguage ? .likely : found
  }

  /// The word of a help "write X" that is the word itself in another form.
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

extension DiagnosticCode {
  /// True if what is not known is a word of the language or of the system, and not a name that an author gave.
  fileprivate var isAboutLanguage: Bool {
    switch self {
    case .unknownKey, .unknownValue, .unknownGenerator, .unknownFake, .unknownFunction,
      .unknownProvider, .badSignal:
      true
    default: false
    }
  }
}
