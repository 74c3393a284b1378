extension LanguageDescription {
  /// The definitions of steps.
  static let stepDefinitions: [LanguageDefinition] = [
    .map(
      "step", "One step: an action, expectations, or both.",
      [
        LanguageKey("name", .name, "What reports call the step."),
        LanguageKey(
          "run", .the("arguments"), "Start the target with more arguments, and wait for its end."),
        LanguageKey("start", .the("arguments"), "Start the target with more arguments, and go on."),
        LanguageKey("stop", .nothing, "Send TERM, and wait for the target's end."),
        LanguageKey("signal", .signal, "Send a signal."),
        LanguageKey("send", .text, "Write to the target's standard input."),
        LanguageKey("close", .constant(.string("stdin")), "Close the target's standard input."),
        LanguageKey(
          "wait", .map(.the("wait"), or: .constant(.string("exit"))),
          "Wait for the target's end or output."),
        LanguageKey(
          "capture", .map(keys: matrixName, of: .the("capture")),
          "Keep texts that the target has written, for `${{ capture.NAME }}` in what follows."),
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
        LanguageKey("expect", .the("expect"), "What must hold behind the step."),
      ], rules: [.someOf(Vocabulary.actions + ["expect"]), .atMostOne(Vocabulary.actions)]),
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
      "capture", "Where the text is found.",
      [
        LanguageKey(
          "output", .text,
          "A regular expression on standard output; its first group counts, or all that it matches."
        ),
        LanguageKey("error_output", .text, "The same on standard error."),
      ], rules: [.exactlyOneKey]),
    .map(
      "wait", "Output to wait for.",
      [
        LanguageKey("output", .text, "A regular expression on standard output."),
        LanguageKey("error_output", .text, "A regular expression on standard error."),
      ], rules: [.exactlyOneKey]),
  ]
}
