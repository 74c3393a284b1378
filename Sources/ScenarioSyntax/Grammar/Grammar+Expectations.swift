internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of expectations.
  static let expectationDefinitions: [LanguageDefinition] = [
    Grammar.expect.definition,
    Grammar.repeatedExpect.definition,
    Grammar.targetExpect.definition,
    Grammar.fileState.definition,
    Grammar.fileConditions.definition,
    Grammar.treeCondition.definition,
    Grammar.requestCondition.definition,
    Grammar.requestOrder.definition,
    Grammar.chaosCondition.definition,
    Grammar.processes.definition,
    Grammar.timers.definition,
    Grammar.watchdog.definition,
    Grammar.clockCondition.definition,
  ]
}

extension Grammar {
  /// The fields for a target's end and output.
  @FieldBuilder<ExpectationReading>
  private static var outcome: [Field<ExpectationReading>] {
    Field("exit", .matcher(.number), "The exit code.") { $0.add(.exit($1)) }
    Field("signal", .signal, "The signal that ended the target.") { $0.add(.signal($1)) }
    Field("stdout", .outputMatcher, "Standard output.") { $0.add(.standardOutput($1)) }
    Field("stderr", .outputMatcher, "Standard error.") { $0.add(.standardError($1)) }
    Field(
      "screen", .matcher(.text),
      "What the terminal shows, row by row, without blanks at their ends."
    ) { $0.add(.screen($1)) }
    Field(
      "watchdog", .the("watchdog"),
      """
      The target says WATCHDOG=1 again and again, as services of systemd do (sd_notify(3)), from READY=1 on.
      """
    ) { decoder, node, reading in
      decoder.decodeWatchdog(node).map { reading.add(.watchdog(within: $0)) }
    }
  }

  /// The fields of all expectations, but for those that are checked again and again.
  @FieldBuilder<ExpectationReading>
  private static var conditions: [Field<ExpectationReading>] {
    outcome
    Field(
      "targets", .map(keys: LanguageDescription.targetName, of: .the("targetExpect")),
      "The end and the output of each of several targets, by name."
    ) {
      $2.entries += $0.decodeTargetExpectations($1)
    }
    Field(
      "files",
      .map(
        of: .map(
          by: [
            (Grammar.treeCondition.keys.filter { $0 != "snapshot" }, .the("treeCondition")),
            (["absent"], .the("fileState")),
            (Grammar.fileConditions.keys, .the("fileConditions")),
          ], or: .text)),
      """
      Files below the scenario's directory, by path or glob, and whole folders, by a path that \
      ends with `/`; below `$HOME/` or `$TMPDIR/` those of the target's home and of its \
      temporary folder.
      """
    ) {
      $2.entries += $0.decodeFileConditions($1)
    }
    Field(
      "requests",
      .list(
        of: .map(by: [
          (["request"], .the("requestCondition")), (["order"], .the("requestOrder")),
        ])), "Requests that the mock server received."
    ) {
      $2.entries += $0.decodeRequestConditions($1)
    }
    Field(
      "state", .stateConditions,
      """
      The state that `set` has left, name by name, and the items of stores: a value, or conditions as `json` has them.
      """
    ) {
      $2.entries += $0.decodeStateExpectations($1)
    }
    Field("chaos", .map(of: .the("chaosCondition")), "How often chaos entries fired, by name.") {
      $2.entries += $0.decodeChaosCounts($1)
    }
    Field("processes", .the("processes"), "The processes of the target's tree.") {
      $2.entries += $0.decodeProcessCounts($1)
    }
    Field(
      "tolerated", .the("expect"),
      """
      Conditions that hold unless the target tells that it failed: by an exit code other \
      than the one of `exit` (0 if there is none), or on standard error otherwise than \
      `stderr` says (nothing if there is none). A crash tells nothing.
      """
    ) { decoder, node, reading in
      decoder.decodeTolerated(node).map { reading.add($0) }
    }.formerly("borne")
    Field(
      "timers", .map(.the("timers"), or: .list(of: .the("durationMatcher"))),
      """
      The waits that the target asked for since the scenario's start, each by the length \
      it asked for, in order; waits for ever are none.
      """
    ) { decoder, node, reading in
      decoder.decodeTimers(node).map { reading.add(.timers($0)) }
    }
    Field(
      "duration", .matcher(.duration),
      "The virtual time since the scenario's start, on the monotonic clock."
    ) { $0.add(.elapsed($1)) }.formerly("elapsed")
    Field("clock", .map(.the("clockCondition"), or: .instant), "What the wall clock shows.") {
      decoder, node, reading in
      decoder.decodeClockCondition(node).map { reading.add(.clock($0)) }
    }
  }

  static let expect = MapGrammar<ExpectationReading>(
    "expect", "What must hold; all of it is checked.", rules: [blockRule]
  ) {
    conditions
    blockFields()
    Field(
      "eventually", .the("repeatedExpect"),
      """
      What must hold within a length of virtual time, and need not at once: it is checked again and again until it \
      does.
      """
    ) { decoder, node, reading in
      decoder.decodeRepeated(node, .eventually).map { reading.add($0) }
    }
    Field(
      "always", .the("repeatedExpect"),
      "What must hold now and at each check within a length of virtual time."
    ) { decoder, node, reading in
      decoder.decodeRepeated(node, .always).map { reading.add($0) }
    }
  }

  static let repeatedExpect = MapGrammar<ExpectationReading>(
    "repeatedExpect", "What is checked again and again, and for how long."
  ) {
    Field("within", .delay, "For how much virtual time.") { $0.length = $1 }
      .required("within: 5s")
    Field("every", .delay, "How much virtual time passes between two checks; 100ms unless said.") {
      $0.interval = $1
    }
    conditions
  }

