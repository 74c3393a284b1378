extension LanguageDescription {
  /// The definitions of chaos entries and their conditions.
  static let chaosDefinitions: [LanguageDefinition] = [
    Grammar.chaos.definition,
    Grammar.chaosWhere.definition,
    .shape(
      "chaosNumber", "A number, a number of bytes such as 4KiB, or conditions on it.",
      .map(
        .the("chaosNumberConditions"),
        or: .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$")))),
    .shape(
      "chaosSize", "A number, or a number of bytes such as 4KiB.",
      .either(.integer, .pattern("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$"))),
    Grammar.chaosNumberConditions.definition,
    Grammar.chaosWhen.definition,
    Grammar.chaosEvent.definition,
  ]
}

extension Grammar {
  static let chaos = MapGrammar<Void>(
    "chaos", "Calls that go wrong.",
    rules: [
      .exactlyOne(["call", "function", "link", "disk", "process"]), .needs("except", "function"),
      .needs("in", "function"),
    ]
  ) {
    Field(
      "name", .name,
      "How steps and reports call the entry; the calls joined by `/` unless said.")
    Field(
      "call", .oneOrMore(.text),
      """
      One or more system call families, such as fsync, or groups: @alloc, @dns, @entropy, \
      @fd, @net, @open, @read, @remove, @rename, @spawn, @sync, @write.
      """)
    Field(
      "function", .oneOrMore(.text),
      """
      One or more functions by the names of their symbols, exported, or local in an \
      executable that is not stripped; an asterisk stands for any characters, as in BN_*.
      """)
    Field(
      "except", .oneOrMore(.text),
      "Functions that an asterisk in `function` does not stand for.")
    Field(
      "in", .text,
      "The library that has the functions, such as libz, or exe for the executable.")
    Field(
      "process",
      .either(.integer(1...), .text, .list(of: .either(.integer(1...), .text), atLeast: 1)),
      """
      One or more processes, by the program's name or path, or by number in the order of \
      births: struck when they start, or at the moment that `when` says.
      """)
    Field(
      "disk", .oneOrMore(.text),
      """
      One or more globs on files, in place of calls: what they have on their disk. A \
      folder stands for all that is in it, and . for the scenario's directory.
      """)
    Field(
      "link", .text,
      """
      A host, in which * stands for any letters, with a port where only one is meant: its \
      connections, and the questions for its name.
      """)
    Field(
      "where", .the("chaosWhere"),
      "Which calls; of a function args, caller, process and thread.")
    Field(
      "when", .the("chaosWhen"), "Which of them, counted over the whole process tree.")
    Field(
      "provide", .the("chaosProvider"), "What the call gives instead.", isRequired: true)
    Field(
      "apply", .truth,
      "Whether the entry holds from the start; if not, it waits for a step `apply`.")
  }

  static let chaosWhere = MapGrammar<Void>(
    "chaosWhere", "Which calls; all that is said must hold."
  ) {
    Field(
      "path", .text,
      """
      A glob on the path; it counts from the scenario's directory unless it begins with / \
      or **.
      """)
    Field(
      "caller", .text,
      """
      A glob on the name of the library or program whose code calls the function, or on \
      its path where it holds a slash.
      """)
    Field(
      "fd", .oneOrMore(.words(of: DescriptorKind.self)), "What the descriptor leads to.")
    Field("host", .text, "A glob on the host's name.")
    Field("port", .the("chaosNumber"), "The port.")
    Field("size", .the("chaosNumber"), "How many bytes the call is about.")
    Field("offset", .the("chaosNumber"), "Where in the file.")
    Field("flags", .oneOrMore(.text), "Flags that are set, such as O_APPEND.")
    Field(
      "args", .map(keys: "^[0-5]$", of: .the("chaosNumber")), "Arguments by their places.")
    Field(
      "process", .either(.integer(1...), .text),
      """
      A glob on the executable's name, or on its path where it holds a slash; or the \
      process's number in the order of births.
      """)
    Field("thread", .text, "A glob on the thread's name.")
  }

  static let chaosNumberConditions = MapGrammar<Void>(
    "chaosNumberConditions", "Conditions on a number; all must hold.", rules: [.atLeastOneKey]
  ) {
    Field("equals", .the("chaosSize"), "This number.")
    Field("one_of", .list(of: .the("chaosSize"), atLeast: 1), "One of these numbers.")
    Field("less_than", .the("chaosSize"), "Less.")
    Field("greater_than", .the("chaosSize"), "Greater.")
    Field("between", .pair(of: .the("chaosSize")), "Between two numbers, both included.")
    Field("not", .the("chaosNumber"), "The condition does not hold.")
    Field(
      "all_of", .list(of: .the("chaosNumber"), atLeast: 1), "Every one of these conditions.")
    Field(
      "any_of", .list(of: .the("chaosNumber"), atLeast: 1), "At least one of these conditions.")
  }

  static let chaosWhen = MapGrammar<Void>(
    "chaosWhen",
    """
    Which of the calls that match; window, after, every or nth, probability and times are \
    asked in this order.
    """, rules: [.atMostOne(["every", "nth"])]
  ) {
    Field(
      "from", .either(.instant, .pattern("^[+-]")),
      "From when on, in virtual time; +30s counts from the scenario's start.")
    Field("until", .either(.instant, .pattern("^[+-]")), "Until when, likewise.")
    Field("during", .text, "The name of a step while which the entry holds.")
    Field("on", .the("chaosEvent"), "What must have happened before.")
    Field("after", .integer(0...), "How many matching calls pass first.")
    Field("every", .integer(1...), "Of those behind, each so-manieth.")
    Field(
      "nth", .either(.oneOrMore(.integer(1...)), .pattern("[$][{][{]")),
      """
      Of those behind, these alone, counted from 1; an expression may name them, such as \
      ${{ matrix.point }}.
      """)
    Field("probability", .number(0...1), "How likely each of them is affected.")
    Field("times", .integer(1...), "How many calls are affected at most.")
  }

  static let chaosEvent = MapGrammar<Void>("chaosEvent", "Something that must have happened.") {
    Field("reply", .text, "The name of an entry of `responses`.", isRequired: true)
    Field("nth", .integer(1...), "Which reply of that entry; the first unless said.")
  }
}
