internal import Foundations

extension LanguageDescription {
  /// The definitions of expectations.
  static let expectationDefinitions: [LanguageDefinition] = [
    .map(
      "expect", "What must hold; all of it is checked.",
      [
        LanguageKey("exit", .numberMatcher, "The exit code."),
        LanguageKey("signal", .signal, "The signal that ended the target."),
        LanguageKey("stdout", .the("outputMatcher"), "Standard output."),
        LanguageKey("stderr", .the("outputMatcher"), "Standard error."),
        LanguageKey(
          "screen", .textMatcher,
          "What the terminal shows, row by row, without blanks at their ends."),
        LanguageKey(
          "targets", .map(keys: targetName, of: .the("targetExpect")),
          "The end and the output of each of several targets, by name."),
        LanguageKey(
          "files",
          .map(
            of: .map(
              by: [
                (Vocabulary.treeCondition.filter { $0 != "snapshot" }, .the("treeCondition")),
                (Vocabulary.fileStates, .the("fileState")),
                (Vocabulary.fileProperties, .the("fileProperties")),
                (Vocabulary.outputMatcher, .the("outputConditions")),
              ], or: .text)),
          """
          Files below the scenario's directory, by path or glob, and whole folders, by a path that \
          ends with `/`; below `$HOME/` or `$TMPDIR/` those of the target's home and of its \
          temporary folder.
          """),
        LanguageKey(
          "requests",
          .list(
            of: .map(by: [
              (["request"], .the("requestCondition")), (["order"], .the("requestOrder")),
            ])), "Requests that the stand-in received."),
        LanguageKey(
          "chaos", .map(of: .the("chaosCondition")), "How often chaos entries fired, by name."),
        LanguageKey("processes", .the("processes"), "The processes of the target's tree."),
        LanguageKey(
          "borne", .the("expect"),
          """
          Conditions that hold unless the target tells that it failed: by an exit code other \
          than the one of `exit` (0 if there is none), or on standard error otherwise than \
          `stderr` says (nothing if there is none). A crash tells nothing.
          """),
        LanguageKey(
          "timers", .map(.the("timers"), or: .list(of: .the("durationMatcher"))),
          """
          The waits that the target asked for since the scenario's start, each by the length \
          it asked for, in order; waits for ever are none.
          """),
        LanguageKey(
          "elapsed", .the("durationMatcher"),
          "The virtual time since the scenario's start, on the monotonic clock."),
        LanguageKey(
          "clock", .map(.the("clockCondition"), or: .instant), "What the wall clock shows."),
      ]),
    .map(
      "targetExpect", "What must hold of one of several targets.",
      [
        LanguageKey("exit", .numberMatcher, "The exit code."),
        LanguageKey("signal", .signal, "The signal that ended the target."),
        LanguageKey("stdout", .the("outputMatcher"), "Standard output."),
        LanguageKey("stderr", .the("outputMatcher"), "Standard error."),
        LanguageKey(
          "screen", .textMatcher,
          "What the terminal shows, row by row, without blanks at their ends."),
      ]),
    .map(
      "fileState", "Whether a file is there.",
      [
        LanguageKey("absent", .constant(.bool(true)), "No file matches."),
        LanguageKey("exists", .constant(.bool(true)), "At least one file matches."),
      ], rules: [.exactlyOneKey]),
    .map(
      "fileProperties", "What a file is, beside what it says.",
      [
        LanguageKey(
          "kind", .words(["file", "folder", "link", "other"]), "What stands at the path."),
        LanguageKey("link", .textMatcher, "Where a symbolic link leads."),
        LanguageKey(
          "mode", .either(.string, .integer), "Permission bits in octal digits, such as 0644."),
        LanguageKey(
          "sha256", .pattern("^[0-9A-Fa-f]{64}$"),
          "The SHA-256 of the file's bytes, as sha256sum prints it."),
      ], rules: [.atLeastOneKey]),
    .map(
      "treeCondition", "What a whole folder holds.",
      [
        LanguageKey(
          "folder", .string, "A folder of the project that holds the same files, byte by byte."),
        LanguageKey(
          "only", .list(of: .string),
          "Paths and globs below the folder: each is there, and no other file."),
        LanguageKey(
          "snapshot", .the("snapshotName"),
          "What `__snapshots__/FILE/NAME.snap` beside the scenario file says of all files."),
        LanguageKey(
          "ignore", .list(of: .string, atLeast: 1), "Paths and globs below it that do not count."),
        LanguageKey("modes", .truth, "Whether it counts that a file may be executed."),
      ],
      rules: [
        .someOf(["folder", "only", "snapshot"]), .atMostOne(["folder", "only", "snapshot"]),
      ]),
    .map(
      "requestCondition", "A request that must have been made.",
      [
        LanguageKey("request", .string, "Method and path or URL.", isRequired: true),
        LanguageKey("count", .numberMatcher, "How often; at least once unless said."),
        LanguageKey(
          "apart", .list(of: .delay), "The virtual time from each match to the next, exactly."),
      ]),
    .map(
      "requestOrder", "Requests that come one behind the other.",
      [
        LanguageKey(
          "order", .list(of: .string, atLeast: 2), "Method and path or URL of each.",
          isRequired: true)
      ]),
    .map(
      "chaosCondition", "What an entry did; one of these at least.",
      [
        LanguageKey("fired", .numberMatcher, "How often it fired."),
        LanguageKey("matched", .numberMatcher, "How often its conditions held."),
      ], rules: [.atLeastOneKey]),
    .map(
      "processes", "Counts of processes.",
      [
        LanguageKey("left", .numberMatcher, "Those that live at the end."),
        LanguageKey(
          "crashed", .numberMatcher, "Those that SEGV, ABRT, BUS, FPE, ILL, SYS or TRAP has ended."),
      ], rules: [.atLeastOneKey]),
    .map(
      "timers", "Which waits count, and what must hold of them.",
      [
        LanguageKey("process", .string, "Only waits of programs with such a name; a glob."),
        LanguageKey(
          "call", .either(.string, .list(of: .string)), "Only waits in these system calls."),
        LanguageKey("at_least", .delay, "Only waits so long."),
        LanguageKey("waits", .list(of: .the("durationMatcher")), "Each of them, in order."),
        LanguageKey("count", .numberMatcher, "How many there are."),
      ], rules: [.someOf(["waits", "count"])]),
    .map(
      "clockCondition", "A stretch of time.",
      [
        LanguageKey(
          "between", .pair(of: .instant), "Between two instants, both included.", isRequired: true)
      ]),
  ]
}
