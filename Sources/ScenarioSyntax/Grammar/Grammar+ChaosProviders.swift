internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what calls give instead.
  static let chaosProviderDefinitions: [LanguageDefinition] = [
    .shape(
      "chaosProvider", "What a call does instead.",
      .map(
        by: [
          (Grammar.linkFaultKeys, .the("linkFaults")),
          (Grammar.chaosProviders + Grammar.chaosCompanions, .the("chaosProvide")),
        ],
        or: .either(
          .words(Grammar.chaosProviderWords), .words(["down", "reset_peer"]),
          .list(of: .the("linkFault"), atLeast: 1)))),
    Grammar.chaosProvide.definition,
    Grammar.chaosExec.definition,
    Grammar.chaosCompute.definition,
    Grammar.chaosRandom.definition,
    Grammar.chaosSignal.definition,
    Grammar.chaosRestart.definition,
    Grammar.chaosBranch.definition,
    .shape(
      "chaosAmountOrSize", "A number of bytes, or a fraction.",
      .map(.the("chaosAmount"), or: .the("chaosSize"))),
    Grammar.chaosAmount.definition,
    Grammar.chaosCorrupt.definition,
  ]
}

extension Grammar {
  /// The providers that are written as maps.
  static let chaosProviders = chaosProvide.keys(without: chaosCompanions)
  /// The keys that belong to some of them.
  static let chaosCompanions = ["else", "errno", "files", "lose", "metadata", "then", "torn"]
  /// The providers that are words.
  static let chaosProviderWords = [
    "full", "hang", "kill", "lie", "nil", "original", "read_only", "restart",
  ]

  static let chaosProvide = MapGrammar<FaultAction.Content?>(
    "chaosProvide", "One fault action and its settings.",
    rules: { keys in
      let providers = keys.filter { !chaosCompanions.contains($0) }
      return [
        .someOf(providers + ["lose"]), .atMostOne(providers),
        .apart("lose", from: providers.filter { $0 != "kill" }),
        .apart("then", from: providers.filter { !["delay", "signal"].contains($0) }),
        .needs("errno", "constant"), .needs("else", "match"), .needs("files", "lose"),
        .needs("metadata", "lose"), .needs("torn", "lose"),
      ]
    }
  ) {
    Field(
      "constant", .either(.number, .string),
      """
      Returns this number without making the call; a function that returns text returns this \
      text. A number with a decimal point, such as 0.5 or 2.0, is for functions that return a \
      double.
      """)
    Field("errno", .text, "With `constant: -1`: the errno, by name.")
    Field(
      "compute", .map(.the("chaosCompute"), or: .text),
      """
      Computes the result by an expression over args[0] to args[5], result, size, occurrence, \
      byte(ADDRESS), int(ADDRESS) and long(ADDRESS), or replaces arguments.
      """, \.self
    ) { $0.decodeComputation($1).map { .compute($0) } }
    Field(
      "exec", .map(.the("chaosExec"), or: .either(.text, .list(of: .text, atLeast: 1))),
      "A program that decides: it reads one line of JSON per call and answers with one line.",
      \.self
    ) { $0.decodeExecution($1) }
    Field(
      "random", .map(.the("chaosRandom"), or: .pair(of: .the("chaosSize"))),
      """
      A random number between two bounds, or a random error; it depends on the seed, the \
      entry and the occurrence.
      """, \.self
    ) { $0.decodeRandom($1) }
    Field("error", .text, "Fails the call with this errno, given by name.") { $0 = .error($1) }
    Field(
      "signal", .map(.the("chaosSignal"), or: .signal),
      "Sends a signal to the thread, by default before its call.")
    Field(
      "then", .the("chaosProvider"),
      "With `delay` and `signal`: what the call does then (default: the original call).")
    Field("exit", .count(0...255), "Ends the process with this exit code.") {
      $0 = .exit(Int32($1.value))
    }
    Field("kill", .word(of: KillScope.self), "Who is killed.") { $0 = .kill($1.value) }
    Field(
      "pause", .delay, "Stops the process for this length of virtual time (SIGSTOP, SIGCONT)."
    ) { $0 = .stop($1.value) }.formerly("stop")
    Field(
      "restart", .map(.the("chaosRestart"), or: .delay),
      """
      Kills the target with all its processes, and starts it again after this length of \
      virtual time.
      """, \.self
    ) { $0.decodeRestart($1).map { .restart(after: $0) } }
    Field(
      "lose", .constant(.string("unsynced")),
      """
      With `kill`, or alone for a disk: data that was not synced is lost, as when the machine \
      crashes.
      """)
    Field(
      "files", .oneOrMore(.text),
      """
      With `lose`: globs of the files that lose data. Default: the files in the scenario's \
      directory, or on the entry's disk.
      """)
    Field(
      "metadata", .either(.words(of: NameLoss.self), .pattern("[$][{][{]")),
      """
      With `lose`: whether created, renamed and deleted names, and lengths that truncate, \
      O_TRUNC or fallocate set, survive without a sync. kept (default): they do, so a \
      truncated file is empty. lost: they do not, so it has its old content. An expression \
      may choose.
      """)
    Field(
      "torn", .the("chaosSize"),
      "With `lose`: how many bytes of the last write still reach the disk.")
    Field(
      "sequence", .list(of: .chaosProvider),
      "Actions in order, one per affected call; the last one repeats."
    ) { $0 = .sequence($1) }
    Field(
      "match", .list(of: .the("chaosBranch"), atLeast: 1), "The first branch whose conditions hold."
    )
    Field(
      "else", .the("chaosProvider"),
      "With `match`: what happens when no branch matches (default: the original call).")
    Field(
      "delay", .either(.delay, .pair(of: .delay)),
      "Lets virtual time pass before the call: a length, or a minimum and a maximum.")
    Field(
      "short", .chaosAmount,
      "Makes the call for fewer bytes: at most this number, or this fraction."
    ) { $0 = .short($1) }
    Field("corrupt", .the("chaosCorrupt"), "Corrupts the transferred bytes.", \.self) {
      $0.decodeCorruption($1).map { .corrupt($0) }
    }
    Field(
      "free", .diskSpace,
      "For a disk: how many more bytes can be written. Deleting files frees space."
    ) { $0 = .disk(.free($1)) }
    Field("quota", .diskSpace, "Like `free`, but the error is EDQUOT.") { $0 = .disk(.quota($1)) }
  }

