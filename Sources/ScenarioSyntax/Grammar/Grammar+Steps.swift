internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of steps.
  static let stepDefinitions: [LanguageDefinition] = [
    Grammar.step.definition,
    Grammar.send.definition,
    .shape(
      "targetName", "The name of a target below `targets`.",
      .pattern(targetName)),
    Grammar.signalStep.definition,
    Grammar.exec.definition,
    Grammar.write.definition,
    Grammar.launch.definition,
    Grammar.chaosApplication.definition,
    Grammar.travelBlock.definition,
    Grammar.jumpBlock.definition,
    Grammar.freezeBlock.definition,
    Grammar.rateBlock.definition,
    Grammar.capture.definition,
    Grammar.capturedJSON.definition,
    Grammar.wait.definition,
  ]
}

extension Grammar {
  /// The keys of a step that say what it does; `expect` alone is an action, too.
  static let actions = step.keys(without: besideActions)
  private static let besideActions = ["expect", "name", "target", "with"] + stepSettingKeys

  static let step = MapGrammar<StepReading>(
    "step", "One step: an action, expectations, or both.",
    rules: { keys in
      let actions = keys.filter { !besideActions.contains($0) }
      return [.someOf(actions + ["expect"]), .atMostOne(actions), blockRule]
    }
  ) {
    Field("name", .name, "The step's name in reports.", \.name)
    stepSettings
    blockFields(isEntry: true)
    Field(
      "run", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
      "Starts the target with additional arguments, and waits until it ends."
    ) { decoder, node, step in
      guard let launch = decoder.decodeStart(node, "run") else { return }
      step.within = launch.target
      step.action = .run(launch.arguments)
    }
    Field(
      "start", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
      "Starts the target with additional arguments, and continues."
    ) { decoder, node, step in
      guard let launch = decoder.decodeStart(node, "start") else { return }
      step.within = launch.target
      step.action = .start(launch.arguments)
    }
    Field(
      "stop", .either(.nothing, .the("targetName")),
      "Sends TERM, or HUP to a target on a terminal, and waits until the target ends."
    ) { decoder, node, step in
      if !node.isNull { step.within = decoder.decodeTargetName(node, "stop") }
      if node.isNull || step.within != nil { step.action = .stop }
    }
    Field(
      "signal", .map(.the("signalStep"), or: .signal),
      """
      Sends a signal, once all processes are idle, to the target or to processes that it \
      has started.
      """
    ) { $0.decodeSignalStep($1, into: &$2) }
    Field(
      "send", .map(.the("send"), or: .text),
      "Writes to the target's standard input, or types at its terminal.", \.action
    ) { $0.decodeSend($1) }
    Field(
      "resize", .the("terminalSize"),
      "Resizes the target's terminal; the target gets SIGWINCH.", \.action
    ) { $0.decodeTerminalSize($1, "resize").map { .resize($0.value) } }
    Field(
      "close", .words(["stdin", "stdout", "stderr"]),
      """
      Closes the target's standard input, or stops reading one of its outputs. On a terminal, \
      stdin types the end-of-file character.
      """, \.action
    ) { $0.decodeClose($1) }
    Field(
      "wait", .map(.the("wait"), or: .words(["exit", "idle"])),
      """
      Waits until the target ends or writes some output. idle: waits, without letting time \
      pass, until everything sleeps.
      """, \.action
    ) { $0.decodeWait($1) }.formerly("settle", .word("idle"))
    Field(
      "capture", .map(keys: LanguageDescription.matrixName, of: .the("capture")),
      "Stores a part of the target's output, for `${{ capture.NAME }}` in later steps.", \.action
    ) { $0.decodeCapture($1) }
    Field(
      "responses", .list(of: .the("response"), atLeast: 1),
      "Adds entries that take precedence over all earlier ones from this step on.", \.action
    ) { $0.decodeRespond($1) }.formerly("respond")
    Field(
      "set", .map(of: .data),
      """
      Stores values in the state that responses share, by name, from this step on. Expressions \
      see the state from before.
      """, \.action
    ) { decoder, node in
      let fields = decoder.decodeStateValues(node, "set")
      return fields.isEmpty ? nil : .set(fields)
    }
    Field(
      "dns", .the("dnsRecords"),
      "Replaces the DNS records of names from this step on.", \.action
    ) { $0.decodeNameStep($1) }
    Field("travel", .map(.the("travelBlock"), or: .moment), "Sets the wall clock.", \.action) {
      $0.decodeTravel($1)
    }
    Field(
      "jump", .map(.the("jumpBlock"), or: .duration),
      "Shifts the wall clock, or that of one target, at once or gradually."
    ) { $0.decodeJump($1, into: &$2) }
    Field(
      "freeze", .map(.the("freezeBlock"), or: .either(.nothing, .moment)),
      "Stops all clocks, now or at a timestamp.", \.action
    ) { $0.decodeFreeze($1) }
    Field(
      "tick", .either(.words(["next", "idle"]), .delay),
      """
      Lets time pass: for a duration, until the next deadline, or until nothing waits for \
      a deadline.
      """, \.action
    ) { $0.decodeTick($1).map { .tick($0) } }
    Field(
      "pause", .either(.nothing, .delay),
      """
      Pauses the scenario and its clocks until someone at the terminal resumes it, or for at \
      most a length of real time. `scenario enter` opens a shell in it.
      """, \.action
    ) { $0.decodePause($1) }
    Field(
      "suspend", .delay,
      """
      Suspends the machine, like closing a laptop's lid: wall clock and boot time advance, \
      monotonic time does not.
      """, \.action
    ) { $0.decodeSuspend($1) }
    Field(
      "rate", .map(.the("rateBlock"), or: .the("rate")),
      "Makes time pass at this rate from this step on, whatever the clock's flow is.", \.action
    ) { $0.decodeRate($1) }
    Field(
      "return", .nothing,
      "Restores the wall clock, as if no step had moved it, and the clock's own flow.", \.action
    ) { $0.checkNothing($1, "return") ? .returnToPresent : nil }
    Field(
      "apply", .map(.the("chaosApplication"), or: .text),
      "Activates chaos entries; their schedules start over.", \.action
    ) { $0.decodeApplication($1) }
    Field("revert", .text, "Deactivates chaos entries: a name, or all.", \.action) {
      $0.decodeChaosSelection($1, "revert").map { .revert($0) }
    }
    Field(
      "partition", .list(of: .oneOrMore(.the("targetName")), atLeast: 2),
      """
      Cuts the network between groups of hosts, which are targets: traffic between groups is \
      lost. A host in no group reaches all others.
      """, \.action
    ) { $0.decodePartition($1) }
    Field(
      "heal", .text, "Ends a partition, by the name of its step, or all partitions.", \.action
    ) { $0.decodeHealing($1) }
    Field(
      "exec", .map(.the("exec"), or: .either(.list(of: .valueText, atLeast: 1), .valueText)),
      """
      Runs a command outside of the world, in real time and on the real network, and waits \
      until it ends. `expect` then applies to its exit code and output.
      """, \.action
    ) { $0.decodeExec($1) }
    Field(
      "build", .fields,
      """
      Builds objects by name, for `${{ build.NAME }}` in later steps. They may use \
      captured values.
      """,
      \.action
    ) { $0.decodeBuild($1) }
    Field("write", .the("write"), "Writes a file into the scenario's directory.", \.action) {
      $0.decodeWrite($1)
    }
    Field("expect", .the("expect"), "Expectations to check after the step.", \.expect) {
      $0.decodeExpectations($1)
    }
    Field(
      "target", .the("targetName"),
      """
      The target, of `targets`, that the step and its `expect` apply to (default: the \
      scenario's `target`).
      """, \.beside
    ) { $0.decodeTargetName($1, "target") }
  }

