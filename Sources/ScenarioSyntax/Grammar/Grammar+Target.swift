internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// The definitions of the executable under test and its clock.
  static let targetDefinitions: [LanguageDefinition] = [
    Grammar.target.definition,
    .shape(
      "terminalSize", "Columns and rows of a terminal: 80x24.",
      .pattern("^0*[1-9][0-9]*x0*[1-9][0-9]*$")),
    Grammar.ready.definition,
    Grammar.readyHTTP.definition,
    Grammar.stopSettings.definition,
    Grammar.limits.definition,
    Grammar.encodedInput.definition,
    Grammar.fileFixture.definition,
    Grammar.files.definition,
    Grammar.clock.definition,
    Grammar.targetClock.definition,
    Grammar.computing.definition,
  ]
}

extension Grammar {
  static let target = MapGrammar<TargetSettings>(
    "target", "The executable under test.", rules: [blockRule]
  ) {
    blockFields()
    Field(
      "command", .either(.list(of: .valueText, atLeast: 1), .valueText),
      """
      A list: program and arguments, no shell. A text: run by sh -c. A target has one of its own, or inherits it.
      """)
    Field(
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
      set. "" sets a variable to nothing; one that is not named is not set. `pass: [NAME]` lets variables of the \
      runner's own through.
      """
    ) { decoder, node, target in
      (target.environment, target.passedEnvironment) = decoder.decodeEnvironment(node)
    }
    Field(
      "files", .map(of: .map(.the("fileFixture"), or: .text)),
      "Files laid into the scenario's fresh directory, by relative path.", \.files
    ) { $0.decodeFiles($1) }
    Field(
      "stdin",
      .map(
        by: [
          (Grammar.encodedInput.keys, .the("encodedInput")),
          (["$build"], .the("buildGenerator")),
          (Grammar.generator.keys, .the("generator")),
        ], or: .text), "What the target reads from standard input.", \.standardInput
    ) { $0.decodeStandardInput($1) }
    Field(
      "working_directory", .text,
      "The folder below the scenario's directory in which it works, made where it is missing.",
      \.workingDirectory
    ) { $0.decodeArgument($1, "working_directory") }
    Field("limits", .the("limits"), "What the target may have at most.", \.limits) {
      $0.decodeLimits($1)
    }
    Field(
      "clock", .the("targetClock"),
      "By how much the target's wall clock is off the scenario's, which needs a `clock`.", \.clock
    ) { $0.decodeTargetClock($1) }
    Field(
      "host", .pattern("^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$"),
      """
      The name of a machine of the scenario's world on which the target runs, such as n1.cluster.test: with an address, \
      ports and a loopback of its own. Every other target reaches it by this name.
      """, \.host
    ) { $0.decodeHostName($1) }
    Field(
      "ready", .the("ready"), "When a target counts as ready; a step `start` ends then.", \.ready
    ) { $0.decodeReadiness($1) }
    Field("stop", .the("stopSettings"), "How the target is ended.", \.stop) {
      $0.decodeStopSettings($1)
    }
    Field(
      "terminal", .the("terminalSize"),
      """
      A pseudo-terminal of so many columns and rows is what the target reads and writes, and \
      controls its session; TERM is dumb unless `env` says otherwise.
      """, \.terminal
    ) { $0.decodeTerminalSize($1, "terminal") }
  }

  static let ready = MapGrammar<Void>(
    "ready", "What shows that a target can be used; all of it must hold.",
    rules: [.someOf(["file", "http", "notify", "port", "stderr", "stdout"])]
  ) {
    Field(
      "stdout", .text,
      """
      A regular expression on standard output; what its named groups match is kept for \
      `${{ capture.NAME }}`.
      """
    ).formerly("output")
    Field("stderr", .text, "The same on standard error.").formerly("error_output")
    Field("file", .text, "A file below the scenario's directory is there.")
    Field(
      "notify", .either(.constant(.bool(true)), .constant(.string("abstract"))),
      "The target says READY=1 on the socket that NOTIFY_SOCKET names, as systemd's services do."
    )
    Field(
      "port", .either(.integer(1...65_535), .constant(.bool(true)), .text),
      "The target listens on a TCP port of this machine, or on any.")
    Field(
      "http", .map(.the("readyHTTP"), or: .text),
      """
      A path, or an http URL of this machine, is answered with a status from 200 to 299; asked \
      on the port that the target listens on unless one is named.
      """)
    Field("timeout", .delay, "The bound in real time; the scenario's own unless said.")
  }

  static let readyHTTP = MapGrammar<Void>(
    "readyHTTP", "A request that a target answers once it is ready.", rules: [.atLeastOneKey]
  ) {
    Field("path", .text, "The path; / unless said.")
    Field(
      "port", .either(.integer(1...65_535), .text),
      "The port; the one that the target listens on unless said.")
    Field("status", .integer(100...599), "The status; any from 200 to 299 unless said.")
  }

  static let stopSettings = MapGrammar<StopSettings>(
    "stopSettings", "How a target is ended, by a step `stop` and at the end of the scenario.",
    rules: [.atLeastOneKey]
  ) {
    Field("signal", .signal, "The signal; TERM unless said, HUP at a terminal.", \.signal)
    Field(
      "grace", .delay,
      """
      How long it may take at the end of the scenario, in real time, before it is killed; 5s \
      unless said.
      """, \.grace
    ) { $0.decodePositive($1, "grace") }
  }

  static let limits = MapGrammar<TargetLimits>(
    "limits", "What the target may have at most, to fail as the kernel lets it fail beyond that.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "memory", .byteCount,
      """
      Bytes of private writable mappings that each process may have: mmap, brk and the \
      like; then ENOMEM.
      """, \.memory
    ) { $0.decodeMemory($1) }
    Field(
      "open_files", .integer(3...), "Descriptors that each process may have; then EMFILE.", \.files
    ) {
      $0.decodeCount($1, "open_files", in: TargetLimits.leastFiles...1_048_576)
    }.formerly("files")
    Field(
      "processes", .integer(1...), "Processes and threads that may live at once; then EAGAIN.",
      \.processes
    ) {
      $0.decodeCount($1, "processes", in: 1...4_194_304)
    }
  }

  static let encodedInput = MapGrammar<Void>(
    "encodedInput", "Data as text in one of several forms.", rules: [.exactlyOneKey]
  ) {
    Field("text", .text, "The text itself.")
    Field("json", .data, "Written as JSON.")
    Field("yaml", .data, "Written as YAML.")
    Field("csv", .data, "A map or list of maps, written as CSV.")
  }

  static let fileFixture = MapGrammar<Void>(
    "fileFixture", "A file's content and mode, a symbolic link, or a folder.",
    rules: [.exactlyOne(["text", "json", "yaml", "csv", "file", "symlink", "kind"])]
  ) {
    Field("text", .text, "The file's text.")
    Field("json", .data, "Data, written as JSON.")
    Field("file", .text, "An existing file to copy, relative to the scenario file.")
    Field(
      "mode", .either(.string, .integer),
      "Permission bits in octal; 0644 unless said, and 0755 for a folder.",
      examples: [.string("0755")])
    Field("yaml", .data, "Data, written as YAML.")
    Field("csv", .data, "A map or list of maps, written as CSV.")
    Field("symlink", .text, "Where a symbolic link leads, as readlink(1) has it.").formerly("link")
    Field("kind", .words(["folder"]), "folder: a folder, be it empty.")
  }

  static let files = MapGrammar<Void>(
    "files", "What the target may do to files that are not the scenario's own."
  ) {
    Field(
      "outside", .words(of: OutsideRule.self),
      """
      What becomes of changes outside of the case's folders. report, unless said: they happen, \
      and a warning names them. allow: they happen. refuse: they fail with EROFS, and a warning \
      names them.
      """)
  }

  static let clock = MapGrammar<ClockSettings>(
    "clock", "What time it is, and how it passes.", rules: [blockRule]
  ) {
    blockFields()
    Field("at", .instant, "The wall clock at the start; the present unless said.", \.at) {
      $0.decodeFixedInstant($1, "at")
    }
    Field(
      "flow", .either(.words(["real", "held", "auto"]), .the("rate")),
      """
      real: as fast as real time. held: only when a step says so. auto: to the next \
      deadline whenever everything sleeps. x60: so many times as fast as real time.
      """, \.flow
    ) { $0.decode($1, "flow", as: .flow) }
    Field(
      "settable", .truth,
      """
      Whether the target may set the wall clock, which moves the scenario's; it gets EPERM \
      unless said.
      """, \.isSettable)
    Field(
      "file_times", .word(),
      """
      What the times of files that the target writes show. real: the machine's time. \
      virtual: the scenario's.
      """, \.files
    ).formerly("files")
    Field(
      "escapes", .word(),
      """
      What a wait or a process that escaped the clock does to the scenario. fail: it \
      fails, and with a process out of reach nothing is decided. allow: it is told and goes on.
      """, \.escapes)
    Field(
      "computing",
      .map(.the("computing"), or: .either(.words(["free", "real"]), .the("rate"))),
      """
      What computing costs of virtual time, where others wait for an instant or the program looks at the clock. Unless \
      said, each thread computes for a second from one wait to the next, and whatever lies beyond takes as long as it \
      takes. free: nothing ever. real: no second is free. x2: no second is free, and each takes two.
      """, \.computing
    ) { $0.decodeComputing($1) }
    Field(
      "slack", .delay,
      """
      By how much a wait may be late of a thread that polls: one whose waits have timed out again and again while it did \
      nothing that anybody else could see. It ends with the next wait that is exact, or when the slack is used up, which \
      makes long idle times cheaper. Unless said, every wait is exact.
      """, \.slack)
    Field(
      "leap_second", .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
      """
      The day at whose end UTC has a second more: wall clocks show 23:59:59 twice, as Linux does, and TAI goes on.
      """, \.leapSecond
    ) { $0.decode($1, "leap_second", as: .leapSecond) }
  }

  static let computing = MapGrammar<ComputingReading>(
    "computing", "From when on computing costs time, and how much."
  ) {
    Field(
      "after", .delay,
      """
      How much processor time a thread may use from one wait to the next before time passes for it; 1s unless said.
      """, \.after)
    Field(
      "rate", .the("rate"),
      "How much virtual time passes for the processor time beyond; x1 unless said.", \.rate
    ) { $0.decode($1, "rate", as: .computingRate) }
  }
}
