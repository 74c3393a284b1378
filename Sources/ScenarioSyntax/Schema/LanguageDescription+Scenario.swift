internal import Foundations
internal import ScenarioModel

extension LanguageDescription {
  /// The name of the definition that is the schema itself.
  static let rootName = "file"

  /// What a scenario may say, at the top of a file and in an entry of `scenarios:`.
  private static let scenarioKeys = [
    LanguageKey(
      "name", .name,
      """
      The scenario's name, unique within the file; at the top, the file's name stands in where \
      it is missing.
      """),
    LanguageKey(
      "target", .the("target"), "The executable under test.",
      snippets: [Snippet("a program and its arguments", #"{"command": ["${1:./program}"]}"#)]),
    LanguageKey(
      "targets", .map(keys: targetName, of: .the("target")),
      "More executables under test, by the names that steps call them by; all live in one world.",
      snippets: [
        Snippet("a target with a name", #"{"${1:api}": {"command": ["${2:./program}"]}}"#)
      ]),
    LanguageKey("clock", .the("clock"), "What time it is, and how it passes."),
    LanguageKey(
      "files", .the("files"), "What the target may do to files that are not the scenario's own."),
    LanguageKey("seed", .integer, "The number that all random values derive from."),
    LanguageKey(
      "entropy", .words(of: EntropyMode.self),
      "Where the target's own random numbers come from: the machine, or the seed."),
    LanguageKey("timeout", .duration, "The bound on the whole scenario, in real time."),
    LanguageKey("tags", .list(of: .text), "Words by which scenarios are selected."),
    LanguageKey(
      "matrix", .the("matrix"),
      """
      One case for each row: lists that are combined, or rows written out; `${{ matrix.NAME }}` \
      names a value.
      """),
    LanguageKey("skip", .map(.the("skip"), or: .name), "Why the scenario is not run."),
    LanguageKey(
      "only", .truth, "Whether nothing else is run; refused where the variable CI is set."),
    LanguageKey("factories", .map(of: .the("factory")), "Factories by name."),
    LanguageKey(
      "sequences", .map(of: .map(.the("sequence"), or: .integer)),
      "Sequences that `$next` draws from, by name."),
    LanguageKey("allow_readonly", .truth, "Whether `with` may set readonly fields of factories."),
    LanguageKey("build", .fields, "Objects by name, for ${{ build.NAME }}."),
    LanguageKey("network", .the("network"), "How the target's network is treated."),
    LanguageKey(
      "responses", .list(of: .the("response")),
      "What the stand-in answers, in order of precedence.",
      snippets: [
        Snippet("a reply", #"[{"GET https://${1:host}/${2:path}": {"json": {}}}]"#),
        Snippet(
          "a queue of replies",
          #"[{"request": "GET https://${1:host}/${2:path}", "replies": [{"status": 503}, {"json": {}}]}]"#
        ),
        Snippet("a GraphQL reply", #"[{"query": "${1:Name}", "reply": {"data": {}}}]"#),
      ]),
    LanguageKey(
      "chaos", .list(of: .the("chaos")),
      "Calls that go wrong; the first entry that matches and is due wins.",
      snippets: [
        Snippet("a call fails", #"[{"call": "${1:fsync}", "provide": {"error": "${2:EIO}"}}]"#),
        Snippet(
          "a link is slow",
          #"[{"link": "${1:api.example.com}", "provide": {"latency": "${2:2s}"}}]"#),
      ]),
    LanguageKey(
      "steps", .list(of: .the("step")), "What happens, in order.",
      snippets: [
        Snippet("run to the end", #"[{"run": null, "expect": {"exit": 0}}]"#),
        Snippet(
          "start, let time pass, stop", #"[{"start": null}, {"tick": "${1:1h}"}, {"stop": null}]"#),
      ]),
    LanguageKey(
      "always", .list(of: .the("step"), atLeast: 1),
      """
      Steps that run whatever happened, also behind a failure, a timeout or an interruption; each has the case's \
      time for itself, ten seconds at least.
      """,
      snippets: [Snippet("a command that cleans up", #"[{"exec": "${1:./clean-up}"}]"#)]),
    LanguageKey(
      "expect", .the("expect"), "What must hold at the end.",
      snippets: [
        Snippet("exit code and output", #"{"exit": 0, "stdout": {"contains": "${1:text}"}}"#)
      ]),
    LanguageKey(
      "explore", .the("explore"),
      """
      Which faults `scenario explore` tries, one run each; nothing said is what suits most \
      programs.
      """),
    LanguageKey(
      "exclusive", .either(.truth, .oneOrMore(.name)),
      """
      Names of what the scenario needs for itself: scenarios that share one never run at once; \
      true lets nothing else run meanwhile.
      """),
    LanguageKey(
      "grace", .duration,
      "How long processes may take to end after SIGTERM before they are killed; 5s if not said."),
    LanguageKey(
      "leak", .words(of: LeakRule.self),
      "What it means if processes outlive the target: fail, warn (if not said), or ignore."),
    LanguageKey(
      "retries", .integer(0...Int64(ScenarioDecoder.retryLimit)),
      "How often the scenario is tried again if it does not pass."),
  ]

  /// What stands in a file beside the defaults of its scenarios.
  private static let fileKeys = [
    LanguageKey("version", .constant(.integer(1)), "The language's version.", isRequired: true),
    LanguageKey(
      "use", .list(of: .text, atLeast: 1),
      """
      Other files whose responses, chaos, factories, sequences and target are a fallback behind \
      this file's own.
      """),
    LanguageKey(
      "folder", .text, "The folder that paths in the file count from, seen from the file's own."),
    LanguageKey("secrets", .the("secrets"), "What no report shows, whatever prints it."),
    LanguageKey(
      "scenarios", .list(of: .the("scenario"), atLeast: 1),
      "The scenarios; a file with one may put its steps at the top.",
      snippets: [
        Snippet(
          "a scenario",
          #"[{"name": "${1:what happens}", "steps": [{"run": null}], "expect": {"exit": 0}}]"#)
      ]),
  ]

  /// The definitions of a file and its scenarios.
  static let scenarioDefinitions: [LanguageDefinition] = [
    .map(
      rootName,
      """
      Scenarios for an executable: what time it is, what the network answers, which calls fail, and what \
      must come out.
      """, fileKeys + scenarioKeys, rules: [.atMostOne(["steps", "scenarios"])]),
    .map(
      "scenario", "One scenario; what the file's top says is its default.",
      scenarioKeys.map { key in
        var key = key
        key.isRequired = key.name == "name"
        return key
      }),
    .shape(
      "matrix", "The rows of a scenario, each of which is a case.",
      .either(.map(keys: matrixName, of: .list(of: .anything, atLeast: 1)), .the("matrixRows"))),
    .shape(
      "matrixRows", "Rows that are written out.",
      .list(of: .map(keys: matrixName, of: .anything), atLeast: 1)),
    .map(
      "skip", "When and why a scenario is not run.",
      [
        LanguageKey(
          "if", .either(.truth, .text),
          "Whether the scenario is skipped: true, false, or an expression that gives one.",
          isRequired: true),
        LanguageKey("reason", .name, "Why, as reports show it.", isRequired: true),
      ]),
  ]

  /// What steps can call a target.
  static let targetName = "^[A-Za-z_][A-Za-z0-9_-]*$"

  /// What expressions can call a value of a row, or a capture.
  static let matrixName = "^[A-Za-z_][A-Za-z0-9_]*$"
}