  static let chaosExec = MapGrammar<MomentReading>(
    "chaosExec", "A program that decides, and when it runs."
  ) {
    Field(
      "command", .either(.text, .list(of: .text, atLeast: 1)), "The program and its arguments."
    ) { $2.words = $0.decodeCommand($1, "command") }.required("command: [./decide]")
    Field(
      "at", .word(of: CallMoment.self),
      """
      Whether the program runs before the call or after it. After the call it also gets the \
      result and the bytes that were read.
      """, \.moment)
  }

  static let chaosCompute = MapGrammar<Void>(
    "chaosCompute", "Computed arguments, bytes and result; the call is still made.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "args", .map(keys: "^[0-5]$", of: .text), "Expressions by argument index.")
    Field(
      "bytes", .text,
      """
      An expression that replaces each byte written or read, over byte and index, such as byte \
      ^ 32.
      """)
    Field("result", .text, "An expression that replaces the result.")
  }

  static let chaosRandom = MapGrammar<Void>("chaosRandom", "A randomly chosen error.") {
    Field(
      "error", .either(.constant(.string("documented")), .list(of: .text, atLeast: 1)),
      "The errors to choose from: those that the call's manual page names, or these.",
      isRequired: true)
  }

  static let chaosSignal = MapGrammar<MomentReading>(
    "chaosSignal", "A signal, and when it is sent."
  ) {
    Field("send", .signal, "The signal.") { $0.words = [$1] }.required("send: TERM")
    Field(
      "at", .word(of: CallMoment.self), "When the signal is sent (default: before the call).",
      \.moment)
  }

  static let chaosRestart = MapGrammar<Nanoseconds>(
    "chaosRestart", "When the target is started again."
  ) {
    Field("after", .delay, "How much virtual time passes before the restart.", \.self).required(
      "after: 2s")
  }

  static let chaosBranch = MapGrammar<FaultAction.Branch>(
    "chaosBranch", "An action for some of the calls."
  ) {
    Field("where", .chaosWhere, "Which calls.", \.conditions)
      .required("where: { path: '**/*.db' }")
    Field("provide", .chaosProvider, "The action for these calls.", \.provider)
      .required("provide: { error: EIO }")
  }

  static let chaosAmount = MapGrammar<Void>(
    "chaosAmount", "How many bytes of a transfer.", rules: [.exactlyOneKey]
  ) {
    Field("bytes", .the("chaosSize"), "At most this number of bytes.")
    Field(
      "fraction", .number(0...1), "This fraction of the requested bytes, at least one byte.")
  }

  static let chaosCorrupt = MapGrammar<Void>(
    "chaosCorrupt", "How bytes are corrupted.",
    rules: [
      .exactlyOne(["flip_bits", "zero", "truncate"]), .apart("offset", from: ["truncate"]),
    ]
  ) {
    Field("flip_bits", .integer(1...4096), "Flips this number of bits.")
    Field("zero", .the("chaosSize"), "Sets this number of bytes to zero.")
    Field(
      "truncate", .the("chaosAmountOrSize"),
      """
      Drops the end: a read returns fewer bytes; a write loses its end but still reports \
      success.
      """)
    Field(
      "offset", .integer(0...),
      "The byte whose bits flip, or the first byte to set to zero (default: random)."
    )
    .formerly("at")
  }
}
