extension DiagnosticExplanation {
  /// What the codes of targets, files and steps mean; `nil` for any other code.
  static func targets(_ code: DiagnosticCode) -> DiagnosticExplanation? {
    switch code {
    case .missingFile:
      DiagnosticExplanation(
        title: "there is no such file",
        text: """
          Paths in a scenario file count from the folder that the file stands in, wherever the \
          command is called from. It must be there before anything runs.
          """,
        wrong: .file(
          """
          target: { command: [cat, a], files: { a: { file: fixtures/none.txt } } }
          """),
        right: .file(
          """
          target: { command: [cat, a], files: { a: { text: hello } } }
          """))
    case .badPlace:
      DiagnosticExplanation(
        title: "the path leaves the scenario's directory",
        text: """
          Files are laid into a fresh directory of the case. A path in it is relative and has no \
          ".."; a name cannot be both a file and a folder.
          """,
        wrong: .file(
          """
          target: { command: [date], files: { ../secret: { text: hello } } }
          """),
        right: .file(
          """
          target: { command: [date], files: { secret: { text: hello } } }
          """))
    case .missingTarget:
      DiagnosticExplanation(
        title: "the scenario has no program",
        text: """
          Every scenario runs a target: its own, or the one at the file's top. Write one with its \
          command. Where several stand below "targets", a step says which one it is about.
          """,
        wrong: .file(
          """
          scenarios:
            - { name: first, target: { command: [date] } }
            - { name: second }
          """),
        right: .file(
          """
          target: { command: [date] }
          scenarios:
            - { name: first }
            - { name: second }
          """))
    case .badCommand:
      DiagnosticExplanation(
        title: "the command names no program",
        text: """
          A command is a list: the program, found by PATH or by its path, and its arguments, each \
          as it is. Nothing is split at spaces.
          """,
        wrong: .file(
          """
          target: { command: [""] }
          """),
        right: .file(
          """
          target: { command: [date, --utc] }
          """))
    case .badMode:
      DiagnosticExplanation(
        title: "the file mode cannot be read",
        text: """
          Modes are three or four octal digits, as chmod(1) takes them; they are the permissions \
          of a file, and no other bits. Three digits are for the owner, the group and all others.
          """,
        wrong: .file(
          """
          target: { command: [./a], files: { a: { text: "#!/bin/sh", mode: rwx } } }
          """),
        right: .file(
          """
          target: { command: [./a], files: { a: { text: "#!/bin/sh", mode: 0755 } } }
          """))
    case .badSignal:
      DiagnosticExplanation(
        title: "there is no such signal",
        text: """
          Signals are named as signal(7) does, in capitals and without SIG: TERM, HUP, USR1, \
          RTMIN+1. The help names the nearest one.
          """,
        wrong: .file(
          """
          steps: [{ start: [] }, { signal: TREM }]
          """),
        right: .file(
          """
          steps: [{ start: [] }, { signal: TERM }]
          """))
    case .badStep:
      DiagnosticExplanation(
        title: "a step is not one action",
        text: """
          Steps happen one after the other, so each does one thing: "- start:", "- tick: 3s". \
          "name" and "expect" may stand beside it.
          """,
        wrong: .file(
          """
          clock: { at: 2026-03-01, flow: held }
          steps: [{ start: [], tick: 3s }]
          """),
        right: .file(
          """
          clock: { at: 2026-03-01, flow: held }
          steps: [{ start: [] }, { tick: 3s }]
          """))
    case .impossibleStep:
      DiagnosticExplanation(
        title: "the step cannot be done where it stands",
        text: """
          What acts on the running target needs one: "start" begins it and goes on, "run" waits \
          for its end. Behind its end nothing can be sent, signalled or waited for until the next \
          start.
          """,
        wrong: .file(
          """
          steps: [{ run: [] }, { signal: TERM }]
          """),
        right: .file(
          """
          steps: [{ start: [] }, { signal: TERM }]
          """))
    case .badExpectation:
      DiagnosticExplanation(
        title: "nothing can meet the expectation",
        text: """
          An order is known of numbers and of durations, not of lists, maps or truth values, and \
          both ends of a range are of one kind. Compare with a number or a duration.
          """,
        wrong: .file(
          """
          expect: { stdout: { json: { $.total: { less_than: "${{ scenario.name }}" } } } }
          """),
        right: .file(
          """
          expect: { stdout: { json: { $.total: { less_than: 3 } } } }
          """))
    default: nil
    }
  }
}
