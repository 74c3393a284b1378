internal import Foundations

extension LanguageDescription {
  /// The definitions of steps.
  static let stepDefinitions: [LanguageDefinition] = [
    .map(
      "step", "One step: an action, expectations, or both.",
      [
        LanguageKey("name", .name, "What reports call the step."),
        LanguageKey(
          "run", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
          "Start the target with more arguments, and wait for its end."),
        LanguageKey(
          "start", .map(.the("launch"), or: .either(.the("arguments"), .the("targetName"))),
          "Start the target with more arguments, and go on."),
        LanguageKey(
          "stop", .either(.nothing, .the("targetName")),
          "Send TERM, or HUP at a terminal, and wait for the target's end."
        ),
        LanguageKey(
          "signal", .map(.the("signalStep"), or: .signal),
          "Send a signal, once all rest, to the target or to processes that it has started."),
        LanguageKey(
          "send", .map(.the("send"), or: .text),
          "Write to the target's standard input, or type at its terminal."),
        LanguageKey(
          "resize", .the("terminalSize"),
          "Give the target's terminal another size; it learns of it by SIGWINCH."),
        LanguageKey(
          "close", .words(["stdin", "stdout", "stderr"]),
          """
          Close the target's standard input, or read one of its outputs no more; on a terminal, \
          stdin types what ends the input of who reads lines.
          """),
        LanguageKey(
          "wait", .map(.the("wait"), or: .constant(.string("exit"))),
          "Wait for the target's end or output."),
        LanguageKey(
          "capture", .map(keys: matrixName, of: .the("capture")),
          "Keep what the target has written, for `${{ capture.NAME }}` in what follows."),
        LanguageKey(
          "respond", .list(of: .the("response"), atLeast: 1),
          """
          From here on these entries answer before all others; those of a later step come \
          first.
          """),
        LanguageKey("travel", .map(.the("travelBlock"), or: .moment), "Set the wall clock."),
        LanguageKey("jump", .map(.the("jumpBlock"), or: .duration), "Displace the wall clock."),
        LanguageKey(
          "freeze", .map(.the("freezeBlock"), or: .either(.nothing, .moment)),
          "All clocks stand still, now or at an instant."),
        LanguageKey(
          "tick", .either(.words(["next", "idle"]), .delay),
          "Let time pass: a duration, up to the next deadline, or until nothing is waiting."),
        LanguageKey("settle", .nothing, "Let no time pass; wait until everything sleeps."),
        LanguageKey(
          "suspend", .delay,
          "As a closed laptop lid: wall clock and boot time move, monotonic time does not."),
        LanguageKey(
          "rate", .map(.the("rateBlock"), or: .the("rate")),
          "From here time flows at this rate, whatever the clock's flow is."),
        LanguageKey(
          "return", .nothing,
          """
          Go back to the present: the wall clock as if nothing had moved it, and the clock's \
          own flow.
          """),
        LanguageKey(
          "apply", .map(.the("chaosApplication"), or: .text),
          "Let chaos entries hold, from their beginning."),
        LanguageKey("revert", .text, "Let chaos entries hold no more: a name, or all."),
        LanguageKey(
          "exec",
          .map(.the("exec"), or: .either(.list(of: .valueText, atLeast: 1), .valueText)),
          """
          Run a command outside the world, in real time and on the real network, and wait for its \
          end; `expect` is then about its exit code and its output.
          """),
        LanguageKey(
          "build", .fields,
          "Objects by name, for ${{ build.NAME }} in what follows; they may hold what was captured."
        ),
        LanguageKey(
          "write", .the("write"), "Write a file into the scenario's directory."),
        LanguageKey("expect", .the("expect"), "What must hold behind the step."),
        LanguageKey(
          "target", .the("targetName"),
          """
          Which of `targets` the step and its `expect` are about; the scenario's `target` unless \
          said.
          """),
      ], rules: [.someOf(Vocabulary.actions + ["expect"]), .atMostOne(Vocabulary.actions)]),
    .map(
      "send", "Keys to press at the target's terminal.",
      [
        LanguageKey(
          "key", .either(.text, .list(of: .text, atLeast: 1)),
          """
          A key or several: ctrl-a to ctrl-z, enter, tab, shift-tab, space, escape, backspace, up, down, left, right, \
          home, end, page-up, page-down, insert, delete, f1 to f12.
          """, isRequired: true)
      ]),
    .shape(
      "targetName", "The name of a target below `targets`.",
      .pattern(targetName)),
    .map(
      "signalStep", "A signal for some processes of the target.",
      [
        LanguageKey("name", .signal, "The signal.", isRequired: true),
        LanguageKey(
          "process", .name,
          "The name of the program that they run, without its folder; the target itself unless said."
        ),
      ]),
    .map(
      "exec", "A command outside the world.",
      [
        LanguageKey(
          "command", .either(.list(of: .valueText, atLeast: 1), .valueText),
          "A list: program and arguments, no shell. A text: run by sh -c.", isRequired: true),
        LanguageKey("stdin", .text, "What it reads from standard input."),
        LanguageKey(
          "env", .map(of: .valueText), "Variables beside those of the scenario's target."),
        LanguageKey(
          "capture", .map(keys: matrixName, of: .the("capture")),
          "What is kept of its output, for `${{ capture.NAME }}` in what follows."),
      ]),
    .map(
      "write", "A file, symbolic link or folder to make while targets run.",
      [
        LanguageKey("path", .text, "The path below the scenario's directory.", isRequired: true),
        LanguageKey("text", .text, "The file's text."),
        LanguageKey("json", .data, "Data, written as JSON."),
        LanguageKey("yaml", .data, "Data, written as YAML."),
        LanguageKey("csv", .data, "A map or list of maps, written as CSV."),
        LanguageKey("file", .text, "An existing file to copy, relative to the scenario file."),
        LanguageKey(
          "mode", .either(.string, .integer),
          "Permission bits in octal; 0644 unless said, and 0755 for a folder."),
        LanguageKey("link", .text, "Where a symbolic link leads, as readlink(1) has it."),
        LanguageKey("kind", .words(["folder"]), "folder: a folder, be it empty."),
      ],
      rules: [.exactlyOne(["text", "json", "yaml", "csv", "file", "link", "kind"])]),
    .map(
      "launch", "Which target is started, and how.",
      [
        LanguageKey("target", .the("targetName"), "The target."),
        LanguageKey("args", .the("arguments"), "More arguments for it."),
      ], rules: [.atLeastOneKey]),
    .map(
      "chaosApplication", "Which entries are applied.",
      [
        LanguageKey("name", .text, "An entry's name, or all.", isRequired: true),
        LanguageKey("seed", .integer, "What their random values derive from, from here."),
      ]),
    .map(
      "travelBlock", "A journey that ends with its block.",
      [
        LanguageKey("to", .moment, "Where to.", isRequired: true),
        LanguageKey(
          "during", .list(of: .the("step"), atLeast: 1), "The steps of the block.", isRequired: true
        ),
      ]),
    .map(
      "jumpBlock", "A jump that ends with its block.",
      [
        LanguageKey("by", .duration, "How far.", isRequired: true),
        LanguageKey(
          "during", .list(of: .the("step"), atLeast: 1), "The steps of the block.", isRequired: true
        ),
      ]),
    .map(
      "freezeBlock", "A freeze that ends with its block.",
      [
        LanguageKey("at", .moment, "When; now unless said."),
        LanguageKey(
          "during", .list(of: .the("step"), atLeast: 1), "The steps of the block.", isRequired: true
        ),
      ]),
    .map(
      "rateBlock", "A rate that ends with its block.",
      [
        LanguageKey("to", .the("rate"), "How fast.", isRequired: true),
        LanguageKey(
          "during", .list(of: .the("step"), atLeast: 1), "The steps of the block.", isRequired: true
        ),
      ]),
    .map(
      "capture", "Where it is found.",
      [
        LanguageKey(
          "output", .text,
          "A regular expression on standard output; its first group counts, or all that it matches."
        ),
        LanguageKey("error_output", .text, "The same on standard error."),
        LanguageKey(
          "json", .pattern(LanguageDescription.jsonPath),
          """
          A path to one place in the JSON on standard output, or in its last line; the value keeps \
          its type.
          """),
        LanguageKey(
          "error_json", .pattern(LanguageDescription.jsonPath), "The same on standard error."),
      ], rules: [.exactlyOneKey]),
    .map(
      "wait", "Output to wait for.",
      [
        LanguageKey("output", .text, "A regular expression on standard output."),
        LanguageKey("error_output", .text, "A regular expression on standard error."),
        LanguageKey("screen", .text, "A regular expression on what the terminal shows."),
      ], rules: [.exactlyOneKey]),
  ]
}
