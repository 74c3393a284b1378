import Foundations
import ScenarioModel
import Testing

@Suite struct ScenarioFileTests {
  @Test("A file holds defaults and scenarios, each with its lines")
  func readsScenarios() throws {
    let file = try #require(
      parse(
        """
        version: 2
        name: Trials
        seed: 42
        timeout: 10s
        tags: [smoke, 1]
        scenarios:
          - name: one
            steps:
              - stop:

          - name: two
            expect:
              exit: 0
        """
      ).file)

    #expect(file.name?.value == "Trials")
    #expect(file.defaults.seed?.value == 42)
    #expect(file.defaults.timeout?.value == .seconds(10))
    #expect(file.defaults.tags.map(\.value) == ["smoke", "1"])
    #expect(file.scenarios.map(\.name.value) == ["one", "two"])
    #expect(file.scenarios.map(\.range.line) == [7, 11])
    #expect(file.scenarios.map(\.lastLine) == [9, 13])
    #expect(file.scenarios[0].body.allSteps.count == 1)
    #expect(file.scenarios[1].body.steps == nil)
  }

  @Test("A file whose top has steps is one scenario")
  func readsOneScenario() throws {
    let file = try #require(parse("version: 2\nsteps: []\n").file)

    #expect(file.scenarios.isEmpty)
    #expect(file.defaults.steps?.isEmpty == true)
  }

  @Test(
    "What a file cannot say is an error",
    arguments: [
      ("seed: 1", "1:1: missing required key \"version\""),
      ("version: \"1\"", "1:10: \"version\" must be a whole number, not the text \"1\""),
      ("version: 2\nscenarios: []", "2:12: \"scenarios\" is empty"),
      // An only key that is not known may have been meant as the one that is missing.
      (
        "version: 2\nexpect: { chaos: { a: { counted: 1 } } }",
        "2:25: unknown key \"counted\" in the chaos entry \"a\""
      ),
      (
        "version: 2\ntarget: { command: [x], files: { a: { contentz: b } } }",
        "2:39: unknown key \"contentz\" in an entry of \"files\""
      ),
      (
        "version: 2\nscenarios: [ { steps: [] } ]",
        "2:14: missing required key \"name\" in a scenario"
      ),
      ("version: 2\nscenarios: [ { name: a }, { name: a } ]", "2:35: duplicate scenario \"a\""),
      (
        "version: 2\nscenarios: [ { name: a, version: 2 } ]",
        "2:25: unknown key \"version\" in a scenario"
      ),
      (
        "version: 2\nsteps: []\nscenarios: [ { name: a } ]",
        "2:1: \"steps\" at the top of the file cannot be combined with \"scenarios\""
      ),
      ("version: 2\nname: ''", "2:7: \"name\" is empty"),
      ("version: 2\nname: \"a\\nb\"", "2:7: \"name\" contains a line break or control character"),
      ("version: 2\nname: ${{ a }}", "2:7: \"name\" cannot contain an expression"),
      ("version: 2\ntimeout: 0s", "2:10: \"timeout\" must be longer than 0s"),
      ("version: 2\nseed: 1.5", "2:7: \"seed\" must be a whole number, not the number 1.5"),
      (
        "version: 2\ntarget: { command: [a], limits: { open_files: 2 } }",
        "2:47: \"open_files\" must be from 3 to 1048576, not 2"
      ),
      (
        "version: 2\ntarget: { command: [a], limits: { processes: 0 } }",
        "2:46: \"processes\" must be from 1 to 4194304, not 0"
      ),
      (
        "version: 2\ntarget: { command: [a], limits: { processes: 1.5 } }",
        "2:46: \"processes\" must be a whole number, not the number 1.5"
      ),
      (
        "version: 2\ntarget: { command: [a], limits: { memory: 100 } }",
        "2:43: \"memory\" must be at least 4KiB, not 100B"
      ),
      (
        "version: 2\ntarget: { command: [a], limits: { memory: -64MiB } }",
        "2:43: \"-64MiB\" is not a number of bytes"
      ),
      (
        "version: 2\ntarget: { command: [a], limits: { memori: 1MiB } }",
        "2:35: unknown key \"memori\" in \"limits\""
      ),
      ("version: 2\ntarget: { command: [a], limits: {} }", "2:33: \"limits\" is empty"),
      (
        "version: 2\nentropy: seed",
        "2:10: unknown value \"seed\" for \"entropy\""
      ),
      (
        "version: 2\nseed: 9223372036854775808",
        "2:7: the number 9223372036854775808 is out of range"
      ),
      ("version: 2\ntags: smoke", "2:7: \"tags\" must be a list, not the text \"smoke\""),
      ("version: 2\nmatrix: {}", "2:9: \"matrix\" is empty"),
      ("version: 2\ninclude: []", "2:10: \"include\" is empty"),
      ("- version: 2", "1:1: the file must be a map, not a list"),
    ])
  func refuses(text: String, message: String) {
    #expect(brief(text) == [message])
    #expect(parse(text).file == nil)
  }

  @Test("The mistakes behind an alias are reported once")
  func dropsRepeats() {
    let text = "version: 2\nbuild: { a: &x { y: .nan }, b: *x }\n"
    #expect(brief(text) == ["2:21: data cannot hold the number .nan"])
  }
}

@Suite struct TargetDecodingTests {
  private func decoded(_ text: String) -> TargetSettings? {
    parse("version: 2\ntarget:\n  command: [a]\n" + text).file?.defaults.target
  }

