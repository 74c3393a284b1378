internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what calls give instead.
  static let chaosProviderDefinitions: [LanguageDefinition] = [
    .shape(
      "chaosProvider", "What a call gives instead.",
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
      "chaosAmountOrSize", "A number of bytes, or a part.",
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
    "chaosProvide", "One provider, with what belongs to it.",
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
      This number, without the call; of a function that gives text, this text. One with a point, as 0.5 or \
      2.0, is for functions that return a double.
      """)
    Field("errno", .text, "Beside `constant: -1`: the errno by name.")
    Field(
      "compute", .map(.the("chaosCompute"), or: .text),
      """
      An expression over args[0] to args[5], result, size, occurrence, byte(ADDRESS), \
      int(ADDRESS) and long(ADDRESS); or replaced arguments.
      """, \.self
    ) { $0.decodeComputation($1).map { .compute($0) } }
    Field(
      "exec", .map(.the("chaosExec"), or: .either(.text, .list(of: .text, atLeast: 1))),
      "A program that decides: it reads a line of JSON for each call and answers with one.", \.self
    ) { $0.decodeExecution($1) }
    Field(
      "random", .map(.the("chaosRandom"), or: .pair(of: .the("chaosSize"))),
      "A number between two, or an error; by seed, entry and occurrence.", \.self
    ) { $0.decodeRandom($1) }
    Field("error", .text, "An errno by name.") { $0 = .error($1) }
    Field(
      "signal", .map(.the("chaosSignal"), or: .signal),
      "A signal to the thread, before its call unless said.")
    Field(
      "then", .the("chaosProvider"),
      "Beside `delay` and `signal`: what the call gives; the original unless said.")
    Field("exit", .count(0...255), "The process ends with this code.") {
      $0 = .exit(Int32($1.value))
    }
    Field("kill", .word(of: KillScope.self), "Who is killed.") { $0 = .kill($1.value) }
    Field(
      "pause", .delay, "The process stands still for so long in virtual time (SIGSTOP, SIGCONT)."
    ) { $0 = .stop($1.value) }.formerly("stop")
    Field(
      "restart", .map(.the("chaosRestart"), or: .delay),
      """
      The target is killed with all its processes, and started again after so long in \
      virtual time.
      """, \.self
    ) { $0.decodeRestart($1).map { .restart(after: $0) } }
    Field(
      "lose", .constant(.string("unsynced")),
      """
      Beside `kill`, or alone of a disk: what was not made durable is lost, as when the \
      machine crashes.
      """)
    Field(
      "files", .oneOrMore(.text),
      """
      Beside `lose`: globs on the files that lose something; those in the scenario's \
      directory, or on the entry's disk, unless said.
      """)
    Field(
      "metadata", .either(.words(of: NameLoss.self), .pattern("[$][{][{]")),
      """
      Beside `lose`: whether names that were made, renamed or deleted, and lengths that were \
      set, are kept without a sync (the default), so that a file that was cut is empty, or lost \
      as well, so that it is the old one. An expression may say which.
      """)
    Field(
      "torn", .the("chaosSize"),
      "Beside `lose`: how many bytes of the last write arrive all the same.")
    Field(
      "sequence", .list(of: .chaosProvider), "One provider after the other; the last one stays."
    ) { $0 = .sequence($1) }
    Field(
      "match", .list(of: .the("chaosBranch"), atLeast: 1), "The first whose conditions hold.")
    Field(
      "else", .the("chaosProvider"),
      "Beside `match`: where none holds; the original unless said.")
    Field(
      "delay", .either(.delay, .pair(of: .delay)),
      "Virtual time passes first: a length, or a shortest and a longest one.")
    Field(
      "short", .chaosAmount, "The call is made for fewer bytes: at most so many, or a part."
    ) { $0 = .short($1) }
    Field("corrupt", .the("chaosCorrupt"), "The bytes are spoiled on the way.", \.self) {
      $0.decodeCorruption($1).map { .corrupt($0) }
    }
    Field(
      "free", .diskSpace, "Of a disk: so many bytes more are to be had; what is deleted makes room."
    ) { $0 = .disk(.free($1)) }
    Field("quota", .diskSpace, "Likewise, and the error is EDQUOT.") { $0 = .disk(.quota($1)) }
  }

  static let chaosExec = MapGrammar<MomentReading>(
    "chaosExec", "A program that decides, and when it is asked."
  ) {
    Field("command", .texts, "The program and its arguments.", \.words)
      .required("command: [./decide]")
    Field(
      "at", .word(of: CallMoment.self),
      """
      Whether it is asked before the call or after it, when it sees the result and the \
      bytes that were read.
      """, \.moment)
  }

  static let chaosCompute = MapGrammar<Void>(
    "chaosCompute", "Computed arguments, bytes and result; the call is made.",
    rules: [.atLeastOneKey]
  ) {
    Field(
      "args", .map(keys: "^[0-5]$", of: .text), "Expressions by the places of arguments.")
    Field(
      "bytes", .text,
      """
      An expression for each byte that is written, or was read, over byte and index, such \
      as byte ^ 32.
      """)
    Field("result", .text, "An expression for the result.")
  }

  static let chaosRandom = MapGrammar<Void>("chaosRandom", "An error that chance picks.") {
    Field(
      "error", .either(.constant(.string("documented")), .list(of: .text, atLeast: 1)),
      "Among those that the manual page of the call names, or among these.", isRequired: true)
  }

  static let chaosSignal = MapGrammar<MomentReading>("chaosSignal", "A signal and its moment.") {
    Field("send", .signal, "The signal.") { $0.words = [$1] }.required("send: TERM")
    Field("at", .word(of: CallMoment.self), "Before the call unless said.", \.moment)
  }

  static let chaosRestart = MapGrammar<Nanoseconds>(
    "chaosRestart", "When the target is started again."
  ) {
    Field("after", .delay, "How much virtual time passes first.", \.self).required("after: 2s")
  }

  static let chaosBranch = MapGrammar<FaultAction.Branch>(
    "chaosBranch", "A provider for some of the calls."
  ) {
    Field("where", .chaosWhere, "Which calls.", \.conditions)
      .required("where: { path: '**/*.db' }")
    Field("provide", .chaosProvider, "What they give.", \.provider)
      .required("provide: { error: EIO }")
  }

  static let chaosAmount = MapGrammar<Void>(
    "chaosAmount", "How much of a transfer.", rules: [.exactlyOneKey]
  ) {
    Field("bytes", .the("chaosSize"), "At most so many bytes.")
    Field(
      "fraction", .number(0...1), "This part of what was asked for; one byte at least.")
  }

  static let chaosCorrupt = MapGrammar<Void>(
    "chaosCorrupt", "How bytes are spoiled.",
    rules: [.exactlyOne(["flip_bits", "zero", "truncate"])]
  ) {
    Field("flip_bits", .integer(1...4096), "So many bits are turned over.")
    Field("zero", .the("chaosSize"), "So many bytes become zero.")
    Field(
      "truncate", .the("chaosAmountOrSize"),
      """
      The end is lost: of a read it is gone, of a write it never arrives and nobody is \
      told.
      """)
    Field("offset", .integer(0...), "The place of the byte; chance decides unless said.")
      .formerly("at")
  }
}
