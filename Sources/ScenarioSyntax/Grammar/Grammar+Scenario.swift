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
      "matrix", "The rows of a scenario, each of which is a case.",
      .either(
        .map(keys: matrixKey, of: .either(.list(of: .anything, atLeast: 1), .string)),
        .the("matrixRows"))),
    .shape(
      "matrixRows", "Rows that are written out.",
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
      The scenario's name, unique within the file; at the top, the file's name stands in where \
      it is missing.
      """)
    Field(
      "description", .prose,
      "What the scenario is for, as reports show it; at the top of a file of several, what the file is for.",
      \.description)
    Field(
      "target", .the("target"), "The executable under test.", \.target,
      snippets: [Snippet("a program and its arguments", #"{"command": ["${1:./program}"]}"#)]
    ) { $0.decodeTarget($1) }
    Field(
      "targets", .map(keys: LanguageDescription.targetName, of: .the("target")),
      "More executables under test, by the names that steps call them by; all live in one world.",
      \.targets,
      snippets: [
        Snippet("a target with a name", #"{"${1:api}": {"command": ["${2:./program}"]}}"#)
      ]
    ) { $0.decodeTargets($1) }
    Field("clock", .the("clock"), "What time it is, and how it passes.", \.clock) {
      $0.decodeClock($1)
    }
    Field(
      "files", .the("files"), "What the target may do to files that are not the scenario's own.",
      \.files
    ) { $0.decodeFileSettings($1) }
    Field("seed", .integer, "The number that all random values derive from.", \.seed)
    Field(
      "entropy", .word(),
      "Where the target's own random numbers come from: the machine, or the seed.", \.entropy)
    Field(
      "order", .word(),
      """
      In what order the threads of the targets run. real: as the kernel has them run, which differs from run to run. \
      seeded: one at a time, in an order that follows from the seed.
      """, \.order)
    Field("timeout", .duration, "The bound on the whole scenario, in real time.", \.timeout) {
      $0.decodeTimeout($1)
    }
    variables
    Field("tags", .textList, "Words by which scenarios are selected.", \.tags)
    Field(
      "matrix", .the("matrix"),
      """
      One case for each row: lists that are combined, rows written out, or `$file:` and the path of a CSV, JSON or \
      YAML file that holds them; `${{ matrix.NAME }}` names a value.
      """, \.matrix
    ) { $0.decodeMatrix($1) }
    Field("skip", .map(.the("skip"), or: .name), "Why the scenario is not run.", \.skip) {
      $0.decodeSkip($1)
    }
    Field(
      "only", .truth, "Whether nothing else is run; refused in an automatic build.", \.only)
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
    Field("build", .fields, "Objects by name, for ${{ build.NAME }}.", \.builds)
    Field("network", .the("network"), "How the target's network is treated.", \.network) {
      $0.decodeNetwork($1)
    }
    Field(
      "responses", .list(of: .the("response")),
      "What the mock server answers, in order of precedence.", \.responses,
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
      "Calls that go wrong; the first entry that matches and is due wins.", \.chaos,
      snippets: [
        Snippet("a call fails", #"[{"call": "${1:fsync}", "provide": {"error": "${2:EIO}"}}]"#),
        Snippet(
          "a link is slow",
          #"[{"link": "${1:api.example.com}", "provide": {"latency": "${2:2s}"}}]"#),
      ]
    ) { $0.decodeChaos($1) }
    Field(
      "steps", .list(of: .the("step")), "What happens, in order.", \.steps,
      snippets: [
        Snippet("run to the end", #"[{"run": null, "expect": {"exit": 0}}]"#),
        Snippet(
          "start, let time pass, stop", #"[{"start": null}, {"tick": "${1:1h}"}, {"stop": null}]"#),
      ]
    ) { $0.decodeSteps($1, "steps") }
    Field(
      "cleanup", .list(of: .the("step"), atLeast: 1),
      """
      Steps that run whatever happened, also behind a failure, a timeout or an interruption; each has the case's \
      time for itself, ten seconds at least.
      """, \.cleanup,
      snippets: [Snippet("a command that cleans up", #"[{"exec": "${1:./clean-up}"}]"#)]
    ) { $0.decodeCleanup($1) }.formerly("always", hasOtherMeaning: true)
    Field(
      "expect", .the("expect"), "What must hold at the end.", \.expect,
      snippets: [
        Snippet("exit code and output", #"{"exit": 0, "stdout": {"contains": "${1:text}"}}"#)
      ]
    ) { $0.decodeExpectations($1) }
    Field(
      "explore", .the("explore"),
      """
      Which faults `scenario explore` tries, one run each; nothing said is what suits most \
      programs.
      """, \.explore
    ) { $0.decodeExploration($1) }
    Field(
      "override", .oneOrMore(.words(ScenarioBody.inheritedKeys)),
      """
      Keys of which nothing is inherited, be it from the file's top or from what `include` brings: what is said here \
      stands alone.
      """, \.override
    ) { $0.decodeOverride($1) }
    Field(
      "exclusive", .either(.truth, .oneOrMore(.name)),
      """
      Names of what the scenario needs for itself: scenarios that share one never run at once; \
      true lets nothing else run meanwhile.
      """, \.execution.exclusive
    ) { $0.decodeExclusivity($1) }
    Field(
      "grace", .duration,
      "How long processes may take to end after SIGTERM before they are killed; 5s if not said.",
      \.execution.grace
    ) { $0.decodeDelay($1, "grace") }
    Field(
      "leaks", .word(),
      "What it means if processes outlive the target: fail, warn (if not said), or ignore.",
      \.execution.leak
    ).formerly("leak")
    Field(
      "retries", .count(0...ScenarioDecoder.retryLimit),
      "How often the scenario is tried again if it does not pass.", \.execution.retries)
  }

  static let file = MapGrammar<ScenarioBody>(
    LanguageDescription.rootName,
    """
    Scenarios for an executable: what time it is, what the network answers, which calls fail, and what \
    must come out.
    """, rules: [.atMostOne(["steps", "scenarios"])]
  ) {
    Field(
      "version", .constant(.integer(LanguageVersion.current)), "The language's version.",
      isRequired: true)
    Field(
      "include", .list(of: .text, atLeast: 1),
      """
      Other files whose responses, chaos, factories, sequences and target are a fallback behind \
      this file's own.
      """
    ).formerly("use")
    Field(
      "folder", .text, "The folder that paths in the file count from, seen from the file's own.")
    Field(
      "blocks", .map(of: .the("block")),
      "Steps, expectations, targets, clocks and responses by name, for use by `block`.",
      snippets: [
        Snippet(
          "steps with a parameter",
          #"{"${1:login}": {"params": ["user"], "steps": [{"run": ["${{ with.user }}"]}]}}"#)
      ])
    Field("secrets", .the("secrets"), "What no report shows, whatever prints it.")
    Field(
      "scenarios", .list(of: .the("scenario"), atLeast: 1),
      "The scenarios; a file with one may put its steps at the top.",
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
    One scenario. What the file's top says holds for it as well: maps are joined key by key, entries of `responses`, \
    `chaos` and `tags` are added, everything else is replaced, and so is what `override` names.
    """
  ) {
    scenarioFields.map { field in
      var field = field
      field.key.isRequired = field.key.name == "name"
      return field
    }
  }

  static let skip = MapGrammar<Void>("skip", "When and why a scenario is not run.") {
    Field(
      "if", .either(.truth, .text),
      "Whether the scenario is skipped: true, false, or an expression that gives one.",
      isRequired: true)
    Field("reason", .name, "Why, as reports show it.", isRequired: true)
  }
}
