import Foundations
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning steps and expectations")
struct StepPlanningTests {
  private func errors(_ rest: String) throws -> [String] {
    try Samples.errors("target: { command: [x] }\n" + rest).map(\.message)
  }

  @Test("A step on time gives the case a clock")
  func clock() throws {
    let timed = try Samples.onlyCase(
      "target: { command: [x] }\nsteps: [{ travel: 1985-10-26 }, { run: [] }]")
    let untimed = try Samples.onlyCase("target: { command: [x] }\nsteps: [{ run: [] }]")

    #expect(timed.clock == PlannedClock(at: nil, flow: .real))
    #expect(untimed.clock == nil)
  }

  @Test(
    "Nothing is expected of a target that no step has started, and one that none starts is warned of",
    arguments: [
      ("expect: { exit: 0 }", [#"no step starts "b""#], []),
      ("steps: [{ run: }, { run: b }]", [], []),
      ("steps: [{ run: }, { if: false, run: b }]", [], []),
      (
        "steps: [{ run: }, { travel: { to: 2030-01-01T00:00:00Z, steps: [{ run: b }] } }]", [], []
      ),
      ("steps: [{ run: }]\ncleanup: [{ run: b }]", [], []),
      (
        "steps: [{ run: }, { if: false, start: b }, { if: false, expect: { targets: { b: { stdout: x } } } }]",
        [], []
      ),
      (
        "steps: [{ expect: { targets: { b: { stdout: { empty: true } } } } }, { run: }, { run: b }]",
        [], [#"no step starts "b" before this"#]
      ),
      (
        "expect: { targets: { b: { stdout: { empty: true } } } }", [#"no step starts "b""#],
        [#"no step starts "b" before this"#]
      ),
      (
        "expect: { eventually: { within: 1s, targets: { b: { stdout: { empty: true } } } } }",
        [#"no step starts "b""#], [#"no step starts "b" before this"#]
      ),
      (
        "steps: [{ run: , expect: { targets: { b: { stderr: { empty: true } } } } }, { run: b }]",
        [],
        [#"no step starts "b" before this"#]
      ),
      ("steps: [{ run: b, expect: { targets: { b: { stderr: { empty: true } } } } }]", [], []),
    ])
  func unstarted(rest: String, warnings: [String], errors: [String]) throws {
    let found = try Samples.plan(
      "target: { command: [x] }\ntargets: { b: { command: [y] } }\n\(rest)"
    ).diagnostics

    #expect(found.filter { $0.severity == .warning }.map(\.message) == warnings)
    #expect(found.filter { $0.severity == .error }.map(\.message) == errors)
  }

  @Test("Targets of the file's top may be for other scenarios, those of a scenario's own are not")
  func unstartedOfSeveral() throws {
    let found = try Samples.plan(
      """
      target: { command: [x] }
      targets: { b: { command: [y] } }
      scenarios:
        - { name: one, targets: { c: { command: [z] } }, expect: { exit: 0 } }
        - { name: two, steps: [{ run: b }] }
      """
    ).diagnostics

    #expect(found.map(\.message) == [#"no step starts "c""#])
  }

  @Test("A signal is known with and without SIG")
  func signals() throws {
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\nsteps: [{ start: }, { signal: SIGHUP }, { signal: TERM }]")

    #expect(
      planned.steps.dropFirst().map(\.action)
        == [.signal(name: "HUP", number: 1), .signal(name: "TERM", number: 15)])
  }

  @Test(
    "Steps that cannot work are refused",
    arguments: [
      ("steps: [{ stop: }]", "no target has been started yet"),
      ("steps: [{ send: a }, { run: }]", "no target has been started yet"),
      ("steps: [{ run: }, { send: a }]", "the target has ended before this step"),
      ("steps: [{ start: }, { stop: }, { signal: TERM }]", "the target has ended before this step"),
      ("steps: [{ start: }, { run: }]", "the target is still running"),
      ("steps: [{ start: }, { start: }]", "the target is still running"),
      ("steps: [{ travel: 1985-10-26 }]", "no step starts the target"),
      ("steps: [{ start: }, { wait: { stdout: '(' } }]", "is not a regular expression"),
      ("steps: [{ start: }, { signal: TREM }]", "unknown signal \"TREM\""),
    ])
  func refused(steps: String, message: String) throws {
    let found = try errors(steps)

    #expect(found.contains { $0.contains(message) }, "\(found)")
  }

  @Test(
    "Where no step starts the target, the help is for the step that would, and for none",
    arguments: [
      ("{ run: , if: false }", "the \"if\" of each step"), ("{ jump: 1d }", "add \"- run:\""),
      ("{ freeze: { steps: [{ start: , if: false }] } }", "the \"if\" of each step"),
    ])
  func withoutStart(step: String, help: String) throws {
    let found = try Samples.errors("target: { command: [x] }\nsteps: [\(step)]")

    #expect(found.contains { $0.help?.hasPrefix(help) ?? false }, "\(found)")
  }

  @Test(
    "Steps that can work are accepted",
    arguments: [
      "steps: [{ start: }, { send: a }, { close: stdin }, { wait: exit }, { run: }]",
      "steps: [{ start: }, { signal: TERM }, { start: }]",
      "steps: [{ run: }, { wait: { stdout: a } }]",
      "steps: [{ start: }, { travel: { to: 1955-11-12, steps: [{ stop: }] } }, { run: }]",
    ])
  func accepted(steps: String) throws {
    _ = try Samples.onlyCase("target: { command: [x] }\n" + steps)
  }

  @Test("An expectation on requests brings the network, unless it is live")
  func requests() throws {
    let expect = "expect: { requests: [{ request: POST /orders, count: 1 }] }"
    let offline = try Samples.onlyCase("target: { command: [x] }\n" + expect)

    #expect(offline.network?.responses == [])
    #expect(
      try errors("network: { mode: live }\n" + expect)
        == ["requests cannot be checked: the network is live"])
  }

  @Test("An expectation on requests keeps its count and the times between")
  func requestDetails() throws {
    let planned = try Samples.onlyCase(
      """
      target: { command: [x] }
      expect: { requests: [{ request: "POST /orders/{id}", count: 3, intervals: [1s, 2s] }] }
      """)

    guard
      case .request(let line, let count, let intervals)? = planned.expect.first?.subject
    else {
      Issue.record("no request")
      return
    }
    #expect(line.methods == ["POST"])
    #expect(line.url?.path == "/orders/{id}")
    #expect(line.pattern == nil)
    #expect(count != nil)
    #expect(intervals?.map(\.expectedText) == ["1s", "2s"])
  }

  @Test("Responses of a live network are refused, a live network alone is left alone")
  func live() throws {
    let live = try Samples.onlyCase("target: { command: [x] }\nnetwork: { mode: live }")

    #expect(live.network?.mode == .live)
    #expect(
      try errors("network: { mode: live }\nresponses: [{ GET https://h/: { text: x } }]")
        == ["the response \"GET https://h/\" is never used: the network is live"])
  }

  @Test(
    "A mistake in an expectation is refused",
    arguments: [
      ("chaos: { jurnal: { fired: 1 } }", "unknown chaos entry \"jurnal\""),
      ("requests: [{ request: post /x }]", "\"post\" is not a method"),
      ("stdout: { matches: '[' }", "is not a regular expression"),
      ("stdout: { json: { $.a.: 1 } }", "is not a path"),
      (
        "stdout: { less_than: '${{ build.word }}' }",
        "cannot compare numbers or durations with \"soon\""
      ),
      ("exit: { between: [3, 2] }", "the range from 3 to 2 is empty"),
      ("files: { /etc/x: { absent: true } }", "the path \"/etc/x\" is absolute"),
      ("files: { ~/x: { absent: true } }", "\"~\" is not replaced in \"~/x\""),
      ("files: { '${HOME}/x': { absent: true } }", "\"${HOME}\" is not replaced"),
      ("files: { $home/x/: { exists: true } }", "\"$home\" is not replaced"),
      ("signal: NOPE", "unknown signal \"NOPE\""),
    ])
  func expectations(expect: String, message: String) throws {
    let found = try errors(
      """
      build: { word: soon }
      chaos: [{ name: journal, call: fsync, provide: { error: EIO } }]
      expect: { \(expect) }
      """)

    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(message) == true, "\(found)")
  }

  @Test("All mistakes of a file are reported at once")
  func all() throws {
    let found = try errors(
      """
      seed: 1
      responses: [{ "GET https://h/{": { text: x } }]
      chaos: [{ call: nope, provide: { error: NOPE } }]
      steps: [{ stop: }]
      expect: { signal: NOPE }
      """)

    #expect(found.count >= 5, "\(found)")
  }
}
