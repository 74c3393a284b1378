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
    "explore", "Which faults to try.", mayBeNull: true
  ) {
    Field(
      "call", .either(.text, .list(of: .map(.the("explorePoint"), or: .text), atLeast: 1)),
      """
      Calls and groups, as in `call` of a chaos entry, and functions. Default: @alloc, @open, \
      @read, @write, @sync, @rename, @remove, @net and @spawn.
      """, \.points
    ) { $0.decodePoints($1) }.formerly("points")
    Field("where", .the("chaosWhere"), "Conditions on the calls.", \.conditions) { decoder, node in
      decoder.decodeChaosConditions(node).map { Located($0, at: node.range) }
    }
    Field(
      "errors", .oneOrMore(.text),
      """
      practical (default): the errors that occur in practice; documented: those of the manual \
      page; or errno names.
      """, \.errors
    ) { $0.decodeExploredErrors($1) }
    Field(
      "times", .words(),
      "Whether only one call fails, or that call and all later ones (default: both).",
      \.modes
    ).formerly("modes")
    Field(
      "provide", .words(),
      "The fault to inject: the call fails (default), or it transfers one byte.", \.kinds
    ).formerly("faults")
    Field(
      "each", .word(),
      "Whether to try each call (default), or each place in the code once.",
      \.grain
    ).formerly("by")
    Field("budget", .the("exploreBudget"), "When to start no further runs.") {
      decoder, node, settings in
      _ = decoder.decode(
        node, as: exploreBudget, subject: "\"budget\"", into: &settings)
    }
    Field(
      "ignore", .texts,
      "Globs of paths, hosts and programs; calls that involve them are not tried.",
      \.ignored)
    Field(
      "leaks", .the("exploreLeaks"), "Which leftovers are allowed, and for how long."
    ) { $0.decodeLeaks($1, into: &$2) }
    Field(
      "startup", .truth,
      """
      Whether to try the calls of program start-up as well: loading of shared libraries, \
      locales, loader files and certificates, and all that an interpreter does before it reads \
      its script. Default: false.
      """, \.includesStartup)
    Field(
      "steps", .list(of: .the("step")),
      "Steps to run without faults after the run with the fault. Their expectations must hold.",
      \.then
    ) { $0.decodeSteps($1, "steps") }.formerly("then")
    Field(
      "folder", .name,
      "The folder for the scenarios that reproduce findings (default: __explored__).", \.save
    ).formerly("save")
  }

  static let explorePoint = MapGrammar<Void>("explorePoint", "A function whose calls are tried.") {
    Field(
      "function", .oneOrMore(.text), "One or more functions by the names of their symbols.",
      isRequired: true)
    Field("in", .text, "The library that has the functions, or exe.")
  }

  static let exploreBudget = MapGrammar<ExploreSettings>(
    "exploreBudget", "When to start no further runs."
  ) {
    Field("runs", .count(1...), "The maximum number of faults to try.", \.runLimit)
    Field(
      "timeout", .duration,
      "The maximum real time, including runs without faults and confirmations.",
      \.timeLimit
    ) { $0.decodeTimeLimit($1) }.formerly("time")
  }

  static let exploreLeaks = MapGrammar<ExploreSettings>(
    "exploreLeaks", "Which leftovers are allowed, and for how long."
  ) {
    Field(
      "grace", .duration,
      "How long processes may outlive the target, in virtual time (default: 10s).",
      \.leakGrace)
    Field(
      "ignore", .texts, "Globs of files and programs that may remain.", \.acceptedLeaks
    ).formerly("accept")
  }
}
