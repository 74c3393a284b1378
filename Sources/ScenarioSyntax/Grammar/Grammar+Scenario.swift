internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The name of the definition that is the schema itself.
  static let rootName = "file"

  /// The definitions of a file and its scenarios.
  static let scenarioDefinitions: [LanguageDefinition] = [
    Grammar.file.definition,
    Grammar.scenario.definition,
    .shape(
      "matrix", "The rows of a scenario; each makes a case.",
      .either(
        .map(keys: matrixKey, of: .either(.list(of: .anything, atLeast: 1), .string)),
        .the("matrixRows"))),
    .shape(
      "matrixRows", "Explicit rows.",
      .list(of: .map(keys: matrixName, of: .anything), atLeast: 1)),
    Grammar.skip.definition,
  ]

  /// The pattern of a target's name.
  static let targetName = "^[A-Za-z_][A-Za-z0-9_-]*$"

  /// The pattern of a matrix's keys: a name, or the file that its rows come from.
  static let matrixKey = "^([A-Za-z_][A-Za-z0-9_]*|\\$file)$"

  /// The pattern of names of a row's value, a variable or a capture in expressions.
  static let matrixName = "^[A-Za-z_][A-Za-z0-9_]*$"
}

extension Grammar {
  /// The fields of a scenario, at the top of a file and in an entry of `scenarios:`.
  @FieldBuilder<ScenarioBody>
  static var scenarioFields: [Field<ScenarioBody>] {
    Field(
      "name", .name,
      """
      The scenario's name, unique within the file. At the top of a file it defaults to the \
      file's name.
      """)
    Field(
      "description", .prose,
      """
      What the scenario is for; reports show it. At the top of a file with several \
      scenarios, what the file is for.
      """,
      \.description)
    Field(
      "target", .the("target"), "The executable under test.", \.target,
      snippets: [Snippet("a program and its arguments", #"{"command": ["${1:./program}"]}"#)]
    ) { $0.decodeTarget($1) }
    Field(
      "targets", .map(keys: LanguageDescription.targetName, of: .the("target")),
      "More executables under test. Steps refer to them by name; all run in one world.",
      \.targets,
      snippets: [
        Snippet("a target with a name", #"{"${1:api}": {"command": ["${2:./program}"]}}"#)
      ]
    ) { $0.decodeTargets($1) }
    Field("clock", .the("clock"), "The time at the start, and how time passes.", \.clock) {
      $0.decodeClock($1)
    }
    Field(
      "files", .the("files"),
      "What happens when the target changes files outside of the case's folders.",
      \.files
    ) { $0.decodeFileSettings($1) }
    Field("seed", .integer, "The number that all random values derive from.", \.seed)
    Field(
      "entropy", .word(),
      "The source of the target's own random numbers: the machine, or the seed.", \.entropy)
    Field(
      "order", .word(),
      """
      The order in which the threads of the targets run. real: the kernel schedules them, \
      differently in each run. seeded: one thread runs at a time, in an order that derives \
      from the seed.
      """, \.order)
    Field("timeout", .duration, "The time limit of the whole scenario, in real time.", \.timeout) {
      $0.decodeTimeout($1)
    }
    variables
    Field("tags", .captions, "Words that select scenarios.", \.tags)
    Field(
      "matrix", .the("matrix"),
      """
      One case per row: lists to combine, explicit rows, or `$file:` and the path of a CSV, \
      JSON or YAML file with rows. `${{ matrix.NAME }}` gives a value of the row.
      """, \.matrix
    ) { $0.decodeMatrix($1) }
    Field("skip", .map(.the("skip"), or: .name), "When and why the scenario is skipped.", \.skip) {
      $0.decodeSkip($1)
    }
    Field(
      "only", .truth, "Whether only this scenario runs. Automatic builds refuse it.", \.only)
    Field("factories", .map(of: .the("factory")), "Factories by name.", \.factories) {
      $0.decodeFactories($1)
    }
    Field(
      "sequences", .map(of: .map(.the("sequence"), or: .integer)),
      "Sequences that `$seq` draws from, by name.", \.sequences
    ) { $0.decodeSequences($1) }
    Field(
      "allow_readonly", .truth, "Whether `with` may set readonly fields of factories.",
      \.allowsReadonly)
    Field("build", .fields, "Objects by name, for `${{ build.NAME }}`.", \.builds)
    Field("network", .the("network"), "The target's network.", \.network) {
      $0.decodeNetwork($1)
    }
    Field(
      "state", .map(of: .data),
      """
      The state before the first request, by name. `when` of responses and `expect` check it; \
      `set` of responses and of steps changes it.
      """, \.state
    ) { $0.decodeStateValues($1, "state") }
    Field(
      "responses", .list(of: .the("response")),
      "The replies of the mock server. The first entry that matches a request answers it.",
      \.responses,
      snippets: [
        Snippet("a reply", #"[{"GET https://${1:host}/${2:path}": {"json": {}}}]"#),
        Snippet(
          "a queue of replies",
          #"[{"request": "GET https://${1:host}/${2:path}", "reply": [{"status": 503}, {"json": {}}]}]"#
        ),
        Snippet("a GraphQL reply", #"[{"query": "${1:Name}", "reply": {"data": {}}}]"#),
      ]
    ) { $0.decodeResponses($1) }
    Field(
      "chaos", .list(of: .the("chaos")),
      "Fault rules. The first entry that matches a call and is due applies.", \.chaos,
      snippets: [
        Snippet("a call fails", #"[{"call": "${1:fsync}", "provide": {"error": "${2:EIO}"}}]"#),
        Snippet(
          "a link is slow",
          #"[{"link": "${1:api.example.com}", "provide": {"latency": "${2:2s}"}}]"#),
      ]
    ) { $0.decodeChaos($1) }
    Field(
      "steps", .list(of: .the("step")), "Actions and expectations, performed in order.", \.steps,
      snippets: [
        Snippet("run to the end", #"[{"run": null, "expect": {"exit": 0}}]"#),
        Snippet(
          "start, let time pass, stop", #"[{"start": null}, {"tick": "${1:1h}"}, {"stop": null}]"#),
      ]
    ) { $0.decodeSteps($1, "steps") }
    Field(
      "cleanup", .list(of: .the("step"), atLeast: 1),
      """
      Steps that always run at the end, even after a failure, a timeout or an interruption. \
      Each has its own time limit: that of the case, at least ten seconds.
      """, \.cleanup,
      snippets: [Snippet("a command that cleans up", #"[{"exec": "${1:./clean-up}"}]"#)]
    ) { $0.decodeCleanup($1) }.formerly("always", hasOtherMeaning: true)
    Field(
      "expect", .the("expect"), "Expectations at the end of the scenario.", \.expect,
      snippets: [
        Snippet("exit code and output", #"{"exit": 0, "stdout": {"contains": "${1:text}"}}"#)
      ]
    ) { $0.decodeExpectations($1) }
    Field(
      "explore", .the("explore"),
      "Which faults `scenario explore` tries, one per run. The defaults suit most programs.",
      \.explore
    ) { $0.decodeExploration($1) }
    Field(
      "override", .oneOrMore(.words(ScenarioBody.inheritedKeys)),
      """
      Keys that are not inherited, neither from the file's top nor from included files. Only \
      the values written here apply.
      """, \.override
    ) { $0.decodeOverride($1) }
    Field(
      "exclusive", .either(.truth, .oneOrMore(.name)),
      """
      Resources that the scenario needs for itself: scenarios that share a name never run at \
      the same time. With true, nothing else runs at the same time.
      """, \.execution.exclusive
    ) { $0.decodeExclusivity($1) }
    Field(
      "grace", .duration,
      "How much real time processes may take to end after SIGTERM before they are killed (default: 5s).",
      \.execution.grace
    ) { $0.decodeDelay($1, "grace") }
    Field(
      "leaks", .word(),
      "What happens when processes outlive the target: fail, warn (default), or ignore.",
      \.execution.leak
    ).formerly("leak")
    Field(
      "retries", .count(0...ScenarioDecoder.retryLimit),
      "How many times the scenario is retried if it does not pass.", \.execution.retries)
  }

  static let file = MapGrammar<ScenarioBody>(
    LanguageDescription.rootName,
    """
    Scenarios for an executable: the time, the replies of the network, the faults, and the \
    expectations.
    """, rules: [.atMostOne(["steps", "scenarios"])]
  ) {
    Field(
      "version", .constant(.integer(LanguageVersion.current)), "The language's version.",
      isRequired: true)
    Field(
      "include", .list(of: .text, atLeast: 1),
      """
      Other files whose responses, chaos, factories, sequences and target this file inherits. \
      The values of this file take precedence.
      """
    ).formerly("use")
    Field(
      "folder", .text,
      "The folder that paths in the file are relative to, itself relative to the file's folder.")
    Field(
      "blocks", .map(of: .the("block")),
      "Steps, expectations, targets, clocks and responses by name, which `block` inserts.",
      snippets: [
        Snippet(
          "steps with a parameter",
          #"{"${1:login}": {"params": ["user"], "steps": [{"run": ["${{ with.user }}"]}]}}"#)
      ])
    Field("secrets", .the("secrets"), "Values to mask in all reports and output.")
    Field(
      "scenarios", .list(of: .the("scenario"), atLeast: 1),
      "The scenarios. A file with a single scenario may write its keys at the top instead.",
      snippets: [
        Snippet(
          "a scenario",
          #"[{"name": "${1:what happens}", "steps": [{"run": null}], "expect": {"exit": 0}}]"#)
      ])
    scenarioFields
  }

  static let scenario = MapGrammar<ScenarioBody>(
    "scenario",
    """
    One scenario. It inherits from the file's top: maps are merged key by key, entries of \
    `responses`, `chaos` and `tags` are added, and everything else is replaced, as are the \
    keys that `override` names.
    """
  ) {
    scenarioFields.map { field in
      var field = field
      field.key.isRequired = field.key.name == "name"
      return field
    }
  }

  static let skip = MapGrammar<Void>("skip", "When and why a scenario is skipped.") {
    Field(
      "if", .either(.truth, .text),
      "Whether the scenario is skipped: true, false, or an expression that gives one.",
      isRequired: true)
    Field("reason", .name, "The reason, which reports show.", isRequired: true)
  }
}
