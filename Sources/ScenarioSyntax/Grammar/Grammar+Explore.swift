internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The definitions of explorations.
  static let exploreDefinitions: [LanguageDefinition] = [
    Grammar.explore.definition,
    Grammar.explorePoint.definition,
    Grammar.exploreBudget.definition,
    Grammar.exploreLeaks.definition,
  ]
}

extension Grammar {
  static let explore = MapGrammar<ExploreSettings>(
    "explore", "Which faults are tried.", mayBeNull: true
  ) {
    Field(
      "call", .either(.text, .list(of: .map(.the("explorePoint"), or: .text), atLeast: 1)),
      """
      Calls and groups, as `call` of a chaos entry has them, and functions; @alloc, @open, \
      @read, @write, @sync, @rename, @remove, @net and @spawn if nothing is said.
      """, \.points
    ) { $0.decodePoints($1) }.formerly("points")
    Field("where", .the("chaosWhere"), "Which of their calls.", \.conditions) { decoder, node in
      decoder.decodeChaosConditions(node).map { Located($0, at: node.range) }
    }
    Field(
      "errors", .oneOrMore(.text),
      """
      practical (the errors that occur in practice, if nothing is said), documented (those \
      of the manual page), or errno names.
      """, \.errors
    ) { $0.decodeExploredErrors($1) }
    Field(
      "times", .words(),
      "Whether one call fails, or that one and all behind it; both if nothing is said.",
      \.modes
    ).formerly("modes")
    Field(
      "provide", .words(),
      "What goes wrong: the call fails, or transfers one byte; error if nothing is said.", \.kinds
    ).formerly("faults")
    Field(
      "each", .word(),
      "Whether each call is tried, or each place of the code once; call if nothing is said.",
      \.grain
    ).formerly("by")
    Field("budget", .the("exploreBudget"), "When no more runs begin.") { decoder, node, settings in
      _ = decoder.decode(
        node, as: exploreBudget, subject: "\"budget\"", into: &settings)
    }
    Field(
      "ignore", .texts, "Globs of paths, hosts and programs whose calls are left alone.",
      \.ignored)
    Field(
      "leaks", .the("exploreLeaks"), "What may be left behind, and how long."
    ) { $0.decodeLeaks($1, into: &$2) }
    Field(
      "startup", .truth,
      """
      Whether calls by which programs prepare themselves are tried as well: those about shared \
      libraries, locales and the loader's files, and all that loading certificates takes; false \
      if nothing is said.
      """, \.includesStartup)
    Field(
      "steps", .list(of: .the("step")),
      "Steps behind the run with the fault, without faults, whose expectations must hold.",
      \.then
    ) { $0.decodeSteps($1, "steps") }.formerly("then")
    Field(
      "folder", .name,
      """
      The folder of the scenarios that reproduce what is found; __explored__ if nothing is \
      said.
      """, \.save
    ).formerly("save")
  }

  static let explorePoint = MapGrammar<Void>("explorePoint", "A function whose calls are tried.") {
    Field(
      "function", .oneOrMore(.text), "One or more functions by the names of their symbols.",
      isRequired: true)
    Field("in", .text, "The library that has the functions, or exe.")
  }

  static let exploreBudget = MapGrammar<ExploreSettings>(
    "exploreBudget", "When no more runs begin."
  ) {
    Field("runs", .count(1...), "So many faults are tried at most.", \.runLimit)
    Field(
      "timeout", .duration,
      "How long it takes in real time at most, runs without faults and confirmations included.",
      \.timeLimit
    ) { $0.decodeTimeLimit($1) }.formerly("time")
  }

  static let exploreLeaks = MapGrammar<ExploreSettings>(
    "exploreLeaks", "What may be left behind, and how long."
  ) {
    Field(
      "grace", .duration,
      """
      How much virtual time processes have to end by themselves once the target has ended; 10s \
      if nothing is said.
      """, \.leakGrace)
    Field(
      "ignore", .texts, "Globs of files and programs that may be left behind.", \.acceptedLeaks
    ).formerly("accept")
  }
}
