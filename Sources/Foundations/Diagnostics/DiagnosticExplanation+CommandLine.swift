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
    case .smallLimits:
      DiagnosticExplanation(
        title: "the limits of this process leave no room for a run",
        text: """
          What a process may have of open files, threads, address space and stack is bounded by the \
          shell's "ulimit" and by the control group of a container. Below a certain measure nothing can \
          be run, and no case would be decided: nothing is begun, and the exit code is 3. The message \
          says what there is and what a run takes, the help how the limit is raised.
          """,
        wrong: .command(
          """
          ulimit -n 12; scenario run checkout.yaml
          """),
        right: .command(
          """
          ulimit -n 1024; scenario run checkout.yaml
          """))
    case .refusedPlan:
      DiagnosticExplanation(
        title: "a saved plan cannot be run",
        text: """
          "scenario run --plan" runs exactly what was planned, so the plan must be whole, written \
          in the format that this runner reads, and every file that it was made from must be what \
          it was. The message names what has changed. Nothing is run otherwise.
          """,
        wrong: .command(
          """
          scenario plan checkout.yaml -o p; echo >> checkout.yaml; scenario run --plan p
          """),
        right: .command(
          """
          scenario plan checkout.yaml -o plan.json; scenario run --plan plan.json
          """))
    case .refusedShard:
      DiagnosticExplanation(
        title: "it is not clear which shard this is",
        text: """
          A shard is I/N with I from 1 to N. With "auto" the variables of the engine say it, and \
          must be complete: a guess would leave cases out, or run them twice. All shards of a \
          saved plan that has been dealt out need its number of shards.
          """,
        wrong: .command(
          """
          scenario run checkout.yaml --shard 0/4
          """),
        right: .command(
          """
          scenario run checkout.yaml --shard 1/4
          """))
    case .refusedStreams:
      DiagnosticExplanation(
        title: "these streams of events do not make one run",
        text: """
          "scenario report merge" makes one report of the shards of one plan. It refuses streams of \
          other plans or versions, and a case that ran twice unless --attempts says what that \
          means. A report of such streams would look complete and not be.
          """)
    case .unknownTag:
      DiagnosticExplanation(
        title: "no scenario carries the tag",
        text: """
          A tag in --tags is misspelled, or stands in files that were not named. The others still \
          count; where nothing is left, the exit code is 4.
          """)
    case .staleRecord:
      DiagnosticExplanation(
        title: "what is recorded is no longer so",
        text: """
          What failed before is picked from a record of that run. Cases were renamed or files \
          changed since, so the same may not happen again.
          """)
    case .unsetSecret:
      DiagnosticExplanation(
        title: "a secret has no value",
        text: """
          --secret names a variable that is not set, or is empty, so that there is nothing to hide. \
          That is as it should be where a CI system keeps its secrets from a fork; a misspelled name \
          would let the secret itself be shown.
          """)
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
