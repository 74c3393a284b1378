internal import ScenarioEvents
internal import ScenarioModel

/// Shows failures and warnings as the rest of the product shows mistakes in files.
///
/// What comes out is safe for a terminal: only the renderer's own colours are control sequences.
struct FailureRenderer {
  private let isColoured: Bool
  private let sources: @Sendable (String) -> String?

  init(isColoured: Bool, sources: @escaping @Sendable (String) -> String?) {
    self.isColoured = isColoured
    self.sources = sources
  }

  /// The whole: place and message, the source line with its caret, details, help.
  func lines(of failure: Failure) -> [String] {
    let message = DiagnosticRenderer.Message(
      label: "error", message: TerminalText.lines(failure.message), range: failure.range,
      caretText: failure.actual.map(TerminalText.line),
      details: failure.details.map(TerminalText.lines), help: failure.help.map(TerminalText.lines))
    return lines(of: message)
  }

  /// A warning with its place.
  func lines(ofWarning text: String, at range: SourceRange?) -> [String] {
    lines(
      of: DiagnosticRenderer.Message(
        label: "warning", message: TerminalText.lines(text), range: range))
  }

  private func lines(of message: DiagnosticRenderer.Message) -> [String] {
    var message = message
    let file = message.range?.file ?? ""
    message.range?.file = TerminalText.line(file)
    // The text is looked up by the file's true path, whatever of the path may be shown.
    let renderer = DiagnosticRenderer(isColoured: isColoured) { [sources] _ in sources(file) }
    var text = renderer.render(message)
    if text.hasSuffix("\n") { text.removeLast() }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
