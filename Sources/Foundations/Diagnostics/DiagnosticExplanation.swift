/// The explanation of a code, for `scenario explain`.
///
/// Each code has a file of its own in Explanations, which the build embeds.
package struct DiagnosticExplanation: Hashable, Sendable {
  /// A file to read, or a command to try.
  package enum Example: Hashable, Sendable {
    /// Part of a scenario file, or all of it.
    case file(String)
    /// A command for a shell, where a file's text alone does not show it.
    case command(String)
  }

  /// The mistake in a few words: lower case, no full stop.
  package var title: String
  /// Sentences on the meaning of the code, its reason, and what to do.
  package var text: String
  /// An example with the mistake; `nil` if no author can make it.
  package var wrong: Example?
  /// The same without the mistake.
  package var right: Example?
}

extension DiagnosticCode {
  /// The explanation of the code.
  package var explanation: DiagnosticExplanation {
    DiagnosticExplanation(markdown: explanationTexts[rawValue] ?? "# \(rawValue)")
  }
}

// MARK: - Reading

extension DiagnosticExplanation {
  /// Reads a page: a heading, paragraphs, and examples in fences below the headings "Wrong" and "Right".
  init(markdown: String) {
    var sentences: [String] = []
    var heading: String?
    var examples: [String: Example] = [:]
    var fence: (language: Substring, lines: [Substring])?
    title = ""
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let (language, lines) = fence, let heading {
          let text = lines.joined(separator: "\n")
          examples[heading] = language == "sh" ? .command(text) : .file(text)
        }
        fence = fence == nil ? (line.dropFirst(3), []) : nil
      } else if fence != nil {
        fence?.lines.append(line)
      } else if line.hasPrefix("# ") {
        title = String(line.dropFirst(2))
      } else if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      } else if !line.isEmpty {
        sentences.append(String(line))
      }
    }
    text = sentences.joined(separator: " ")
    wrong = examples["Wrong"]
    right = examples["Right"]
  }
}
