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
