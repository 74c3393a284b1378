internal import ScenarioEvents

/// The colours of a terminal report, or none.
struct TerminalPalette {
  let isColoured: Bool

  /// The word for an outcome, five columns wide.
  func word(_ outcome: CaseResult.Outcome) -> String {
    switch outcome {
    case .passed: paint("PASS ", "32")
    case .failed: paint("FAIL ", "1;31")
    case .errored: paint("ERROR", "1;35")
    case .skipped: paint("SKIP ", "33")
    }
  }

  /// The word for a case that takes long.
  var slow: String { paint("SLOW ", "33") }

  /// The character for a case that has ended.
  func dot(_ record: CaseRecord) -> String {
    if record.result?.isRetried ?? false { return paint("t", "33") }
    return switch record.outcome {
    case .passed where record.isFlaky: paint("f", "33")
    case .passed where record.leak != nil: paint("L", "33")
    case .passed: "."
    case .failed: paint("F", "1;31")
    case .errored: paint("E", "1;35")
    case .skipped: paint("s", "33")
    }
  }

  /// A line of the block that shows what runs, with its word in colour.
  func running(_ line: String) -> String {
    for (word, code) in [("RUN  ", "36"), ("SLOW ", "33")] where line.hasPrefix(word) {
      return paint(word, code) + line.dropFirst(word.count)
    }
    return dim(line)
  }

  /// The word for a case: that of its outcome, or what is remarkable about one that passed.
  func word(_ record: CaseRecord) -> String {
    if record.result?.isRetried ?? false {
      return paint("TRY \(record.description.attempt)", "33") + " " + finalWord(record)
    }
    if record.isFlaky {
      let attempt = record.description.attempt
      return paint("FLAKY \(attempt)/\(record.description.attemptLimit ?? attempt)", "33")
    }
    if record.outcome == .passed, record.leak != nil { return paint("LEAK ", "33") }
    return finalWord(record)
  }

  /// The word for how an attempt has ended.
  private func finalWord(_ record: CaseRecord) -> String {
    if record.outcome == .errored, record.reportedFailures.first?.type == "Timeout" {
      return paint("TIMEOUT", "1;35")
    }
    return word(record.outcome)
  }

  /// Text that matters less.
  func dim(_ text: String) -> String { paint(text, "2") }

  /// Text that begins something.
  func bold(_ text: String) -> String { paint(text, "1") }

  /// The last line: green only if everything is well.
  func summary(_ text: String, isGood: Bool) -> String { paint(text, isGood ? "1;32" : "1;31") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