  static let send = MapGrammar<Void>("send", "Keys to press at the target's terminal.") {
    Field(
      "key", .either(.text, .list(of: .text, atLeast: 1)),
      """
      A key or several: ctrl-a to ctrl-z, enter, tab, shift-tab, space, escape, backspace, up, down, left, right, \
      home, end, page-up, page-down, insert, delete, f1 to f12.
      """, isRequired: true)
  }

  static let signalStep = MapGrammar<SignalReading>(
    "signalStep", "A signal for some processes of the target."
  ) {
    Field("signal", .signal, "The signal.") { $0.signal = $1 }.required("signal: TERM")
      .formerly("name")
    Field(
      "process", .name,
      """
      The name of the program that the processes run, without its folder: its executable \
      file's, or the one by which it was started, such as a symbolic link's or a script's \
      (default: the target itself).
      """
    ) { $0.process = $1 }
    Field(
      "target", .the("targetName"), "The target (default: the scenario's `target`).", \.target
    ) {
      $0.decodeTargetName($1, "target")
    }
  }

  static let exec = MapGrammar<Void>("exec", "A command that runs alongside the targets.") {
    Field(
      "command", .either(.list(of: .valueText, atLeast: 1), .valueText),
      "A list: program and arguments, no shell. A text: run by sh -c.", isRequired: true)
    Field("stdin", .text, "The text on its standard input.")
    Field(
      "working_directory", .text,
      "Its working directory below the scenario's directory, created if missing.")
    Field(
      "env", .map(of: .valueText),
      "Environment variables in addition to those of the scenario's target.")
    Field(
      "in", .either(.words(["world"]), .the("targetName")),
      "world: it has the targets' clock, network and chaos, and time passes while it waits. The name of a target with a"
        + " `host`: the same, on that host. Default: in real time, on the real network.")
    Field(
      "capture", .map(keys: LanguageDescription.matrixName, of: .the("capture")),
      "Parts of its output to store, for `${{ capture.NAME }}` in later steps.")
  }

