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
      "The rows that the terminal shows, without trailing blanks."
    ) { $0.add(.screen($1)) }
    Field(
      "watchdog", .the("watchdog"),
      """
      The target sends WATCHDOG=1 periodically after READY=1, as systemd services do \
      (sd_notify(3)).
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
      "Exit and output of several targets, by name."
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
      Files in the scenario's directory, by path or glob; whole folders, by a path that ends \
      with `/`. Paths below `$HOME/` or `$TMPDIR/` name files of the target's home or \
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
      The state that `set` has stored, by name, and the items of stores: a value, or \
      conditions as in `json`.
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
      Conditions that must hold unless the target reports a failure itself. It reports one by \
      an exit code other than that of `exit` (default: 0), or by standard error that differs \
      from `stderr` (default: empty). A crash does not report a failure.
      """
    ) { decoder, node, reading in
      decoder.decodeTolerated(node).map { reading.add($0) }
    }.formerly("borne")
    Field(
      "timers", .map(.the("timers"), or: .list(of: .the("durationMatcher"))),
      """
      The waits that the target requested since the scenario's start: the requested lengths, \
      in order. Waits without a timeout are not counted.
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
    "expect", "Expectations; all of them are checked.", rules: [blockRule]
  ) {
    conditions
    blockFields()
    Field(
      "eventually", .the("repeatedExpect"),
      """
      Expectations that must hold within a length of virtual time. They are checked repeatedly \
      until they do.
      """
    ) { decoder, node, reading in
      decoder.decodeRepeated(node, .eventually).map { reading.add($0) }
    }
    Field(
      "always", .the("repeatedExpect"),
      "Expectations that must hold now and at each check within a length of virtual time."
    ) { decoder, node, reading in
      decoder.decodeRepeated(node, .always).map { reading.add($0) }
    }
  }

  static let repeatedExpect = MapGrammar<ExpectationReading>(
    "repeatedExpect", "Expectations to check repeatedly, and for how long."
  ) {
    Field("within", .delay, "For how much virtual time to check.") { $0.length = $1 }
      .required("within: 5s")
    Field("every", .delay, "The virtual time between two checks (default: 100ms).") {
      $0.interval = $1
    }
    conditions
  }

  static let targetExpect = MapGrammar<ExpectationReading>(
    "targetExpect", "Expectations on one of several targets."
  ) {
    outcome
  }

  static let fileState = MapGrammar<Void>(
    "fileState", "Whether a file exists.", rules: [.exactlyOneKey]
  ) {
    Field("absent", .constant(.bool(true)), "No file matches.")
    Field("exists", .constant(.bool(true)), "At least one file matches.")
  }

  static let fileProperties = MapGrammar<FileProperties>(
    "fileProperties", "Properties of a file besides its content.", rules: [.atLeastOneKey]
  ) {
    Field(
      "kind", .words(of: FileKind.self), "The kind of file at the path.", \.kind
    ) { $0.decodeWord($1, "kind") }.formerly(words: ["link": "symlink"])
    Field("symlink", .matcher(.text), "The target of a symbolic link.", \.link).formerly("link")
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
    "fileConditions", "Conditions on a file: that it exists, its properties and its content.",
    rules: [.atLeastOneKey]
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
    "treeCondition", "Conditions on the files of a whole folder.",
    rules: [
      .someOf(["folder", "only", "snapshot"]), .atMostOne(["folder", "only", "snapshot"]),
    ]
  ) {
    Field(
      "folder", .string, "A folder of the project that must contain the same files, byte for byte.")
    Field(
      "only", .list(of: .string),
      "Paths and globs below the folder: each must match a file, and no other files may exist.")
    Field(
      "snapshot", .the("snapshotName"),
      "Compares all files with `__snapshots__/FILE/NAME.snap` beside the scenario file.")
    Field(
      "ignore", .list(of: .string, atLeast: 1), "Paths and globs below the folder to ignore.")
    Field("modes", .truth, "Whether the executable bit of files is compared.")
  }

  static let requestCondition = MapGrammar<Void>(
    "requestCondition", "A request that the target must have made."
  ) {
    Field(
      "request", .map(.the("request"), or: .string),
      "Method and path or URL, or a pattern as in `responses`.", isRequired: true)
    Field("count", .numberMatcher, "How many matching requests (default: at least one).")
    Field(
      "intervals", .list(of: .the("durationMatcher")),
      "The virtual time between consecutive matches: lengths, or conditions on them."
    ).formerly("apart")
  }

  static let requestOrder = MapGrammar<Void>(
    "requestOrder", "Requests that must follow each other."
  ) {
    Field(
      "order", .list(of: .map(.the("request"), or: .string), atLeast: 2),
      "Method and path or URL of each, or a pattern.",
      isRequired: true)
  }

  static let chaosCondition = MapGrammar<Void>(
    "chaosCondition", "Conditions on a chaos entry; at least one is required.",
    rules: [.atLeastOneKey]
  ) {
    Field("fired", .numberMatcher, "How many times it fired.")
    Field("matched", .numberMatcher, "How many times its conditions held.")
  }

  static let processes = MapGrammar<Void>(
    "processes", "Counts of processes.", rules: [.atLeastOneKey]
  ) {
    Field("left", .numberMatcher, "Processes still running at the end.")
    Field(
      "crashed", .numberMatcher, "Processes ended by SEGV, ABRT, BUS, FPE, ILL, SYS or TRAP.")
  }

  static let timers = MapGrammar<TimersCondition>(
    "timers", "Which waits to count, and conditions on them.",
    rules: [.someOf(["waits", "count"])]
  ) {
    Field("process", .string, "Counts only waits of programs with this name; a glob.", \.process) {
      $0.decodeText($1, "process", example: "write a program's name, such as curl")
    }
    Field(
      "call", .either(.string, .list(of: .string)), "Counts only waits in these system calls.",
      \.calls
    ) { $0.decodeCallNames($1) }
    Field("at_least", .delay, "Counts only waits of at least this length.", \.shortest)
    Field(
      "waits", .list(of: .the("durationMatcher")), "A condition for each wait, in order.", \.waits
    ) {
      $0.decodeWaits($1, "waits")
    }
    Field("count", .matcher(.number), "The number of waits.", \.count)
  }

  static let watchdog = MapGrammar<WatchdogReading>(
    "watchdog", "How often a target must send WATCHDOG=1."
  ) {
    Field(
      "within", .delay,
      """
      The maximum virtual time between two WATCHDOG=1 messages. WATCHDOG_USEC passes it to \
      the target.
      """,
      \.within
    ).required("within: 30s")
  }

  static let clockCondition = MapGrammar<Void>("clockCondition", "A range of time.") {
    Field(
      "between", .pair(of: .instant), "Between two timestamps, inclusive.", isRequired: true)
  }
}