  static let targetExpect = MapGrammar<ExpectationReading>(
    "targetExpect", "What must hold of one of several targets."
  ) {
    outcome
  }

  static let fileState = MapGrammar<Void>(
    "fileState", "Whether a file is there.", rules: [.exactlyOneKey]
  ) {
    Field("absent", .constant(.bool(true)), "No file matches.")
    Field("exists", .constant(.bool(true)), "At least one file matches.")
  }

  static let fileProperties = MapGrammar<FileProperties>(
    "fileProperties", "What a file is, beside what it says.", rules: [.atLeastOneKey]
  ) {
    Field(
      "kind", .words(of: FileKind.self), "What stands at the path.", \.kind
    ) { $0.decodeWord($1, "kind") }.formerly(words: ["link": "symlink"])
    Field("symlink", .matcher(.text), "Where a symbolic link leads.", \.link).formerly("link")
    Field(
      "mode", .either(.string, .integer), "Permission bits in octal digits, such as 0644.", \.mode
    ) { $0.decodeMode($1) }
    Field(
      "sha256", .pattern("^[0-9A-Fa-f]{64}$"),
      "The SHA-256 of the file's bytes, as sha256sum prints it.", \.digest
    ) { $0.decodeDigest($1) }
  }

  /// All that may be expected of one file, be it read part by part.
  static let fileConditions = MapGrammar<Void>(
    "fileConditions", "That a file is there, what it is, and what it says.", rules: [.atLeastOneKey]
  ) {
    fileKeys
  }

  private static var fileKeys: [Field<Void>] {
    let state: [LanguageKey] = fileState.fields.map(\.key)
    let properties: [LanguageKey] = fileProperties.fields.map(\.key)
    let content: [LanguageKey] = outputConditions.fields.map(\.key)
    let others = content.filter { key in !state.contains { $0.name == key.name } }
    let all: [LanguageKey] = state.filter { $0.name != "absent" } + properties + others
    return all.map { Field<Void>(naming: $0) }
  }

  static let treeCondition = MapGrammar<Void>(
    "treeCondition", "What a whole folder holds.",
    rules: [
      .someOf(["folder", "only", "snapshot"]), .atMostOne(["folder", "only", "snapshot"]),
    ]
  ) {
    Field(
      "folder", .string, "A folder of the project that holds the same files, byte by byte.")
    Field(
      "only", .list(of: .string),
      "Paths and globs below the folder: each is there, and no other file.")
    Field(
      "snapshot", .the("snapshotName"),
      "What `__snapshots__/FILE/NAME.snap` beside the scenario file says of all files.")
    Field(
      "ignore", .list(of: .string, atLeast: 1), "Paths and globs below it that do not count.")
    Field("modes", .truth, "Whether it counts that a file may be executed.")
  }

  static let requestCondition = MapGrammar<Void>(
    "requestCondition", "A request that must have been made."
  ) {
    Field(
      "request", .map(.the("request"), or: .string),
      "Method and path or URL, or a pattern as entries of `responses` have it.", isRequired: true)
    Field("count", .numberMatcher, "How often; at least once unless said.")
    Field(
      "intervals", .list(of: .the("durationMatcher")),
      "The virtual time from each match to the next: lengths, or conditions on them."
    ).formerly("apart")
  }

  static let requestOrder = MapGrammar<Void>(
    "requestOrder", "Requests that come one behind the other."
  ) {
    Field(
      "order", .list(of: .map(.the("request"), or: .string), atLeast: 2),
      "Method and path or URL of each, or a pattern.",
      isRequired: true)
  }

  static let chaosCondition = MapGrammar<Void>(
    "chaosCondition", "What an entry did; one of these at least.", rules: [.atLeastOneKey]
  ) {
    Field("fired", .numberMatcher, "How often it fired.")
    Field("matched", .numberMatcher, "How often its conditions held.")
  }

  static let processes = MapGrammar<Void>(
    "processes", "Counts of processes.", rules: [.atLeastOneKey]
  ) {
    Field("left", .numberMatcher, "Those that live at the end.")
    Field(
      "crashed", .numberMatcher, "Those that SEGV, ABRT, BUS, FPE, ILL, SYS or TRAP has ended.")
  }

  static let timers = MapGrammar<TimersCondition>(
    "timers", "Which waits count, and what must hold of them.",
    rules: [.someOf(["waits", "count"])]
  ) {
    Field("process", .string, "Only waits of programs with such a name; a glob.", \.process) {
      $0.decodeText($1, "process", example: "write a program's name, such as curl")
    }
    Field(
      "call", .either(.string, .list(of: .string)), "Only waits in these system calls.", \.calls
    ) { $0.decodeCallNames($1) }
    Field("at_least", .delay, "Only waits so long.", \.shortest)
    Field("waits", .list(of: .the("durationMatcher")), "Each of them, in order.", \.waits) {
      $0.decodeWaits($1, "waits")
    }
    Field("count", .matcher(.number), "How many there are.", \.count)
  }

  static let watchdog = MapGrammar<WatchdogReading>(
    "watchdog", "How often a target says that it lives."
  ) {
    Field(
      "within", .delay,
      "How much virtual time passes from one WATCHDOG=1 to the next at most; WATCHDOG_USEC says so to the target.",
      \.within
    ).required("within: 30s")
  }

  static let clockCondition = MapGrammar<Void>("clockCondition", "A stretch of time.") {
    Field(
      "between", .pair(of: .instant), "Between two instants, both included.", isRequired: true)
  }
}
