import Foundations
import Patterns
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("Planning time")
struct TimePlanningTests {
  private let target = "target: { command: [x] }\n"

  @Test("What a file says of its clock is in the plan, and in the plan's text as it was written")
  func clock() throws {
    let planned = try Samples.onlyCase(
      target + "clock: { flow: x60, settable: true, file_times: virtual, escapes: allow }")

    #expect(
      planned.clock
        == PlannedClock(
          at: nil, flow: .rate(try ClockRate(text: "x60")), isSettable: true, files: .virtual,
          escapes: .allow))
    let plan = ExecutionPlan(cases: [planned])
    let text = try plan.jsonText()
    #expect(text.contains("\"flow\" : \"x60\""))
    #expect(try ExecutionPlan(jsonText: text) == plan)
    #expect(
      planned.summary().contains(
        "  clock      now, flow x60, settable, files virtual, escapes allow"))
  }

  @Test(
    "What computing costs is in the plan, and in its text",
    arguments: [
      ("free", nil, "", "free"), ("real", .zero, "x1", "real"), ("x1", .zero, "x1", "real"),
      ("x0.5", .zero, "x0.5", "x0.5"), ("{ after: 2s }", .seconds(2), "x1", "x1 after 2s"),
      ("{ rate: x3 }", .seconds(1), "x3", "x3 after 1s"),
    ] as [(String, Nanoseconds?, String, String)])
  func computing(value: String, after: Nanoseconds?, rate: String, text: String) throws {
    let planned = try Samples.onlyCase(target + "clock: { flow: auto, computing: \(value) }")
    let cost =
      try after.map { .charged(after: $0, rate: try ClockRate(text: rate)) } ?? ComputingCost.free

    #expect(planned.clock?.computing == cost)
    #expect(planned.summary().contains("  clock      now, flow auto, computing \(text)"))
    let plan = ExecutionPlan(cases: [planned])
    #expect(try ExecutionPlan(jsonText: try plan.jsonText()) == plan)
  }

  @Test("Where nothing is said of computing, the plan's text is as it was before")
  func noComputing() throws {
    let planned = try Samples.onlyCase(target + "clock: { flow: auto }")

    #expect(planned.clock?.computing == nil)
    #expect(try !ExecutionPlan(cases: [planned]).jsonText().contains("computing"))
  }

  @Test(
    "Where the clock flows, what computing costs changes nothing, and is refused",
    arguments: [("flow: real, ", 1), ("flow: x60, ", 1), ("", 1), ("flow: held, ", 0)])
  func idleComputing(flow: String, count: Int) throws {
    let result = try Samples.plan(target + "clock: { \(flow)computing: free }")

    #expect(result.diagnostics.map(\.code) == Array(repeating: .noEffect, count: count))
  }

  @Test("Slack is in the plan")
  func slack() throws {
    let planned = try Samples.onlyCase(target + "clock: { flow: auto, slack: 10s }")

    #expect(planned.clock?.slack == .seconds(10))
    #expect(planned.summary().contains("  clock      now, flow auto, slack 10s"))
  }

  @Test(
    "Slack that says nothing, changes nothing, or is as long as what is expected is refused",
    arguments: [
      ("clock: { flow: real, slack: 1s }", DiagnosticCode.noEffect),
      ("clock: { slack: 1s }", .noEffect),
      ("clock: { flow: auto, slack: 30s }\nexpect: { watchdog: { within: 30s } }", .outOfRange),
      (
        "clock: { flow: auto, slack: 30s }\nexpect: { timers: { at_least: 5s, count: 1 } }",
        .outOfRange
      ),
    ])
  func badSlack(text: String, code: DiagnosticCode) throws {
    let result = try Samples.plan(target + text)

    #expect(result.diagnostics.map(\.code) == [code])
  }

  @Test("What a file says of slack for all is no mistake of those that it does not concern")
  func defaultSlack() throws {
    let result = try Samples.plan(
      target
        + """
        clock: { flow: auto, slack: 10s }
        scenarios:
          - { name: a, clock: { flow: x60 } }
          - { name: b, clock: { slack: 0s }, expect: { watchdog: { within: 5s } } }
        """)

    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    #expect(result.plan?.cases.map { $0.clock?.slack } == [nil, .zero])
  }

  @Test("What is expected of a watchdog is in the plan, and the shortest bound is the target's")
  func watchdog() throws {
    let planned = try Samples.onlyCase(
      """
      targets: { a: { command: [a] }, b: { command: [b] } }
      clock: { flow: auto }
      steps:
        - start: a
        - start: b
        - { tick: 1h, expect: { targets: { b: { watchdog: { within: 20s } } } } }
      expect: { targets: { a: { watchdog: { within: 1m } }, b: { watchdog: { within: 30s } } } }
      """)

    #expect(planned.watchdog(ofTarget: 0) == .seconds(60))
    #expect(planned.watchdog(ofTarget: 1) == .seconds(20))
    #expect(planned.watchdog(ofTarget: 2) == nil)
    #expect(
      planned.summary().contains("  expect     b: watchdog within 30s"), "\(planned.summary())")
  }

  @Test("A watchdog needs some time")
  func watchdogWithoutTime() throws {
    let result = try Samples.plan(target + "expect: { watchdog: { within: 0s } }")

    #expect(result.diagnostics.map(\.code) == [.outOfRange])
  }

  @Test("The order of threads is in the plan where the seed decides it, and nowhere else")
  func order() throws {
    let seeded = try Samples.onlyCase(target + "clock: { flow: auto }\norder: seeded")
    let real = try Samples.onlyCase(target + "clock: { flow: auto }\norder: real")

    #expect(seeded.order == .seeded)
    #expect(seeded.summary().contains("  order      seeded"))
    #expect(real.order == nil)
    let plan = ExecutionPlan(cases: [seeded])
    #expect(try ExecutionPlan(jsonText: try plan.jsonText()) == plan)
    #expect(try !ExecutionPlan(cases: [real]).jsonText().contains("\"order\""))
  }

  @Test(
    "Threads take turns under a clock that does not flow, and under no other",
    arguments: [
      ("clock: { flow: auto }", 0), ("clock: { flow: held }", 0), ("clock: { flow: x60 }", 1),
      ("clock: { flow: real }", 1), ("clock: { at: 2026-03-01 }", 1), ("", 1),
    ])
  func orderNeedsClock(clock: String, count: Int) throws {
    let result = try Samples.plan(target + "order: seeded\n" + clock)

    #expect(result.diagnostics.map(\.code) == Array(repeating: .contradictory, count: count))
    #expect(
      result.diagnostics.allSatisfy {
        $0.message.hasPrefix("order: seeded needs a clock that does not flow")
      })
  }

  @Test("A plan with a flow that is none cannot be read")
  func badPlan() throws {
    let text = try ExecutionPlan(cases: [
      try Samples.onlyCase(target + "clock: { flow: x60 }")
    ]).jsonText()

    #expect(throws: PlanFormatError.self) {
      try ExecutionPlan(jsonText: text.replacing("\"x60\"", with: "\"x0\""))
    }
  }

  @Test("Steps on time are planned and told as they were written")
  func steps() throws {
    let planned = try Samples.onlyCase(
      target + """
        steps:
          - start:
          - wait: idle
          - suspend: 8h
          - rate: x0.5
          - rate: { to: x60, steps: [ { travel: tomorrow 09:00 }, { freeze: monday } ] }
        """)

    #expect(
      planned.summary().filter { $0.hasPrefix("  step") }.map { $0.dropFirst(13) } == [
        "1. start", "2. wait: idle", "3. suspend for 8h", "4. rate x0.5",
        "5. rate x60, for a block",
        "5.1. travel to tomorrow 09:00:00", "5.2. freeze at monday 00:00:00",
      ])
    let plan = ExecutionPlan(cases: [planned])
    #expect(try ExecutionPlan(jsonText: try plan.jsonText()) == plan)
  }

  @Test("Expectations on time are planned, told, and give the case a clock")
  func expectations() throws {
    let planned = try Samples.onlyCase(
      target + """
        expect:
          timers: { process: "py*", call: poll, at_least: 100ms, waits: [1000ms, { less_than: 2s }] }
          duration: { between: [1s, 2s] }
          clock: 2026-03-01
        """)

    #expect(planned.clock == PlannedClock(at: nil, flow: .real))
    #expect(
      planned.summary().filter { $0.hasPrefix("  expect") }.map { $0.dropFirst(13) } == [
        "timers of py*, in poll, of at least 100ms, [1s, is less than \"2s\"]",
        "duration is between \"1s\" and \"2s\"", "clock 2026-03-01T00:00:00Z",
      ])
    let plan = ExecutionPlan(cases: [planned])
    #expect(try ExecutionPlan(jsonText: try plan.jsonText()) == plan)
  }

  @Test("Which waits count is said by program, call and length together")
  func includes() {
    let timers = PlannedTimers(
      process: GlobPattern("py*"), systemCalls: ["poll"], shortest: .seconds(1), waits: [],
      count: nil)

    #expect(timers.includes(program: "python3", systemCall: "poll", length: .seconds(1)))
    #expect(!timers.includes(program: "node", systemCall: "poll", length: .seconds(1)))
    #expect(!timers.includes(program: "python3", systemCall: "futex", length: .seconds(1)))
    #expect(!timers.includes(program: "python3", systemCall: "poll", length: .milliseconds(999)))
  }

  @Test(
    "Blocks that nobody would see are refused, others are not",
    arguments: [
      ("steps: [{ jump: { by: 1s, steps: [{ tick: 1s }] } }, { run: }]", 1),
      ("steps: [{ run: }, { freeze: { steps: [{ expect: { exit: 0 } }] } }]", 1),
      ("steps: [{ jump: { by: 1s, steps: [{ freeze: { steps: [{ run: }] } }] } }]", 0),
      ("steps: [{ start: }, { rate: { to: x2, steps: [{ wait: idle }] } }]", 0),
      ("steps: [{ start: }, { stop: }, { rate: { to: x2, steps: [{ start: }] } }]", 0),
    ])
  func blocks(steps: String, count: Int) throws {
    let result = try Samples.plan(target + steps)
    #expect(result.diagnostics.count == count, "\(result.diagnostics.map(\.message))")
  }
}
