import Testing

@Suite("A wall clock of a target's own")
struct TargetClockTests {
  private func run(_ text: String, _ arguments: [String] = []) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run(["run", folder.write(text, to: "own.yaml")] + arguments)
  }

  @Test("All that reads the wall clock is ahead, and nothing else")
  func readings() throws {
    func text(_ ahead: Int) -> String {
      """
      version: 2
      targets:
        a:
          command: [python3, read.py]
          clock: { skew: +90s }
          files:
            read.py:
              text: |
                import os, time
                open("stamp", "w").write("x")
                start = 1893456000
                print(int(time.time()) - start, int(time.clock_gettime(time.CLOCK_REALTIME)) - start,
                  int(os.stat("stamp").st_mtime) - start, int(time.clock_gettime(11)) - start)
                print(int(time.monotonic()))
        b: { command: [python3, read.py] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto, file_times: virtual }
      steps: [{ run: a }, { run: b }]
      expect:
        targets:
          a: { stdout: { lines: ["\(ahead) \(ahead) \(ahead) \(ahead + 37)", "100000"] } }
          b: { stdout: { lines: ["0 0 0 37", "100000"] } }

      """
    }
    try TwinRuns.check(passing: text(90), failing: text(0))
  }

  @Test(
    "A drift is exact after a day, for whoever reads without a call and for whoever waits for an instant"
  )
  func drift() throws {
    func text(_ after: String) -> String {
      """
      version: 2
      targets:
        fast:
          command: "sleep 86400; date +%s.%N; date +%s.%N"
          clock: { drift: 50ppm }
        waits:
          command: [python3, -c, "import time; e = 1893456000 + 86400; time.sleep(0); l = __import__('ctypes').CDLL(None); t = (__import__('ctypes').c_long * 2)(e, 0); l.clock_nanosleep(0, 1, t, None); print(round(time.monotonic() - 100000, 6))"]
          clock: { drift: 50ppm }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      steps: [{ start: fast }, { run: waits }, { wait: exit, target: fast }]
      expect:
        targets:
          fast: { stdout: { lines: ["\(after)", "\(after)"] } }
          waits: { stdout: "86395.680216" }

      """
    }
    try TwinRuns.check(passing: text("1893542404.320000000"), failing: text("1893542400.000000000"))
  }

  @Test("Who is behind wakes later at the same instant of the wall clock")
  func order() throws {
    func text(_ first: String) -> String {
      """
      version: 2
      targets:
        late: { command: [./until, late], clock: { skew: -1h } }
        early: { command: [./until, early], clock: { skew: +1h } }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      target:
        command: [sh, -c, "sleep 1d; cat order"]
        files:
          until:
            mode: 0755
            text: |
              #!/usr/bin/python3
              import os, select, struct, sys, ctypes
              libc = ctypes.CDLL(None)
              timer = libc.timerfd_create(0, 0)
              setting = (ctypes.c_long * 4)(0, 0, 1893456000 + 7200, 0)
              libc.timerfd_settime(timer, 1, setting, None)
              os.read(timer, 8)
              open("order", "a").write(sys.argv[1] + "\\n")
      steps: [{ start: late }, { start: early }, { run: }]
      expect: { stdout: { lines: [\(first)] } }

      """
    }
    try TwinRuns.check(passing: text("early, late"), failing: text("late, early"))
  }

  @Test("A target that sets its own clock sets no other one")
  func setting() throws {
    func text(_ other: String) -> String {
      """
      version: 2
      targets:
        own: { command: "date -s @2000000000 +%s", clock: { skew: 1s } }
        other: { command: [date, +%s] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto, settable: true }
      steps: [{ run: own }, { run: other }]
      expect: { targets: { own: { stdout: "2000000000" }, other: { stdout: "\(other)" } } }

      """
    }
    try TwinRuns.check(passing: text("1893456000"), failing: text("2000000000"))
  }

  @Test("While time flows, a clock that drifts never goes back, by reads and by calls")
  func flow() throws {
    func text(_ drift: String) -> String {
      """
      version: 2
      target:
        command: [python3, flow.py]
        clock: { drift: \(drift) }
        files:
          flow.py:
            text: |
              import ctypes, time
              libc = ctypes.CDLL(None)
              def call():
                  t = (ctypes.c_long * 2)()
                  libc.syscall(228, 0, t)
                  return t[0] * 10**9 + t[1]
              start, wall = time.monotonic_ns(), time.time_ns()
              last = wall
              while time.monotonic_ns() - start < 200_000_000:
                  for now in (time.time_ns(), call()):
                      assert now >= last, (now, last)
                      last = now
              passed = time.monotonic_ns() - start
              gained = time.time_ns() - wall - passed
              print(gained > passed * 0.09)
      clock: { at: 2030-01-01T00:00:00Z, flow: real }
      expect: { stdout: "True" }

      """
    }
    try TwinRuns.check(passing: text("100000ppm"), failing: text("50ppm"))
  }

  @Test("Mistakes are told with their places")
  func mistakes() throws {
    func check(_ clock: String, top: String = "clock: { flow: auto }\n") throws -> String {
      let folder = try TemporaryFolder()
      let path = folder.write(
        "version: 2\n\(top)target: { command: [date], clock: \(clock) }\n", to: "mistake.yaml")
      let outcome = try BuiltRunner.run(["check", path])
      outcome.expectExit(2)
      return outcome.errorOutput
    }
    #expect(
      try check("{ skew: 90s }", top: "").contains(
        "the target has a \"clock\", but the scenario has none"))
    #expect(try check("{ drift: 100001ppm }").contains("the drift \"100001ppm\" is out of range"))
    #expect(try check("{ drift: 50 }").contains("\"50\" is not a drift"))
    #expect(try check("{ skew: 90 }").contains("the duration \"90\" has no unit"))
    #expect(try check("{}").contains("\"clock\" of a target"))
    #expect(
      try check("{ flow: auto }").contains("write \"flow\" below the scenario's own \"clock\""))
  }
}