  @Test("A list is a program with arguments, a text a shell command")
  func readsCommand() throws {
    let list = parse("version: 2\ntarget: { command: [a, 1, true, \"${{ b }}\"] }").file
    guard case .arguments(let arguments)? = list?.defaults.target?.command else {
      Issue.record("not a list")
      return
    }
    #expect(
      arguments.prefix(3).map(\.content)
        == [.literal(.string("a")), .literal(.string("1")), .literal(.string("true"))])
    guard case .template = arguments[3].content else {
      Issue.record("not a template")
      return
    }
    let shell = parse("version: 2\ntarget: { command: a | b }").file
    guard case .shell(let line)? = shell?.defaults.target?.command else {
      Issue.record("not a shell command")
      return
    }
    #expect(line.content == .literal(.string("a | b")))
  }

  @Test("Environment and files are read in their order")
  func readsWorld() throws {
    let target = try #require(
      decoded(
        """
          env: { B: 1, A: no, pass: [LANG] }
          files:
            a: text
            b: { json: { x: 1 }, mode: 0755 }
            c/d: { file: ../d, mode: "0600" }
          stdin: "x"
        """))

    #expect(target.environment.map(\.key.value) == ["B", "A"])
    #expect(
      target.environment.map(\.value.content) == [.literal(.string("1")), .literal(.string("no"))])
    #expect(target.passedEnvironment.map(\.value) == ["LANG"])
    #expect(target.files.map(\.path.value) == ["a", "b", "c/d"])
    #expect(target.files.map(\.mode?.value) == [nil, 0o755, 0o600])
    #expect(target.standardInput?.content == .literal(.string("x")))
  }

  @Test(
    "What a target cannot say is an error",
    arguments: [
      ("  env: { A: }", "4:13: \"A\" must be a text, not nothing"),
      ("  env: { A: [1] }", "4:13: \"A\" must be a text, not a list"),
      ("  env: { A=B: 1 }", "4:10: \"A=B\" cannot name an environment variable"),
      ("  env: { A: \"\\0\" }", "4:13: \"A\" contains a NUL character"),
      ("  files: { ../a: b }", "4:12: \"../a\" is not a path in the scenario's directory"),
      ("  files: { /a: b }", "4:12: \"/a\" is not a path in the scenario's directory"),
      ("  files: { a/: b }", "4:12: \"a/\" is not a path in the scenario's directory"),
      ("  files: { a: { mode: 0755 } }", "4:15: the file \"a\" has no content"),
      (
        "  files: { a: { text: b, json: c } }",
        "4:26: \"json\" cannot be combined with \"text\" in an entry of \"files\""
      ),
      (
        "  files: { a: { kind: file } }",
        "4:23: \"file\" is not a kind of file that a scenario can create"
      ),
      ("  files: { a: { symlink: b, mode: 0600 } }", "4:35: a symbolic link has no mode"),
      (
        "  files: { a: { symlink: b, kind: folder } }",
        "4:29: \"kind\" cannot be combined with \"symlink\" in an entry of \"files\""
      ),
      ("  files: { a: { text: b, mode: 0788 } }", "4:32: \"0788\" is not a file mode"),
      ("  terminl: 80x24", "4:3: unknown key \"terminl\" in \"target\""),
    ])
  func refuses(text: String, message: String) {
    #expect(brief("version: 2\ntarget:\n  command: [a]\n" + text) == [message])
  }

  @Test("A target is a map with a command")
  func refusesOtherForms() {
    #expect(brief("version: 2\ntarget: [date]") == ["2:9: \"target\" must be a map, not a list"])
    #expect(brief("version: 2\ntarget: { command: [] }") == ["2:20: \"command\" is empty"])
    #expect(
      brief("version: 2\ntarget: { command: {} }")
        == ["2:20: \"command\" must be a list or a text, not a map"])
  }
}

@Suite struct ClockDecodingTests {
  @Test("A clock has an instant and a flow, if it says so")
  func readsClock() throws {
    let clock = parse("version: 2\nclock: { at: 1955-11-12T06:38:00Z, flow: held }").file?.defaults
      .clock
    #expect(clock?.at?.value.description == "1955-11-12T06:38:00Z")
    #expect(clock?.flow?.value == .held)
    let empty = parse("version: 2\nclock: {}").file?.defaults.clock
    #expect(empty != nil && empty?.flow == nil)
  }

  @Test("What a clock does not say is taken from the one above it")
  func defaults() throws {
    let above = parse("version: 2\nclock: { flow: auto, file_times: virtual }").file?.defaults.clock
    let own = parse("version: 2\nclock: { file_times: real, settable: true }").file?.defaults.clock
    let clock = try #require(own?.over(above))

    #expect(clock.flow?.value == .auto)
    #expect(clock.files == .real)
    #expect(clock.isSettable == true)
    #expect(clock.escapes == nil)
  }

  @Test("A shift or an unknown flow is an error")
  func refuses() {
    #expect(
      brief("version: 2\nclock: { at: +14d }")
        == ["2:14: \"+14d\" is another instant each time it is read"])
    #expect(
      brief("version: 2\nclock: { flow: fast }")
        == ["2:16: unknown value \"fast\" for \"flow\""])
  }

  @Test("A clock says how it flows, and what the target may do to it")
  func readsTheRest() throws {
    let text = "clock: { flow: x0.5, settable: true, file_times: virtual, escapes: allow }"
    let clock = try #require(parse("version: 2\n\(text)").file?.defaults.clock)

    #expect(clock.flow?.value == .rate(try ClockRate(text: "x0.5")))
    #expect(clock.isSettable == true)
    #expect(clock.files == .virtual)
    #expect(clock.escapes == .allow)
  }
}
