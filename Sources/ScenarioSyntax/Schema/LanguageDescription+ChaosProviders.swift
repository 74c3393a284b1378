internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of what calls give instead.
  static let chaosProviderDefinitions: [LanguageDefinition] = [
    .shape(
      "chaosProvider", "What a call gives instead.",
      .map(
        by: [
          (Vocabulary.linkFaults, .the("linkFaults")),
          (Vocabulary.chaosProvide, .the("chaosProvide")),
        ],
        or: .either(
          .words(Vocabulary.chaosProviderWords), .words(["down", "reset_peer"]),
          .list(of: .the("linkFault"), atLeast: 1)))),
    .map(
      "chaosProvide", "One provider, with what belongs to it.",
      [
        LanguageKey(
          "constant", .either(.number, .string),
          """
          This number, without the call; of a function that gives text, this text. One with a point, as 0.5 or \
          2.0, is for functions that return a double.
          """),
        LanguageKey("errno", .text, "Beside `constant: -1`: the errno by name."),
        LanguageKey(
          "compute", .map(.the("chaosCompute"), or: .text),
          """
          An expression over args[0] to args[5], result, size, occurrence, byte(ADDRESS), \
          int(ADDRESS) and long(ADDRESS); or replaced arguments.
          """),
        LanguageKey(
          "exec", .map(.the("chaosExec"), or: .either(.text, .list(of: .text, atLeast: 1))),
          "A program that decides: it reads a line of JSON for each call and answers with one."),
        LanguageKey(
          "random", .map(.the("chaosRandom"), or: .pair(of: .the("chaosSize"))),
          "A number between two, or an error; by seed, entry and occurrence."),
        LanguageKey("error", .text, "An errno by name."),
        LanguageKey(
          "signal", .map(.the("chaosSignal"), or: .signal),
          "A signal to the thread, before its call unless said."),
        LanguageKey(
          "then", .the("chaosProvider"),
          "Beside `delay` and `signal`: what the call gives; the original unless said."),
        LanguageKey("exit", .integer(0...255), "The process ends with this code."),
        LanguageKey("kill", .words(of: KillScope.self), "Who is killed."),
        LanguageKey(
          "stop", .delay, "The process stands still for so long in virtual time (SIGSTOP, SIGCONT)."
        ),
        LanguageKey(
          "restart", .map(.the("chaosRestart"), or: .delay),
          """
          The target is killed with all its processes, and started again after so long in \
          virtual time.
          """),
        LanguageKey(
          "lose", .constant(.string("unsynced")),
          """
          Beside `kill`, or alone of a disk: what was not made durable is lost, as when the \
          machine crashes.
          """),
        LanguageKey(
          "files", .oneOrMore(.text),
          """
          Beside `lose`: globs on the files that lose something; those in the scenario's \
          directory, or on the entry's disk, unless said.
          """),
        LanguageKey(
          "metadata", .either(.words(of: NameLoss.self), .pattern("[$][{][{]")),
          """
          Beside `lose`: whether names that were made, renamed or deleted, and lengths that were \
          set, are kept without a sync (the default), so that a file that was cut is empty, or lost \
          as well, so that it is the old one. An expression may say which.
          """),
        LanguageKey(
          "torn", .the("chaosSize"),
          "Beside `lose`: how many bytes of the last write arrive all the same."),
        LanguageKey(
          "sequence", .list(of: .the("chaosProvider"), atLeast: 1),
          "One provider after the other; the last one stays."),
        LanguageKey(
          "match", .list(of: .the("chaosBranch"), atLeast: 1), "The first whose conditions hold."),
        LanguageKey(
          "else", .the("chaosProvider"),
          "Beside `match`: where none holds; the original unless said."),
        LanguageKey(
          "delay", .either(.delay, .pair(of: .delay)),
          "Virtual time passes first: a length, or a shortest and a longest one."),
        LanguageKey(
          "short", .the("chaosAmountOrSize"),
          "The call is made for fewer bytes: at most so many, or a part."),
        LanguageKey("corrupt", .the("chaosCorrupt"), "The bytes are spoiled on the way."),
        LanguageKey(
          "free", .the("chaosSize"),
          "Of a disk: so many bytes more are to be had; what is deleted makes room."),
        LanguageKey("quota", .the("chaosSize"), "Likewise, and the error is EDQUOT."),
      ],
      rules: [
        .someOf(Vocabulary.chaosProviders + ["lose"]), .atMostOne(Vocabulary.chaosProviders),
        .apart("lose", from: Vocabulary.chaosProviders.filter { $0 != "kill" }),
        .apart(
          "then", from: Vocabulary.chaosProviders.filter { !["delay", "signal"].contains($0) }),
        .needs("errno", "constant"), .needs("else", "match"), .needs("files", "lose"),
        .needs("metadata", "lose"), .needs("torn", "lose"),
      ]),
    .map(
      "chaosExec", "A program that decides, and when it is asked.",
      [
        LanguageKey(
          "command", .oneOrMore(.text), "The program and its arguments.", isRequired: true),
        LanguageKey(
          "at", .words(["before", "after"]),
          """
          Whether it is asked before the call or after it, when it sees the result and the \
          bytes that were read.
          """),
      ]),
    .map(
      "chaosCompute", "Computed arguments, bytes and result; the call is made.",
      [
        LanguageKey(
          "args", .map(keys: "^[0-5]$", of: .text), "Expressions by the places of arguments."),
        LanguageKey(
          "bytes", .text,
          """
          An expression for each byte that is written, or was read, over byte and index, such \
          as byte ^ 32.
          """),
        LanguageKey("result", .text, "An expression for the result."),
      ], rules: [.atLeastOneKey]),
    .map(
      "chaosRandom", "An error that chance picks.",
      [
        LanguageKey(
          "error", .either(.constant(.string("documented")), .list(of: .text, atLeast: 1)),
          "Among those that the manual page of the call names, or among these.", isRequired: true)
      ]),
    .map(
      "chaosSignal", "A signal and its moment.",
      [
        LanguageKey("send", .signal, "The signal.", isRequired: true),
        LanguageKey("at", .words(["before", "after"]), "Before the call unless said."),
      ]),
    .map(
      "chaosRestart", "When the target is started again.",
      [
        LanguageKey("after", .delay, "How much virtual time passes first.", isRequired: true)
      ]),
    .map(
      "chaosBranch", "A provider for some of the calls.",
      [
        LanguageKey("where", .the("chaosWhere"), "Which calls.", isRequired: true),
        LanguageKey("provide", .the("chaosProvider"), "What they give.", isRequired: true),
      ]),
    .shape(
      "chaosAmountOrSize", "A number of bytes, or a part.",
      .map(.the("chaosAmount"), or: .the("chaosSize"))),
    .map(
      "chaosAmount", "How much of a transfer.",
      [
        LanguageKey("bytes", .the("chaosSize"), "At most so many bytes."),
        LanguageKey(
          "fraction", .number(0...1), "This part of what was asked for; one byte at least."),
      ], rules: [.exactlyOneKey]),
    .map(
      "chaosCorrupt", "How bytes are spoiled.",
      [
        LanguageKey("flip_bits", .integer(1...4096), "So many bits are turned over."),
        LanguageKey("zero", .the("chaosSize"), "So many bytes become zero."),
        LanguageKey(
          "truncate", .the("chaosAmountOrSize"),
          """
          The end is lost: of a read it is gone, of a write it never arrives and nobody is \
          told.
          """),
        LanguageKey("at", .integer(0...), "The place of the byte; chance decides unless said."),
      ], rules: [.exactlyOne(["flip_bits", "zero", "truncate"])]),
  ]
}
