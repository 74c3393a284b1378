/// Turns messages with places into text: the one shape in which authors see them.
///
///     trial.yaml:6:5: error: unknown key "stesp"
///       |
///     6 |     stesp: []
///       |     ^^^^^
///     help: did you mean "steps"? allowed keys: …
///
/// The text is safe for a terminal, whatever a file, its path or a target holds: only the renderer's
/// own colours are control sequences.
package struct DiagnosticRenderer: Sendable {
  /// A message of any kind that points into a file.
  package struct Message: Sendable {
    /// The label before the message: `error`, `warning`, `failed`, ….
    package var label: String
    /// Lower case, no full stop.
    package var message: String
    /// The place; without one only the text is shown.
    package var range: SourceRange?
    /// A few words behind the caret, such as the actual value.
    package var caretText: String?
    /// Lines below the caret, shown as they are: a diff, an output.
    package var details: [String]
    /// Other places.
    package var notes: [Diagnostic.Note]
    /// The exact fix.
    package var help: String?

    /// Creates a message.
    package init(
      label: String, message: String, range: SourceRange?, caretText: String? = nil,
      details: [String] = [], notes: [Diagnostic.Note] = [], help: String? = nil
    ) {
      self.label = label
      self.message = message
      self.range = range
      self.caretText = caretText
      self.details = details
      self.notes = notes
      self.help = help
    }

    /// Creates the rendering of a diagnostic.
    package init(_ diagnostic: Diagnostic) {
      self.init(
        label: "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]",
        message: diagnostic.message, range: diagnostic.range,
        notes: diagnostic.notes, help: diagnostic.help)
    }
  }

  /// Lines wider than this are shown in part.
  private static let widthLimit = 160
  /// The columns that stay visible to the left of the caret in a line that is shown in part.
  private static let leadingContext = 60
  /// The number of letters before a place, and behind it, that are looked at.
  ///
  /// More than fit beside it, as some have no width; few, as a file may be one line with thousands of mistakes.
  private static let lineWindow = 256

  private let isColoured: Bool
  private let source: @Sendable (String) -> SourceText?

  /// Creates a renderer.
  ///
  /// `text` returns a file's text by its path; where it has none, messages come without the line.
  package init(isColoured: Bool = false, text: @escaping @Sendable (String) -> String?) {
    self.isColoured = isColoured
    source = { path in text(path).map { SourceText(path: path, text: $0) } }
  }

  /// Creates a renderer for many messages about files whose texts are cut into lines already.
  package init(isColoured: Bool, sources: [String: SourceText]) {
    self.isColoured = isColoured
    source = { sources[$0] }
  }

  /// Renders one diagnostic, with a final newline.
  package func render(_ diagnostic: Diagnostic) -> String {
    render(Message(diagnostic))
  }

  /// Renders diagnostics one below the other, parted by empty lines.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) }.joined(separator: "\n")
  }

  /// Renders one message, with a final newline.
  package func render(_ message: Message) -> String {
    var lines = [
      headline(
        label: message.label, colour: .label(message.label), message: message.message,
        range: message.range)
    ]
    if let range = message.range {
      lines += excerpt(range, caretText: message.caretText)
    } else if let caretText = message.caretText {
      lines.append(TerminalText.line(caretText))
    }
    lines += message.details.map(TerminalText.lines)
    for note in message.notes {
      lines.append(
        headline(label: "note", colour: .note, message: note.message, range: note.range))
      if let range = note.range { lines += excerpt(range, caretText: nil) }
    }
    if let help = message.help {
      lines.append(paint("help:", .help) + " " + TerminalText.lines(help))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: - Parts

  private func headline(
    label: String, colour: Colour, message: String, range: SourceRange?
  ) -> String {
    let place = range.map { paint("\(TerminalText.line($0.description)):", .strong) + " " } ?? ""
    return place + paint("\(label):", colour) + " " + TerminalText.lines(message)
  }

  /// The source line between its gutter, and the caret below.
  private func excerpt(_ range: SourceRange, caretText: String?) -> [String] {
    // Of a line as long as a file only what stands around the place is looked at.
    let skipped = max(0, range.column - 1 - Self.lineWindow)
    guard
      let line = source(range.file)?.text(
        line: range.line, from: skipped + 1, limit: 2 * Self.lineWindow)
    else {
      return caretText.map { [TerminalText.line($0)] } ?? []
    }
    let shown = DisplayLine(line)
    var start = shown.column(of: range.column - skipped)
    var end = max(start + 1, shown.column(of: range.column - skipped + range.length))
    var display = shown.text
    if (shown.columns.last ?? 0) > Self.widthLimit {
      (display, start, end) = cropped(shown, from: start, to: end)
    }
    let number = String(range.line)
    let margin = String(repeating: " ", count: number.count)
    let caret = String(repeating: " ", count: start) + String(repeating: "^", count: end - start)
    let behind = caretText.map { " " + TerminalText.line($0) } ?? ""
    return [
      paint("\(margin) |", .gutter),
      paint("\(number) |", .gutter) + (display.isEmpty ? "" : " " + display),
      paint("\(margin) |", .gutter) + " " + paint(caret + behind, .caret),
    ]
  }

  /// The part of a wide line around the caret, and the caret's columns within it.
  private func cropped(
    _ line: DisplayLine, from start: Int, to end: Int
  ) -> (text: String, start: Int, end: Int) {
    let first = max(0, start - Self.leadingContext)
    var text = first > 0 ? "…" : ""
    var width = text.isEmpty ? 0 : 1
    let shift = first - width
    var column = 0
    var lead = 0
    for scalar in line.text.unicodeScalars {
      let scalarWidth = DisplayWidth.of(scalar)
      defer { column += scalarWidth }
      guard column >= first else { continue }
      // A wide letter that the cut would halve leaves a gap in front.
      if lead == 0, column > first { text += String(repeating: " ", count: column - first) }
      lead = 1
      guard width + scalarWidth < Self.widthLimit else {
        text += "…"
        break
      }
      text.unicodeScalars.append(scalar)
      width += scalarWidth
    }
    let caretStart = start - shift
    return (text, caretStart, max(caretStart + 1, min(end - shift, Self.widthLimit)))
  }

  // MARK: - Colour

  private enum Colour: String {
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case help = "1;32"
    case strong = "1"
    case gutter = "34"
    case caret = "31"

    static func label(_ label: String) -> Colour {
      label.hasPrefix(Diagnostic.Severity.warning.rawValue) ? .warning : .error
    }
  }

  private func paint(_ text: String, _ colour: Colour) -> String {
    isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
