internal import ArgumentParser
internal import Foundations
internal import ScenarioPlan
internal import ScenarioReport
internal import ScenarioSyntax

/// The command `scenario explain`.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain the code of a message, a key, or a part of an expression.",
    discussion: CommandDiscussion(
      """
      Without CODE, lists all codes.
      """,
      examples: [
        "scenario explain",
        "scenario explain E021",
        "scenario explain eventually",
      ]
    ).rendered)

  @Argument(
    help:
      "The code of a message, such as E021, a key, such as eventually, or a function, operator or name of expressions."
  )
  var code: String?

  func run() throws {
    guard let code else {
      return try Console.print(Self.list)
    }
    guard let known = DiagnosticCode(named: code) else {
      let entries = ExpressionReference.entries(named: code)
      guard entries.isEmpty else {
        return try Console.print(entries.map(Self.text(of:)).joined(separator: "\n"))
      }
      let keys = DescribedKey.all(named: code)
      guard keys.isEmpty else {
        return try Console.print(keys.map(Self.text(of:)).joined(separator: "\n"))
      }
      let near = Self.question(for: code).map { $0 + " " } ?? ""
      Console.report(
        Diagnostic(
          "there is no code \"\(code)\"", code: .badArguments, at: nil,
          help: near + "`scenario explain` lists all codes"))
      throw ArgumentParser.ExitCode(ScenarioReport.ExitCode.invalidInput.rawValue)
    }
    try Console.print(Self.text(of: known))
  }

  /// Returns the question for a code, a key or a name that may be meant; `nil` if none is near.
  private static func question(for word: String) -> String? {
    guard let number = Int(word.dropFirst()) else {
      let names = ExpressionReference.all.map(\.name) + DescribedKey.names
      return Suggestion.question(for: word, in: names)
    }
    // A number that no code has is near to some by chance.
    let letter = word.prefix(1).uppercased()
    let code = DiagnosticCode.allCases.map(\.rawValue).first { code in
      code.hasPrefix(letter) && Int(code.dropFirst()) == number
    }
    return code.map { Suggestion.question($0) }
  }

  /// The codes with their titles, by subject.
  private static var list: String {
    DiagnosticCode.Subject.allCases.map { subject in
      let codes = DiagnosticCode.allCases.filter { $0.subject == subject }
      return "\(subject.rawValue)\n"
        + codes.map { "  \($0.rawValue)  \($0.explanation.title)\n" }.joined()
    }.joined(separator: "\n")
  }

  private static func text(of code: DiagnosticCode) -> String {
    let explanation = code.explanation
    var text = "\(code.severity.rawValue)[\(code.rawValue)]: \(explanation.title)\n\n"
    text += wrapped(explanation.text) + "\n"
    if let wrong = explanation.wrong { text += "\nwrong:\n\(indented(wrong))" }
    if let right = explanation.right { text += "\nright:\n\(indented(right))" }
    return text
  }

  private static func text(of entry: ExpressionEntry) -> String {
    var text = "\(entry.usage)\n\n\(wrapped(entry.summary))\n"
    text += "\nexample:\n    ${{ \(entry.example.expression) }}"
    text += entry.example.result.isEmpty ? "\n" : "\n    \(entry.example.result)\n"
    if let mistake = entry.mistake {
      text += "\nerror:\n    ${{ \(mistake.expression) }}\n    \(mistake.result)\n"
    }
    return text
  }

  private static func text(of key: DescribedKey) -> String {
    "\(key.name): \(key.shape)\n    a key of \(key.place)\n\n\(wrapped(key.summary))\n"
  }

  private static func indented(_ example: DiagnosticExplanation.Example) -> String {
    let lines =
      switch example {
      case .file(let text): text.split(separator: "\n").map(String.init)
      case .command(let text): ["$ \(text)"]
      }
    return lines.map { "    \($0)\n" }.joined()
  }

  /// Lines of at most 80 columns.
  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
