internal import Foundations
internal import ScenarioModel

internal import OrderedCollections

extension LanguageDescription {
  /// The definitions of the executable under test and its clock.
  static let targetDefinitions: [LanguageDefinition] = [
    Grammar.target.definition,
    .shape(
      "terminalSize", "The columns and rows of a terminal, such as 80x24.",
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
      A list: program and arguments, without a shell. A text: run by sh -c. A target has its \
      own command, or inherits it.
      """)
    Field(
      "env",
      .map(of: .valueText).and([
        "properties": .map([
          "pass": .map([
            "description": .string("Names of variables to pass on from the runner's environment."),
            "type": .string("array"), "items": SchemaShape.text.schema,
          ])
        ])
      ]),
      """
      The target's environment. Besides it, only HOME, LANG, PATH, TMPDIR, TZ, the XDG folders \
      and variables that the world needs are set. "" sets a variable to the empty string. \
      `pass: [NAME]` passes on variables of the runner's environment.
      """
    ) { decoder, node, target in
      (target.environment, target.passedEnvironment) = decoder.decodeEnvironment(node)
    }
    Field(
      "files", .map(of: .map(.the("fileFixture"), or: .text)),
      "Files to create in the scenario's fresh directory, by relative path.", \.files
    ) { $0.decodeFiles($1) }
    Field(
      "stdin",
      .map(
        by: [
          (Grammar.encodedInput.keys, .the("encodedInput")),
          (["$build"], .the("buildGenerator")),
          (Grammar.generator.keys, .the("generator")),
        ], or: .text), "The target's standard input.", \.standardInput
    ) { $0.decodeStandardInput($1) }
    Field(
      "working_directory", .text,
      "Its working directory below the scenario's directory, created if missing.",
      \.workingDirectory
    ) { $0.decodeArgument($1, "working_directory") }
    Field("limits", .the("limits"), "Resource limits of the target.", \.limits) {
      $0.decodeLimits($1)
    }
    Field(
      "clock", .the("targetClock"),
      """
      How far the target's wall clock is off the scenario's. It requires a `clock` of the \
      scenario.
      """, \.clock
    ) { $0.decodeTargetClock($1) }
    Field(
      "host", .pattern("^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$"),
      """
      The host name of the simulated machine that the target runs on, such as n1.cluster.test. \
      It has its own address, ports and loopback. All other targets reach it by this name.
      """, \.host
    ) { $0.decodeHostName($1) }
    Field(
      "ready", .the("ready"), "When the target counts as ready. A step `start` waits for it.",
      \.ready
    ) { $0.decodeReadiness($1) }
    Field("stop", .the("stopSettings"), "How to stop the target.", \.stop) {
      $0.decodeStopSettings($1)
    }
    Field(
      "terminal", .the("terminalSize"),
      """
      The size of the pseudo-terminal that the target reads and writes; it is the controlling \
      terminal of its session. TERM is dumb unless `env` sets it.
      """, \.terminal
    ) { $0.decodeTerminalSize($1, "terminal") }
  }

  static let ready = MapGrammar<Void>(
    "ready", "Conditions for a target to be ready; all must hold.",
    rules: [.someOf(["file", "http", "notify", "port", "stderr", "stdout"])]
  ) {
    Field(
      "stdout", .text,
      """
      A regular expression on standard output. Named groups are captured for `${{ capture.NAME \
      }}`.
      """
    ).formerly("output")
    Field("stderr", .text, "The same for standard error.").formerly("error_output")
    Field("file", .text, "A file below the scenario's directory exists.")
    Field(
      "notify", .either(.constant(.bool(true)), .constant(.string("abstract"))),
      "The target sends READY=1 to the socket in NOTIFY_SOCKET, as systemd services do."
    )
    Field(
      "port", .either(.integer(1...65_535), .constant(.bool(true)), .text),
      "The target listens on this TCP port, or on any port.")
    Field(
      "http", .map(.the("readyHTTP"), or: .text),
      """
      A path, or an http URL of this machine, that must answer with a status from 200 to 299. \
      Default port: the one that the target listens on.
      """)
    Field("timeout", .delay, "The limit in real time (default: the scenario's own).")
  }

  static let readyHTTP = MapGrammar<Void>(
    "readyHTTP", "A request that the target must answer to be ready.", rules: [.atLeastOneKey]
  ) {
    Field("path", .text, "The path (default: /).")
    Field(
      "port", .either(.integer(1...65_535), .text),
      "The port (default: the one that the target listens on).")
    Field("status", .integer(100...599), "The status (default: any from 200 to 299).")
  }

  static let stopSettings = MapGrammar<StopSettings>(
    "stopSettings", "How to stop a target, by a step `stop` and at the end of the scenario.",
    rules: [.atLeastOneKey]
  ) {
    Field("signal", .signal, "The signal (default: TERM, at a terminal HUP).", \.signal)
    Field(
      "grace", .delay,
      """
      How much real time the target may take to end, in a step `stop:` and at the end of the scenario, before it is \
      killed (default: 5s). It has longer, up to ten times, where it waits for a processor of a busy machine.
      """, \.grace
    ) { $0.decodePositive($1, "grace") }
  }

  static let limits = MapGrammar<TargetLimits>(
    "limits", "Resource limits. Beyond them calls fail as the kernel would let them fail.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "memory", .byteCount,
      "Bytes of private writable mappings per process: mmap, brk and the like. Beyond it: ENOMEM.",
      \.memory
    ) { $0.decodeMemory($1) }
    Field(
      "open_files", .integer(3...), "Open file descriptors per process. Beyond it: EMFILE.", \.files
    ) {
      $0.decodeCount($1, "open_files", in: TargetLimits.leastFiles...1_048_576)
    }.formerly("files")
    Field(
      "processes", .integer(1...), "Processes and threads at a time. Beyond it: EAGAIN.",
      \.processes
    ) {
      $0.decodeCount($1, "processes", in: 1...4_194_304)
    }
  }

  static let encodedInput = MapGrammar<Void>(
    "encodedInput", "Data, serialized as text.", rules: [.exactlyOneKey]
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
      "Permission bits in octal (default: 0644, for a folder 0755).",
      examples: [.string("0755")])
    Field("yaml", .data, "Data, written as YAML.")
    Field("csv", .data, "A map or list of maps, written as CSV.")
    Field("symlink", .text, "The target of a symbolic link.").formerly("link")
    Field("kind", .words(["folder"]), "folder: a folder; it may be empty.")
  }

  static let files = MapGrammar<Void>(
    "files", "What happens when the target changes files outside of the case's folders."
  ) {
    Field(
      "outside", .words(of: OutsideRule.self),
      """
      Changes outside of the case's folders. report (default): they are made, and a warning \
      names them. allow: they are made. refuse: they fail with EROFS, and a warning names \
      them.
      """)
  }

  static let clock = MapGrammar<ClockSettings>(
    "clock", "The time at the start, and how time passes.", rules: [blockRule]
  ) {
    blockFields()
    Field("at", .instant, "The wall clock at the start (default: the present).", \.at) {
      $0.decodeFixedInstant($1, "at")
    }
    Field(
      "flow", .either(.words(["real", "held", "auto"]), .the("rate")),
      """
      How time passes. real: at the speed of real time. held: only by steps. auto: jumps to \
      the next deadline whenever everything sleeps. x60: 60 times as fast as real time.
      """, \.flow
    ) { $0.decode($1, "flow", as: .flow) }
    Field(
      "settable", .truth,
      """
      Whether the target may set the wall clock, which moves the scenario's. Otherwise it gets \
      EPERM.
      """, \.isSettable)
    Field(
      "file_times", .word(),
      """
      The times of files that the target writes. real: the machine's time. virtual: the \
      scenario's.
      """, \.files
    ).formerly("files")
    Field(
      "escapes", .word(),
      """
      What happens when a wait or process escapes virtual time. fail: the scenario fails, or \
      is undecided if a process is out of reach. allow: it is reported, and the scenario \
      continues.
      """, \.escapes)
    Field(
      "computing",
      .map(.the("computing"), or: .either(.words(["free", "real"]), .the("rate"))),
      """
      How much virtual time computing takes while others wait for a deadline or the program \
      reads the clock. By default each thread computes for one second of processor time \
      between two waits for free; each second of processor time beyond that takes one second \
      of virtual time. free: it never takes time. real: there is no free second. x2: there is \
      no free second, and each second takes two.
      """, \.computing
    ) { $0.decodeComputing($1) }
    Field(
      "slack", .delay,
      """
      How late a wait of a polling thread may end. A thread polls when its waits have timed out \
      repeatedly without any effect that others can see. The wait ends with the next exact wait, or when \
      the slack is used up, which makes long idle times cheaper. By default every wait is \
      exact.
      """, \.slack)
    Field(
      "leap_second", .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
      """
      The day at whose end UTC has a leap second: wall clocks show 23:59:59 twice, as on \
      Linux, and TAI continues.
      """, \.leapSecond
    ) { $0.decode($1, "leap_second", as: .leapSecond) }
  }

  static let computing = MapGrammar<ComputingReading>(
    "computing", "When computing takes virtual time, and how much."
  ) {
    Field(
      "after", .delay,
      "How much processor time a thread may use between two waits for free (default: 1s).", \.after)
    Field(
      "rate", .the("rate"),
      "How much virtual time passes per processor time beyond that (default: x1).", \.rate
    ) { $0.decode($1, "rate", as: .computingRate) }
  }
}
