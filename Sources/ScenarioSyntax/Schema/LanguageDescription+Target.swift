internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of the executable under test and its clock.
  static let targetDefinitions: [LanguageDefinition] = [
    .map(
      "target", "The executable under test.",
      [
        LanguageKey(
          "command", .either(.list(of: .valueText, atLeast: 1), .valueText),
          "A list: program and arguments, no shell. A text: run by sh -c.", isRequired: true),
        LanguageKey(
          "env",
          .map(of: .valueText).and([
            "properties": .map([
              "pass": .map([
                "description": .string("Names let through from the runner's own environment."),
                "type": .string("array"), "items": SchemaShape.text.schema,
              ])
            ])
          ]),
          """
          The target's environment; beside it only HOME, LANG, PATH, TMPDIR, TZ, the XDG folders and what a world needs are \
          set. "" sets a variable to nothing; one that is not named is not set.
          """),
        LanguageKey(
          "files", .map(of: .map(.the("fileFixture"), or: .text)),
          "Files laid into the scenario's fresh directory, by relative path."),
        LanguageKey(
          "stdin",
          .map(
            by: [
              (Vocabulary.standardInput, .the("encodedInput")),
              (["$build"], .the("buildGenerator")),
              (Vocabulary.generators.filter { $0 != "$build" }, .the("generator")),
            ], or: .text), "What the target reads from standard input."),
        LanguageKey("limits", .the("limits"), "What the target may have at most."),
        LanguageKey(
          "ready", .the("ready"),
          "When a target counts as ready; a step `start` ends then."),
        LanguageKey("stop", .the("stopSettings"), "How the target is ended."),
        LanguageKey(
          "terminal", .the("terminalSize"),
          """
          A pseudo-terminal of so many columns and rows is what the target reads and writes, and \
          controls its session; TERM is dumb unless `env` says otherwise.
          """),
      ]),
    .shape(
      "terminalSize", "Columns and rows of a terminal: 80x24.",
      .pattern("^0*[1-9][0-9]*x0*[1-9][0-9]*$")),
    .map(
      "ready", "What shows that a target can be used; all of it must hold.",
      [
        LanguageKey(
          "output", .text,
          """
          A regular expression on standard output; what its named groups match is kept for \
          `${{ capture.NAME }}`.
          """),
        LanguageKey("error_output", .text, "The same on standard error."),
        LanguageKey("file", .text, "A file below the scenario's directory is there."),
        LanguageKey(
          "notify", .either(.constant(.bool(true)), .constant(.string("abstract"))),
          "The target says READY=1 on the socket that NOTIFY_SOCKET names, as systemd's services do."
        ),
        LanguageKey(
          "port", .either(.integer(1...65_535), .constant(.bool(true)), .text),
          "The target listens on a TCP port of this machine, or on any."),
        LanguageKey(
          "http", .map(.the("readyHTTP"), or: .text),
          """
          A path, or an http URL of this machine, is answered with a status from 200 to 299; asked \
          on the port that the target listens on unless one is named.
          """),
        LanguageKey("timeout", .delay, "The bound in real time; the scenario's own unless said."),
      ],
      rules: [.someOf(["error_output", "file", "http", "notify", "output", "port"])]),
    .map(
      "readyHTTP", "A request that a target answers once it is ready.",
      [
        LanguageKey("path", .text, "The path; / unless said."),
        LanguageKey(
          "port", .either(.integer(1...65_535), .text),
          "The port; the one that the target listens on unless said."),
        LanguageKey("status", .integer(100...599), "The status; any from 200 to 299 unless said."),
      ], rules: [.atLeastOneKey]),
    .map(
      "stopSettings", "How a target is ended, by a step `stop` and at the end of the scenario.",
      [
        LanguageKey("signal", .signal, "The signal; TERM unless said, HUP at a terminal."),
        LanguageKey(
          "grace", .delay,
          """
          How long it may take at the end of the scenario, in real time, before it is killed; 5s \
          unless said.
          """),
      ], rules: [.atLeastOneKey]),
    .map(
      "limits", "What the target may have at most, to fail as the kernel lets it fail beyond that.",
      [
        LanguageKey(
          "memory", .byteCount,
          """
          Bytes of private writable mappings that each process may have: mmap, brk and the \
          like; then ENOMEM.
          """),
        LanguageKey(
          "files", .integer(3...), "Descriptors that each process may have; then EMFILE."),
        LanguageKey(
          "processes", .integer(1...), "Processes and threads that may live at once; then EAGAIN."),
      ], rules: [.atLeastOneKey]),
    .map(
      "encodedInput", "Data as text in one of several forms.",
      [
        LanguageKey("text", .text, "The text itself."),
        LanguageKey("json", .data, "Written as JSON."),
        LanguageKey("yaml", .data, "Written as YAML."),
        LanguageKey("csv", .data, "A map or list of maps, written as CSV."),
      ], rules: [.exactlyOneKey]),
    .map(
      "fileFixture", "A file's content and mode, a symbolic link, or a folder.",
      [
        LanguageKey("text", .text, "The file's text."),
        LanguageKey("json", .data, "Data, written as JSON."),
        LanguageKey("file", .text, "An existing file to copy, relative to the scenario file."),
        LanguageKey(
          "mode", .either(.string, .integer),
          "Permission bits in octal; 0644 unless said, and 0755 for a folder.",
          examples: [.string("0755")]),
        LanguageKey("yaml", .data, "Data, written as YAML."),
        LanguageKey("csv", .data, "A map or list of maps, written as CSV."),
        LanguageKey("link", .text, "Where a symbolic link leads, as readlink(1) has it."),
        LanguageKey("kind", .words(["folder"]), "folder: a folder, be it empty."),
      ],
      rules: [.exactlyOne(["text", "json", "yaml", "csv", "file", "link", "kind"])]),
    .map(
      "files", "What the target may do to files that are not the scenario's own.",
      [
        LanguageKey(
          "outside", .words(of: OutsideRule.self),
          """
          What becomes of changes outside of the case's folders. report, unless said: they happen, \
          and a warning names them. allow: they happen. refuse: they fail with EROFS, and a warning \
          names them.
          """)
      ]),
    .map(
      "clock", "What time it is, and how it passes.",
      [
        LanguageKey("at", .instant, "The wall clock at the start; the present unless said."),
        LanguageKey(
          "flow", .either(.words(["real", "held", "auto"]), .the("rate")),
          """
          real: as fast as real time. held: only when a step says so. auto: to the next \
          deadline whenever everything sleeps. x60: so many times as fast as real time.
          """),
        LanguageKey(
          "settable", .truth,
          """
          Whether the target may set the wall clock, which moves the scenario's; it gets EPERM \
          unless said.
          """),
        LanguageKey(
          "files", .words(of: FileTimes.self),
          """
          What the times of files that the target writes show. real: the machine's time. \
          virtual: the scenario's.
          """),
        LanguageKey(
          "escapes", .words(of: ClockEscapes.self),
          """
          What a wait or a process that escaped the clock does to the scenario. fail: it \
          fails, and with a process out of reach nothing is decided. allow: it is told and goes on.
          """),
      ]),
  ]
}
