import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

/// Messages are read by people: each text is fixed to the letter.
@Suite struct MessageTests {
  @Test("An unknown key")
  func unknownKey() {
    #expect(
      messages(
        "version: 2\nchaos:\n  - call: fsync\n    whre: { path: a }\n    provide: { error: EIO }\n")
          == """
          trial.yaml:4:5: error[E021]: unknown key "whre" in an entry of "chaos"
            |
          4 |     whre: { path: a }
            |     ^^^^
          help: did you mean "where"? allowed keys: except, process, provide, when, where and 7 more

          """)
  }

  @Test(
    "A key that belongs elsewhere, and one that is called otherwise here",
    arguments: [
      (
        "files: { a: text }",
        "write files that the target reads in `target: { files: … }`, and files that it must create in "
      ),
      (
        "network: { responses: [] }",
        "\"responses\" belongs to a scenario or a step; allowed keys: "
      ),
      ("expect: { exit_code: 3 }", "did you mean \"exit\"? allowed keys: "),
      ("expect: { stdout: { regex: a } }", "did you mean \"matches\"? allowed keys: "),
      ("target: { cwd: / }", "write \"working_directory: /\""),
    ])
  func keyElsewhere(line: String, help: String) {
    #expect(messages("version: 2\n\(line)\n").contains("help: \(help)"))
  }

  @Test("A list where one text is meant")
  func severalTexts() {
    #expect(
      messages("version: 2\nexpect: { stdout: { matches: [a, b] } }\n") == """
        trial.yaml:2:30: error[E023]: "matches" must be one text, not a list
          |
        2 | expect: { stdout: { matches: [a, b] } }
          |                              ^^^^^^
        help: for several texts, write "all_of: [{ matches: … }, { matches: … }]"

        """)
  }

  @Test("A wrong type")
  func wrongType() {
    #expect(
      messages("version: 2\nsteps:\n  - run: --all\n") == """
        trial.yaml:3:10: error[E023]: "run" must be a list of arguments, not the text "--all"
          |
        3 |   - run: --all
          |          ^^^^^
        help: write "run: [--all]", one entry for each argument

        """)
    #expect(
      messages("version: 2\nsteps:\n  - run: curl http://a.test/\n").hasSuffix(
        """
        help: write "run: [curl, http://a.test/]", one entry for each argument; for another \
        program, define it in `targets:` and write "run: NAME", or write "exec: { command: …, in: world }"

        """))
  }

  @Test("A date where the clock's map stands")
  func dateForClock() {
    #expect(
      messages("version: 2\nclock: 2030-02-28\n") == """
        trial.yaml:2:8: error[E023]: "clock" must be a map, not the text "2030-02-28"
          |
        2 | clock: 2030-02-28
          |        ^^^^^^^^^^
        help: write "clock: { at: 2030-02-28 }"

        """)
  }

  @Test("A bad duration")
  func badDuration() {
    #expect(
      messages("version: 2\nsteps:\n  - tick: 3\n  - jump: 1:30\n") == """
        trial.yaml:3:11: error[E040]: the duration "3" has no unit
          |
        3 |   - tick: 3
          |           ^
        help: write "3s" for seconds or "3ms" for milliseconds

        trial.yaml:4:11: error[E040]: "1:30" is not a duration
          |
        4 |   - jump: 1:30
          |           ^^^^
        help: write "1m30s" or "1h30m"

        """)
  }

  @Test("A bad instant")
  func badInstant() {
    #expect(
      messages("version: 2\nclock: { at: 2026-02-29 }\n") == """
        trial.yaml:2:14: error[E041]: the instant "2026-02-29" has no day 29
          |
        2 | clock: { at: 2026-02-29 }
          |              ^^^^^^^^^^
        help: February 2026 has 28 days

        """)
  }

  @Test("A duplicate key shows both places")
  func duplicateKey() {
    #expect(
      messages("version: 2\nname: a\nseed: 1\nname: b\n") == """
        trial.yaml:4:1: error[E010]: duplicate key "name"
          |
        4 | name: b
          | ^^^^
        trial.yaml:2:1: note: the key stands here first
          |
        2 | name: a
          | ^^^^
        help: remove one of the two, or rename it

        """)
  }

  @Test("A tab in the indentation")
  func tab() {
    #expect(
      messages("version: 2\nsteps:\n\t- stop:\n") == """
        trial.yaml:3:1: error[E005]: a tab cannot indent a line
          |
        3 |     - stop:
          | ^^^^
        help: indent with spaces

        """)
  }

  @Test("An expression without its end")
  func unclosedExpression() {
    #expect(
      messages("version: 2\nbuild:\n  a: \"x ${{ b.c\"\n") == """
        trial.yaml:3:9: error[E050]: the expression has no closing "}}"
          |
        3 |   a: "x ${{ b.c"
          |         ^^^
        help: end the expression with "}}", or write "$${{" for a literal "${{"

        """)
  }

  @Test("An unknown generator")
  func unknownGenerator() {
    #expect(
      messages("version: 2\nbuild:\n  a: { $biuld: user }\n") == """
        trial.yaml:3:8: error[E068]: unknown generator "$biuld"
          |
        3 |   a: { $biuld: user }
          |        ^^^^^^
        help: did you mean "$build"? known generators: $bool, $build, $file, $list, \
        $uuid and 17 more; wrap plain data in $raw

        """)
  }

  @Test("A required key that is missing")
  func missingKey() {
    #expect(
      messages("version: 2\ntarget:\n  stdin: hello\n") == """
        trial.yaml:3:3: error[E022]: missing required key "command" in "target"
          |
        3 |   stdin: hello
          |   ^^^^^^^^^^^^
        help: add the key, as in "command: [./program, --flag]"

        """)
  }

  @Test("Two actions in one step")
  func twoActions() {
    #expect(
      messages("version: 2\nsteps:\n  - run: [a]\n    tick: 3s\n") == """
        trial.yaml:4:5: error[E086]: a step has only one action: "tick" cannot be combined with "run"
          |
        4 |     tick: 3s
          |     ^^^^
        trial.yaml:3:5: note: the step's action is here
          |
        3 |   - run: [a]
          |     ^^^
        help: write it as a separate step: "- tick: …"

        """)
  }

  @Test("A misspelled required key is reported once")
  func misspelledRequiredKey() {
    #expect(brief("vesion: 1\n") == ["1:1: unknown key \"vesion\" in the file"])
    #expect(brief("name: a\n") == ["1:1: missing required key \"version\""])
  }

  @Test("YAML 1.1 words where a number or truth value is meant")
  func oldSpellings() {
    #expect(
      messages("version: 2\nseed: 0123\nexpect: { stdout: { empty: yes } }\n") == """
        trial.yaml:2:7: error[E023]: "seed" must be a whole number, not the text "0123"
          |
        2 | seed: 0123
          |       ^^^^
        help: write 123, or 0o123 for octal

        trial.yaml:3:28: error[E023]: "empty" must be true or false, not the text "yes"
          |
        3 | expect: { stdout: { empty: yes } }
          |                            ^^^
        help: write true

        """)
  }

  @Test("An expression without quotes inside braces")
  func bareExpression() {
    #expect(
      messages("version: 2\ntarget: { command: [echo, ${{ a }}] }\n") == """
        trial.yaml:2:27: error[E007]: an expression inside {…} or […] must be in quotes
          |
        2 | target: { command: [echo, ${{ a }}] }
          |                           ^^^
        help: write "${{ … }}" with the quotes

        """)
  }

  @Test("All mistakes are reported, in file order")
  func collects() {
    #expect(
      brief("version: 3\nseed: x\nsteps:\n  - stop\n  - wiat: exit\nnmae: y\n") == [
        "1:10: unknown version \"3\"",
        "2:7: \"seed\" must be a whole number, not the text \"x\"",
        "4:5: a step must be a map, not the text \"stop\"",
        "5:5: unknown key \"wiat\" in a step",
        "6:1: unknown key \"nmae\" in the file",
      ])
  }

  @Test(
    "A word alone in place of a map is reported with the key that takes it",
    arguments: [
      ("network: offline", "write \"network: { mode: offline }\""),
      ("network: closed", "write \"network: { loopback: closed }\""),
      ("network: { trust: none }", "write \"trust: { variables: none }\""),
      ("clock: virtual", "write \"clock: { file_times: virtual }\""),
      ("files: refuse", "write \"files: { outside: refuse }\""),
      ("steps: [exit]", "write \"{ wait: exit }\""),
      // Several keys take the first, none the second.
      ("network: fail", "write \"network: { unmatched: fail }\""),
    ])
  func loneWord(line: String, help: String) {
    let found = ScenarioFile.parse(text: "version: 2\n\(line)", path: "f").diagnostics

    #expect(found.map(\.help) == [help])
  }
}
