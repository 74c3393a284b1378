import Foundations
import ScenarioModel
import ScenarioSyntax
import Testing

@Suite struct StepDecodingTests {
  private func steps(_ list: String) throws -> [Step] {
    try #require(parse("version: 2\nsteps:\n" + list).file).defaults.allSteps
  }

  @Test("Every action is read")
  func readsActions() throws {
    let steps = try steps(
      """
        - run: [a, 1]
        - run:
        - start: []
        - stop:
        - signal: SIGHUP
        - send: "x"
        - close: stdin
        - wait: exit
        - wait: { stdout: 'a+' }
        - wait: { stderr: b }
        - travel: +14d
        - jump: -1d
        - freeze:
        - freeze: 1955-11-12
        - tick: 3s
        - tick: next
        - tick: idle
        - wait: idle
        - suspend: 8h
        - rate: x60
        - travel: tomorrow 09:00
        - freeze: Monday
        - return:
        - expect: { exit: 0 }
      """)

    #expect(
      steps.map { describe($0.action) } == [
        "run 2", "run 0", "start 0", "stop", "signal HUP", "send", "close", "wait exit",
        "wait output a+", "wait error b", "travel +14d", "jump -1d", "freeze",
        "freeze 1955-11-12T00:00:00Z", "tick 3s", "tick next", "tick idle", "settle",
        "suspend 8h", "rate x60", "travel tomorrow 9h", "freeze monday 0s", "return", "expect",
      ])
    #expect(steps[0].keyword.value == "run")
    #expect(steps[0].keyword.range.column == 5)
  }

  @Test("Blocks nest")
  func readsBlocks() throws {
    let steps = try steps(
      """
        - travel:
            to: 1955-11-12
            steps:
              - jump: { by: 1s, steps: [ { freeze: { at: +1d, steps: [ stop: ] } } ] }
        - freeze: { steps: [ stop: ] }
        - rate: { to: x0.5, steps: [ wait: idle ] }
      """)

    #expect(
      steps.map { describe($0.action) } == [
        "{travel 1955-11-12T00:00:00Z: {jump 1s: {freeze +1d: stop}}}", "{freeze: stop}",
        "{rate x0.5: settle}",
      ])
  }

  @Test("A step carries a name and expectations")
  func readsCompany() throws {
    let step = try steps("  - { name: first, run: [], expect: { exit: 1 } }")[0]

    #expect(step.name?.value == "first")
    #expect(step.expect?.entries.count == 1)
  }

  @Test(
    "What a step cannot say is an error",
    arguments: [
      ("run: --all", "\"run\" must be a list of arguments, not the text \"--all\""),
      ("run: [[a]]", "an entry of \"run\" must be a text, not a list"),
      ("run: [\"a\\0\"]", "an entry of \"run\" contains a NUL character"),
      ("run: { args: x }", "\"args\" must be a list of arguments, not the text \"x\""),
      ("run: {}", "\"run\" is empty"),
      ("stop: [a]", "\"stop\" must be a text, not a list"),
      ("exec: []", "\"exec\" is empty"),
      ("exec: { comand: a }", "unknown key \"comand\" in \"exec\""),
      ("build: {}", "\"build\" is empty"),
      ("build: bob", "\"build\" must be a map, not the text \"bob\""),
      ("build: { bob: { $bild: user } }", "unknown generator \"$bild\""),
      ("write: a.txt", "\"write\" must be a map, not the text \"a.txt\""),
      ("write: { path: a }", "the file \"a\" has no content"),
      ("signal: term", "\"term\" is not a signal name"),
      ("signal: 15", "\"15\" is not a signal name"),
      ("close: stdlog", "unknown value \"stdlog\" for \"close\""),
      ("wait: 3s", "\"wait\" must be exit, idle or a map, not the text \"3s\""),
      ("wait: {}", "\"wait\" has no condition to wait for"),
      (
        "wait: { stdout: a, stderr: b }",
        "\"stderr\" cannot be combined with \"stdout\" in \"wait\""
      ),
      ("travel: 14d", "\"14d\" is a duration, not an instant"),
      ("travel: { to: 1955-11-12 }", "missing required key \"steps\" in \"travel\""),
      ("travel: { steps: [ run: ] }", "missing required key \"to\" in \"travel\""),
      ("jump: { by: 1, steps: [ run: ] }", "the duration \"1\" has no unit"),
      ("tick: -3s", "\"tick\" must not be negative"),
      ("tick: nxt", "\"nxt\" is not a duration, and neither next nor idle"),
      ("name: x", "the step has no action"),
      ("settle: 3s", "\"settle\" is a key of version 1 of the language"),
      ("suspend: -3s", "\"suspend\" must not be negative"),
      ("suspend:", "\"suspend\" must be a duration, not nothing"),
      ("rate: 60", "\"60\" is not a rate"),
      ("rate: { to: x60 }", "missing required key \"steps\" in \"rate\""),
      ("responses:", "\"responses\" must be a list, not nothing"),
      ("responses: []", "\"responses\" is empty"),
      ("responses: [{ GET http://h/x: { sttaus: 200 } }]", "unknown key \"sttaus\" in a reply"),
      ("sttle:", "unknown key \"sttle\" in a step"),
    ])
  func refuses(step: String, message: String) {
    let all = ScenarioFile.parse(text: "version: 2\nsteps:\n  - \(step)\n", path: "f").diagnostics
    #expect(all.map(\.message) == [message])
  }

  private func describe(_ action: Step.Action) -> String {
    switch action {
    case .run(let arguments): "run \(arguments.count)"
    case .start(let arguments): "start \(arguments.count)"
    case .stop: "stop"
    case .signal(let name): "signal \(name.value)"
    case .send: "send"
    case .closeStandardInput: "close"
    case .wait(.exit): "wait exit"
    case .wait(.output(let expression)): "wait output \(expression.value)"
    case .wait(.errorOutput(let expression)): "wait error \(expression.value)"
    case .wait(.screen(let expression)): "wait screen \(expression.value)"
    case .respond(let entries): "respond \(entries.map(\.name))"
    case .set(let fields): "set \(fields.map(\.key.value))"
    case .resolve(let records): "resolve \(records.map(\.name.value))"
    case .travel(let instant): "travel \(describe(instant.value))"
    case .jump(let duration): "jump \(duration.value)"
    case .adjust(let length, let time):
      "adjust by \(length.value)" + (time.map { " over \($0.value)" } ?? "")
    case .freeze(let instant): "freeze" + (instant.map { " " + describe($0.value) } ?? "")
    case .tick(let amount):
      switch amount.value {
      case .duration(let duration): "tick \(duration)"
      case .next: "tick next"
      case .idle: "tick idle"
      }
    case .settle: "settle"
    case .press(let keys): "press \(keys.map(\.name))"
    case .resize(let size): "resize \(size)"
    case .pause(let bound): "pause \(bound.map { "\($0.value)" } ?? "")"
    case .suspend(let duration): "suspend \(duration.value)"
    case .rate(let rate): "rate \(rate.value)"
    case .apply(let selection, _): "apply \(selection.value)"
    case .revert(let selection): "revert \(selection.value)"
    case .partition(let groups): "partition \(groups.map { $0.map(\.value) })"
    case .heal(let selection): "heal \(selection.value)"
    case .returnToPresent: "return"
    case .block(let action, let during):
      "{\(describe(action)): \(during.map { describe($0.action) }.joined(separator: "; "))}"
    case .expect: "expect"
    case .closeOutput(let stream): "close \(stream.rawValue)"
    case .signalProcess(let name, let process): "signal \(name.value) to \(process.value)"
    case .exec(let helper): "exec, \(helper.captures.count) captures"
    case .write(let file): "write \(file.path.value)"
    case .build(let fields): "build \(fields.map(\.key.value))"
    case .capture(let rules):
      "capture "
        + rules.map { "\($0.name.value)=\($0.source.rawValue) \(describe($0.pattern))" }
        .joined(separator: ", ")
    }
  }

  private func describe(_ pattern: CaptureRule.Pattern) -> String {
    switch pattern {
    case .expression(let text): text.value
    case .json(let path): "json \(path.value)"
    }
  }

  private func describe(_ instant: InstantExpression) -> String {
    switch instant {
    case .absolute(let instant): "\(instant)"
    case .shift(let shift): shift < .zero ? "\(shift)" : "+\(shift)"
    case .day(let day, at: let time): "\(day.rawValue) \(time)"
    }
  }
}
