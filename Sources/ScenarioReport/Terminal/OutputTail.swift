internal import Foundations

/// The end of what a target printed, short enough to read.
struct OutputTail {
  private static let maximumLines = 20
  private static let maximumBytes = 4096

  /// The lines to show, safe for a terminal.
  let lines: [String]
  /// True if there are lines before them.
  let isShortened: Bool

  init(_ output: String) {
    // Half of what is kept of a long text is its end.
    let bounded = BoundedText(output, limit: OutputTail.maximumBytes * 2)
    let end = bounded.omitted > 0 ? bounded.tail : bounded.head
    var lines = TextLines.split(end)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    let shown = lines.suffix(OutputTail.maximumLines)
    self.lines = shown.map { TerminalText.line(TextLines.content($0)) }
    isShortened = bounded.omitted > 0 || shown.count < lines.count
  }
}
