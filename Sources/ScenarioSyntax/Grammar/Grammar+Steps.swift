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
    Field("name", .name, "What reports call the step.", \.name)
    stepSettings
    blockFields(isEntry: true)
    Field(
      "run", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
      "Start the target with more arguments, and wait for its end."
    ) { decoder, node, step in
      guard let launch = decoder.decodeStart(node, "run") else { return }
      step.within = launch.target
      step.action = .run(launch.arguments)
    }
    Field(
      "start", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
      "Start the target with more arguments, and go on."
    ) { decoder, node, step in
      guard let launch = decoder.decodeStart(node, "start") else { return }
      step.within = launch.target
      step.action = .start(launch.arguments)
    }
    Field(
      "stop", .either(.nothing, .the("targetName")),
      "Send TERM, or HUP at a terminal, and wait for the target's end."
    ) { decoder, node, step in
      if !node.isNull { step.within = decoder.decodeTargetName(node, "stop") }
      if node.isNull || step.within != nil { step.action = .stop }
    }
    Field(
      "signal", .map(.the("signalStep"), or: .signal),
      "Send a signal, once all rest, to the target or to processes that it has started."
    ) { $0.decodeSignalStep($1, into: &$2) }
    Field(
      "send", .map(.the("send"), or: .text),
      "Write to the target's standard input, or type at its terminal.", \.action
    ) { $0.decodeSend($1) }
    Field(
      "resize", .the("terminalSize"),
      "Give the target's terminal another size; it learns of it by SIGWINCH.", \.action
    ) { $0.decodeTerminalSize($1, "resize").map { .resize($0.value) } }
    Field(
      "close", .words(["stdin", "stdout", "stderr"]),
      """
      Close the target's standard input, or read one of its outputs no more; on a terminal, \
      stdin types what ends the input of who reads lines.
      """, \.action
    ) { $0.decodeClose($1) }
    Field(
      "wait", .map(.the("wait"), or: .words(["exit", "idle"])),
      """
      Wait for the target's end or its output; idle: let no time pass, and wait until everything sleeps.
      """, \.action
    ) { $0.decodeWait($1) }.formerly("settle", .word("idle"))
    Field(
      "capture", .map(keys: LanguageDescription.matrixName, of: .the("capture")),
      "Keep what the target has written, for `${{ capture.NAME }}` in what follows.", \.action
    ) { $0.decodeCapture($1) }
    Field(
      "responses", .list(of: .the("response"), atLeast: 1),
      """
      From here on these entries answer before all others; those of a later step come \
      first.
      """, \.action
    ) { $0.decodeRespond($1) }.formerly("respond")
    Field("travel", .map(.the("travelBlock"), or: .moment), "Set the wall clock.", \.action) {
      $0.decodeTravel($1)
    }
    Field(
      "jump", .map(.the("jumpBlock"), or: .duration),
      "Displace the wall clock, or that of one target, at once or little by little."
    ) { $0.decodeJump($1, into: &$2) }
    Field(
      "freeze", .map(.the("freezeBlock"), or: .either(.nothing, .moment)),
      "All clocks stand still, now or at an instant.", \.action
    ) { $0.decodeFreeze($1) }
    Field(
      "tick", .either(.words(["next", "idle"]), .delay),
      "Let time pass: a duration, up to the next deadline, or until nothing is waiting.", \.action
    ) { $0.decodeTick($1).map { .tick($0) } }
    Field(
      "pause", .either(.nothing, .delay),
      """
      Leave the world standing, its clocks too, until somebody at the terminal lets it go on; with a length of real time \
      at most for so long. `scenario enter` opens a shell in it.
      """, \.action
    ) { $0.decodePause($1) }
    Field(
      "suspend", .delay,
      "As a closed laptop lid: wall clock and boot time move, monotonic time does not.", \.action
    ) { $0.decodeSuspend($1) }
    Field(
      "rate", .map(.the("rateBlock"), or: .the("rate")),
      "From here time flows at this rate, whatever the clock's flow is.", \.action
    ) { $0.decodeRate($1) }
    Field(
      "return", .nothing,
      """
      Go back to the present: the wall clock as if nothing had moved it, and the clock's \
      own flow.
      """, \.action
    ) { $0.checkNothing($1, "return") ? .returnToPresent : nil }
    Field(
      "apply", .map(.the("chaosApplication"), or: .text),
      "Let chaos entries hold, from their beginning.", \.action
    ) { $0.decodeApplication($1) }
    Field("revert", .text, "Let chaos entries hold no more: a name, or all.", \.action) {
      $0.decodeChaosSelection($1, "revert").map { .revert($0) }
    }
    Field(
      "partition", .list(of: .oneOrMore(.the("targetName")), atLeast: 2),
      """
      Cut the network between groups of hosts, which are targets: what is sent from one to another gets lost. A host in \
      no group reaches all.
      """, \.action
    ) { $0.decodePartition($1) }
    Field(
      "heal", .text, "Mend the network: a partition by the name of its step, or all.", \.action
    ) { $0.decodeHealing($1) }
    Field(
      "exec", .map(.the("exec"), or: .either(.list(of: .valueText, atLeast: 1), .valueText)),
      """
      Run a command outside the world, in real time and on the real network, and wait for its \
      end; `expect` is then about its exit code and its output.
      """, \.action
    ) { $0.decodeExec($1) }
    Field(
      "build", .fields,
      "Objects by name, for ${{ build.NAME }} in what follows; they may hold what was captured.",
      \.action
    ) { $0.decodeBuild($1) }
    Field("write", .the("write"), "Write a file into the scenario's directory.", \.action) {
      $0.decodeWrite($1)
    }
    Field("expect", .the("expect"), "What must hold behind the step.", \.expect) {
      $0.decodeExpectations($1)
    }
    Field(
      "target", .the("targetName"),
      """
      Which of `targets` the step and its `expect` are about; the scenario's `target` unless \
      said.
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
      "The name of the program that they run, without its folder; the target itself unless said."
    ) { $0.process = $1 }
    Field(
      "target", .the("targetName"), "The target; the scenario's `target` unless said.", \.target
    ) {
      $0.decodeTargetName($1, "target")
    }
  }

  static let exec = MapGrammar<Void>("exec", "A command beside the targets.") {
    Field(
      "command", .either(.list(of: .valueText, atLeast: 1), .valueText),
      "A list: program and arguments, no shell. A text: run by sh -c.", isRequired: true)
    Field("stdin", .text, "What it reads from standard input.")
    Field(
      "working_directory", .text,
      "The folder below the scenario's directory in which it works, made where it is missing.")
    Field(
      "env", .map(of: .valueText), "Variables beside those of the scenario's target.")
    Field(
      "in", .words(["world"]),
      "world: it has the targets' clock, network and chaos, and time passes while it waits. In real time and on the"
        + " real network unless said.")
    Field(
      "capture", .map(keys: LanguageDescription.matrixName, of: .the("capture")),
      "What is kept of its output, for `${{ capture.NAME }}` in what follows.")
  }

  static let write = MapGrammar<Void>(
    "write", "A file, symbolic link or folder to make while targets run.",
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
      "Permission bits in octal; 0644 unless said, and 0755 for a folder.")
    Field("symlink", .text, "Where a symbolic link leads, as readlink(1) has it.").formerly("link")
    Field("kind", .words(["folder"]), "folder: a folder, be it empty.")
  }

  static let launch = MapGrammar<Void>(
    "launch", "Which target is started, and how.", rules: [.atLeastOneKey]
  ) {
    Field("target", .the("targetName"), "The target.")
    Field("args", .the("arguments"), "More arguments for it.")
  }

  static let chaosApplication = MapGrammar<Void>("chaosApplication", "Which entries are applied.") {
    Field("name", .text, "An entry's name, or all.", isRequired: true)
    Field("seed", .integer, "What their random values derive from, from here.")
  }

  static let travelBlock = MapGrammar<BlockReading>(
    "travelBlock", "A journey that ends with its block."
  ) {
    Field("to", .instantExpression, "Where to.") { $0.change = .travel($1) }
      .required("to: 1955-11-12")
    blockSteps
  }

  static let jumpBlock = MapGrammar<JumpReading>(
    "jumpBlock", "A jump that ends with its block, or one of a target's own wall clock.",
    rules: [
      .someOf(["steps", "target", "over"]), .apart("steps", from: ["target", "over"]),
    ]
  ) {
    Field("by", .duration, "How far.", \.length).required("by: 60s")
    Field("steps", .block, "The steps of the block.", \.steps).formerly("during")
    Field(
      "target", .the("targetName"),
      "The target whose wall clock is displaced, as NTP does where it is wrong; with `over`, the scenario's `target` unless said.",
      \.target
    ) { $0.decodeTargetName($1, "target") }
    Field(
      "over", .delay,
      "In how much time the target's wall clock gains or loses so much, little by little; at once unless said.",
      \.time)
  }

  static let freezeBlock = MapGrammar<BlockReading>(
    "freezeBlock", "A freeze that ends with its block."
  ) {
    Field("at", .instantExpression, "When; now unless said.") { $0.change = .freeze($1) }
    blockSteps
  }

  static let rateBlock = MapGrammar<BlockReading>("rateBlock", "A rate that ends with its block.") {
    Field("to", .clockRate, "How fast.") { $0.change = .rate($1) }.required("to: x60")
    blockSteps
  }

  private static let blockSteps = Field<BlockReading>(
    "steps", .block, "The steps of the block.", \.steps
  ).required("steps: [ … ]").formerly("during")

  static let capture = MapGrammar<Void>("capture", "Where it is found.", rules: [.exactlyOneKey]) {
    Field(
      "stdout", .map(.the("capturedJSON"), or: .text),
      """
      A regular expression on standard output, of which the first group counts, or all that it matches; or a path \
      into the JSON there.
      """
    ).formerly("output").formerly("json", .below("json"))
    Field("stderr", .map(.the("capturedJSON"), or: .text), "The same on standard error.")
      .formerly("error_output").formerly("error_json", .below("json"))
  }

  static let capturedJSON = MapGrammar<Void>("capturedJSON", "A place in JSON.") {
    Field(
      "json", .pattern(LanguageDescription.jsonPath),
      """
      A path to one place in the JSON of the output, or in its last line; the value keeps its type.
      """, isRequired: true)
  }

  static let wait = MapGrammar<Void>("wait", "Output to wait for.", rules: [.exactlyOneKey]) {
    Field("stdout", .text, "A regular expression on standard output.").formerly("output")
    Field("stderr", .text, "A regular expression on standard error.").formerly("error_output")
    Field("screen", .text, "A regular expression on what the terminal shows.")
  }
}
