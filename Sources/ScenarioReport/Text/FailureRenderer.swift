internal import Foundations
internal import ScenarioEvents

/// Shows failures and warnings as the rest of the product shows mistakes in files.
struct FailureRenderer {
  private let renderer: DiagnosticRenderer

  init(isColoured: Bool, sources: @escaping @Sendable (String) -> String?) {
    renderer = DiagnosticRenderer(isColoured: isColoured, text: sources)
  }

  /// The whole: place and message, the source line with its caret, details, help.
  func lines(of failure: Failure) -> [String] {
    lines(
      of: DiagnosticRenderer.Message(
        label: "error", message: failure.message, range: failure.range, caretText: failure.actual,
        details: failure.details, help: failure.help))
  }

  /// A warning with its place.
  func lines(ofWarning text: String, at range: SourceRange?) -> [String] {
    lines(of: DiagnosticRenderer.Message(label: "warning", message: text, range: range))
  }

  private func lines(of message: DiagnosticRenderer.Message) -> [String] {
    var text = renderer.render(message)
    if text.hasSuffix("\n") { text.removeLast() }
    return TextLines.split(text).map(String.init)
  }
}
