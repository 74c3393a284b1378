extension DiagnosticExplanation {
  /// What the codes of the command line mean; `nil` for any other code.
  static func command(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .badArguments:
      DiagnosticExplanation(
        title: "the arguments name nothing",
        text: """
          FILE:LINE needs a scenario that stands in that line, a name one that the file has, and \
          two reports two files. Nothing is run then, so that a slip cannot pass for success.
          """,
        wrong: .command(
          """
          scenario check checkout.yaml:900
          """),
        right: .command(
          """
          scenario check checkout.yaml:1
          """))
    case .unwrittenReport:
      DiagnosticExplanation(
        title: "a report could not be written",
        text: """
          The run's verdict stands, but a report is missing or torn, so the run is undecided: \
          exit code 3. The message says what the system said.
          """,
        wrong: .command(
          """
          scenario run checkout.yaml --report junit=checkout.yaml/report.xml
          """),
        right: .command(
          """
          scenario run checkout.yaml --report junit=report.xml
          """))
    case .internalError:
      DiagnosticExplanation(
        title: "this program has a mistake",
        text: """
          It is not your file's fault. Please report the message with the file: exit code 70.
          """)
    default: nil
    }
  }
}
