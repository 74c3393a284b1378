internal import Foundations

/// Diagnostics as workflow commands of GitHub Actions.
///
/// <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>
enum GitHubCommands {
  static func document(_ list: DiagnosticList) -> String {
    var text = list.shown.map { command($0) + "\n" }.joined()
    if list.omitted > 0 {
      text += "::notice title=scenario::\(data("\(list.omitted) more are not shown"))\n"
    }
    return text
  }

  private static func command(_ diagnostic: Diagnostic) -> String {
    var properties: [String] = []
    if let range = diagnostic.range {
      properties = [
        "file=\(property(range.file))", "line=\(range.line)", "endLine=\(range.endLine)",
        "col=\(range.column)", "endColumn=\(range.endColumn)",
      ]
    }
    properties.append("title=\(diagnostic.code.rawValue)")
    var message = diagnostic.message
    for note in diagnostic.notes {
      message += "\nnote: \(note.message)" + (note.range.map { " (\($0.description))" } ?? "")
    }
    if let help = diagnostic.help { message += "\nhelp: \(help)" }
    return
      "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::\(data(message))"
  }

  /// Escapes the text behind the second "::".
  static func data(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// Escapes the value of a property.
  static func property(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  /// The text with what the table says, and without the commands of Azure Pipelines and TeamCity, which count anywhere
  /// in a line.
  private static func escaped(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in PrintedText.text.inert(text).unicodeScalars {
      if let replacement = table[scalar] {
        result += replacement
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
