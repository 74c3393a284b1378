package import Foundations

/// The format in which mistakes are reported.
package enum DiagnosticFormat: String, CaseIterable, Sendable {
  /// The form for people.
  case text
  /// The form for programs, as schemas/diagnostics.schema.json says.
  case json
  /// Workflow commands, which GitHub shows beside the lines of a change.
  case github
  /// SARIF 2.1.0, which code scanners and editors read.
  case sarif

  /// The meaning of its lines to a CI system that reads the log.
  package var content: PrintedText {
    switch self {
    case .text: .text
    case .json, .sarif: .json
    case .github: .verbatim
    }
  }

  /// The whole document, with a final newline if there is anything; `nil` for `text`, which has a renderer.
  ///
  /// `source` has the text of a file; `nil` where it cannot be read.
  package func document(
    _ list: DiagnosticList, version: String, source: @escaping (String) -> SourceText?
  ) -> String? {
    switch self {
    case .text: nil
    case .json: DiagnosticJSON.document(list, version: version, source: source)
    case .github: GitHubCommands.document(list)
    case .sarif: DiagnosticSARIF.document(list, version: version)
    }
  }
}