  static let write = MapGrammar<Void>(
    "write", "A file, symbolic link or folder to create while targets run.",
    rules: [.exactlyOne(["text", "json", "yaml", "csv", "file", "symlink", "kind"])]
  ) {
    Field("path", .text, "The path below the scenario's directory.", isRequired: true)
    Field("text", .text, "The file's text.")
    Field("json", .data, "Data, written as JSON.")
    Field("yaml", .data, "Data, written as YAML.")
    Field("csv", .data, "A map or list of maps, written as CSV.")
    Field("file", .text, "An existing file to copy, relative to the scenario file.")
    Field(
      "mode", .either(.string, .integer),
      "Permission bits in octal (default: 0644, for a folder 0755).")
    Field("symlink", .text, "The target of a symbolic link.").formerly("link")
    Field("kind", .words(["folder"]), "folder: a folder; it may be empty.")
  }

  static let launch = MapGrammar<Void>(
    "launch", "Which target to start, and how.", rules: [.atLeastOneKey]
  ) {
    Field("target", .the("targetName"), "The target.")
    Field("args", .the("arguments"), "Additional arguments.")
  }

  static let chaosApplication = MapGrammar<Void>("chaosApplication", "Which entries to activate.") {
    Field("name", .text, "An entry's name, or all.", isRequired: true)
    Field("seed", .integer, "The seed of their random values from this step on.")
  }

  static let travelBlock = MapGrammar<BlockReading>(
    "travelBlock", "A wall clock setting that ends with its block."
  ) {
    Field("to", .instantExpression, "Where to.") { $0.change = .travel($1) }
      .required("to: 1955-11-12")
    blockSteps
  }

  static let jumpBlock = MapGrammar<JumpReading>(
    "jumpBlock", "A shift of the clock that ends with its block, or of one target's wall clock.",
    rules: [
      .someOf(["steps", "target", "over"]), .apart("steps", from: ["target", "over"]),
    ]
  ) {
    Field("by", .duration, "How far.", \.length).required("by: 60s")
    Field("steps", .block, "The steps of the block.", \.steps).formerly("during")
    Field(
      "target", .the("targetName"),
      """
      The target whose wall clock is shifted, as a wrong NTP server would do. With `over` \
      the default is the scenario's `target`.
      """,
      \.target
    ) { $0.decodeTargetName($1, "target") }
    Field(
      "over", .delay,
      """
      The time over which the target's wall clock gains or loses the amount gradually \
      (default: at once).
      """,
      \.time)
  }

  static let freezeBlock = MapGrammar<BlockReading>(
    "freezeBlock", "A freeze that ends with its block."
  ) {
    Field("at", .instantExpression, "When to freeze (default: now).") { $0.change = .freeze($1) }
    blockSteps
  }

  static let rateBlock = MapGrammar<BlockReading>("rateBlock", "A rate that ends with its block.") {
    Field("to", .clockRate, "How fast.") { $0.change = .rate($1) }.required("to: x60")
    blockSteps
  }

  private static let blockSteps = Field<BlockReading>(
    "steps", .block, "The steps of the block.", \.steps
  ).required("steps: [ … ]").formerly("during")

  static let capture = MapGrammar<Void>(
    "capture", "Where to find the value.", rules: [.exactlyOneKey]
  ) {
    Field(
      "stdout", .map(.the("capturedJSON"), or: .text),
      """
      A regular expression on standard output: its first group is captured, or the whole match if it \
      has no group. Or a path into JSON output.
      """
    ).formerly("output").formerly("json", .below("json"))
    Field("stderr", .map(.the("capturedJSON"), or: .text), "The same for standard error.")
      .formerly("error_output").formerly("error_json", .below("json"))
  }

  static let capturedJSON = MapGrammar<Void>("capturedJSON", "A location in JSON.") {
    Field(
      "json", .pattern(LanguageDescription.jsonPath),
      """
      A path to one value in the JSON of the output or of its last line. The value keeps its \
      type.
      """, isRequired: true)
  }

  static let wait = MapGrammar<Void>("wait", "Output to wait for.", rules: [.exactlyOneKey]) {
    Field("stdout", .text, "A regular expression on standard output.").formerly("output")
    Field("stderr", .text, "A regular expression on standard error.").formerly("error_output")
    Field("screen", .text, "A regular expression on the terminal's screen.")
  }
}
