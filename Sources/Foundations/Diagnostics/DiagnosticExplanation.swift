/// What a code means, for `scenario explain`.
package struct DiagnosticExplanation: Hashable, Sendable {
  /// Something to look at, or to try.
  package enum Example: Hashable, Sendable {
    /// Part of a scenario file, or all of it.
    case file(String)
    /// What is typed in a shell, where a file's text alone does not show it.
    case command(String)
  }

  /// The mistake in a few words: lower case, no full stop.
  package var title: String
  /// What it means, why it is one, and what to do: sentences.
  package var text: String
  /// Something with the mistake; `nil` if no author can make it.
  package var wrong: Example?
  /// The same without the mistake.
  package var right: Example?

  /// Creates an explanation.
  init(title: String, text: String, wrong: Example? = nil, right: Example? = nil) {
    self.title = title
    self.text = text
    self.wrong = wrong
    self.right = right
  }
}

extension DiagnosticExplanation.Example {
  /// A whole scenario file: the version and a target are put in front of a part without them.
  package var fileText: String? {
    guard case .file(let part) = self else { return nil }
    var head = part.hasPrefix("version:") ? "" : "version: 1\n"
    if !part.contains("target:") { head += "target: { command: [date] }\n" }
    return head + part + "\n"
  }
}

extension DiagnosticCode {
  /// What the code means.
  package var explanation: DiagnosticExplanation {
    let found =
      switch subject {
      case .reading: DiagnosticExplanation.reading(self)
      case .shape: DiagnosticExplanation.shape(self)
      case .values: DiagnosticExplanation.values(self)
      case .expressions: DiagnosticExplanation.expressions(self)
      case .factories: DiagnosticExplanation.factories(self)
      case .targets: DiagnosticExplanation.targets(self)
      case .network: DiagnosticExplanation.network(self)
      case .chaos: DiagnosticExplanation.chaos(self)
      case .command: DiagnosticExplanation.command(self)
      case .ambiguities: DiagnosticExplanation.ambiguities(self) ?? .command(self)
      }
    return found ?? DiagnosticExplanation(title: rawValue, text: "")
  }
}
