internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of chaos entries and their conditions.
  static let chaosDefinitions: [LanguageDefinition] = [
    .map(
      "chaos", "Calls that go wrong.",
      [
        LanguageKey(
          "name", .name,
          "How steps and reports call the entry; the calls joined by `/` unless said."),
        LanguageKey(
          "call", .oneOrMore(.text),
          """
          One or more system call families, such as fsync, or groups: @alloc, @dns, @entropy, \
          @fd, @net, @open, @read, @remove, @rename, @spawn, @sync, @write.
          """),
        LanguageKey(
          "function", .oneOrMore(.text),
          """
          One or more functions by the names of their symbols, exported, or local in an \
          executable that is not stripped; an asterisk stands for any characters, as in BN_*.
          """),
        LanguageKey(
          "except", .oneOrMore(.text),
          "Functions that an asterisk in `function` does not stand for."),
        LanguageKey(
          "in", .text,
          "The library that has the functions, such as libz, or exe for the executable."),
        LanguageKey(
          "process",
          .either(.integer(1...), .text, .list(of: .either(.integer(1...), .text), atLeast: 1)),
          """
          One or more processes, by the program's name or path, or by number in the order of \
          births: struck when they start, or at the moment that `when` says.
          """),
        LanguageKey(
          "disk", .oneOrMore(.text),
          """
          One or more globs on files, in place of calls: what they have on their disk. A \
          folder stands for all that is in it, and . for the scenario's directory.
          """),
        LanguageKey(
          "link", .text,
          """
          A host, in which * stands for any letters, with a port where only one is meant: its \
          connections, and the questions for its name.
          """),
        LanguageKey(
          "where", .the("chaosWhere"),
          "Which calls; of a function args, caller, process and thread."),
        LanguageKey(
          "when", .the("chaosWhen"), "Which of them, counted over the whole process tree."),
        LanguageKey(
          "provide", .the("chaosProvider"), "What the call gives instead.", isRequired: true),
        LanguageKey(
          "apply", .truth,
          "Whether the entry holds from the start; if not, it waits for a step `apply`."),
      ],
      rules: [
        .exactlyOne(["call", "function", "link", "disk", "process"]), .needs("except", "function"),
        .needs("in", "function"),
      ]),
    .map(
      "chaosWhere", "Which calls; all that is said must hold.",
      [
        LanguageKey(
          "path", .text,
          """
          A glob on the path; it counts from the scenario's directory unless it begins with / \
          or **.
          """),
        LanguageKey(
          "caller", .text,
          """
          A glob on the name of the library or program whose code calls the function, or on \
          its path where it holds a slash.
          """),
        LanguageKey(
          "fd", .oneOrMore(.words(of: DescriptorKind.self)), "What the descriptor leads to."),
        LanguageKey("host", .text, "A glob on the host's name."),
        LanguageKey("port", .the("chaosNumber"), "The port."),
        LanguageKey("size", .the("chaosNumber"), "How many bytes the call is about."),
        LanguageKey("offset", .the("chaosNumber"), "Where in the file."),
        LanguageKey("flags", .oneOrMore(.text), "Flags that are set, such as O_APPEND."),
        LanguageKey(
          "args", .map(keys: "^[0-5]$", of: .the("chaosNumber")), "Arguments by their places."),
        LanguageKey(
          "process", .either(.integer(1...), .text),
          """
          A glob on the executable's name, or on its path where it holds a slash; or the \
          process's number in the order of births.
          """),
        LanguageKey("thread", .text, "A glob on the thread's name."),
      ]),
    .shape(
      "chaosNumber", "A number, a number of bytes such as 4KiB, or conditions on it.",
      .map(
        .the("chaosNumberConditions"),
        or: .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$")))),
    .shape(
      "chaosSize", "A number, or a number of bytes such as 4KiB.",
      .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$"))),
    .map(
      "chaosNumberConditions", "Conditions on a number; all must hold.",
      [
        LanguageKey("equals", .the("chaosSize"), "This number."),
        LanguageKey("one_of", .list(of: .the("chaosSize"), atLeast: 1), "One of these numbers."),
        LanguageKey("less_than", .the("chaosSize"), "Less."),
        LanguageKey("greater_than", .the("chaosSize"), "Greater."),
        LanguageKey("between", .pair(of: .the("chaosSize")), "Between two numbers, both included."),
        LanguageKey("not", .the("chaosNumber"), "The condition does not hold."),
        LanguageKey(
          "all_of", .list(of: .the("chaosNumber"), atLeast: 1), "Every one of these conditions."),
        LanguageKey(
          "any_of", .list(of: .the("chaosNumber"), atLeast: 1), "At least one of these conditions."),
      ], rules: [.atLeastOneKey]),
    .map(
      "chaosWhen",
      """
      Which of the calls that match; window, after, every or nth, probability and times are \
      asked in this order.
      """,
      [
        LanguageKey(
          "from", .either(.instant, .pattern("^[+-]")),
          "From when on, in virtual time; +30s counts from the scenario's start."),
        LanguageKey("until", .either(.instant, .pattern("^[+-]")), "Until when, likewise."),
        LanguageKey("during", .text, "The name of a step while which the entry holds."),
        LanguageKey("on", .the("chaosEvent"), "What must have happened before."),
        LanguageKey("after", .integer(0...), "How many matching calls pass first."),
        LanguageKey("every", .integer(1...), "Of those behind, each so-manieth."),
        LanguageKey(
          "nth", .either(.oneOrMore(.integer(1...)), .pattern("[$][{][{]")),
          """
          Of those behind, these alone, counted from 1; an expression may name them, such as \
          ${{ matrix.point }}.
          """),
        LanguageKey("probability", .number(0...1), "How likely each of them is affected."),
        LanguageKey("times", .integer(1...), "How many calls are affected at most."),
      ], rules: [.atMostOne(["every", "nth"])]),
    .map(
      "chaosEvent", "Something that must have happened.",
      [
        LanguageKey("reply", .text, "The name of an entry of `responses`.", isRequired: true),
        LanguageKey("nth", .integer(1...), "Which reply of that entry; the first unless said."),
      ]),
  ]
}
