import Testing

@Suite("A target's wall clock that is corrected")
struct ClockCorrectionTests {
  @Test("A step moves one target's clock, and cancels what waits for that")
  func step() throws {
    func text(_ jump: String) -> String {
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: held }
      targets:
        a:
          command: [python3, wait.py]
          files:
            wait.py:
              text: |
                import ctypes, os, time
                libc = ctypes.CDLL(None, use_errno=True)
                timer = libc.timerfd_create(0, 0)
                libc.timerfd_settime(timer, 3, (ctypes.c_long * 4)(0, 0, 1893456000 + 3600, 0), None)
                count = ctypes.c_long()
                result = libc.read(timer, ctypes.byref(count), 8)
                print(result, os.strerror(ctypes.get_errno()), int(time.time()) - 1893456000, flush=True)
                libc.clock_nanosleep(0, 1, (ctypes.c_long * 2)(1893456000 + 100, 0), None)
                print(time.monotonic() - 100000)
        b: { command: [python3, -c, "import time\\nwhile time.monotonic() < 100200: time.sleep(100)\\nprint(int(time.time()) - 1893456000)"] }
      steps:
        - start: a
        - start: b
        - tick: 10s
        - jump: \(jump)
        - tick: 190s
      expect:
        clock: 2030-01-01T00:03:20Z
        targets:
          a: { stdout: { lines: ["-1 Operation canceled 7", "103.0"] } }
          b: { stdout: "200" }

      """
    }
    try TwinRuns.check(
      passing: text("{ by: -3s, target: a }"), failing: text("{ by: -3s, target: b }"))
  }

  @Test("A slew moves it little by little, exactly, and adjtime tells what is left")
  func slew() throws {
    func text(_ jump: String) -> String {
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: held }
      target:
        command: [python3, read.py]
        files:
          read.py:
            text: |
              import ctypes, time
              libc = ctypes.CDLL(None)
              def call():
                  t = (ctypes.c_long * 2)()
                  libc.syscall(228, 0, t)
                  return t[0] * 10**9 + t[1]
              for step in range(4):
                  left = (ctypes.c_long * 2)()
                  libc.adjtime(None, left)
                  assert time.time_ns() == call()
                  print(time.time_ns() - time.monotonic_ns() - (1893456000 - 100000) * 10**9, left[0] * 10**6 + left[1], flush=True)
                  time.sleep(100)
              libc.clock_nanosleep(0, 1, (ctypes.c_long * 2)(1893456000 + 1000, 0), None)
              print(time.monotonic_ns() - 100000 * 10**9)
      steps:
        - start:
        - jump: \(jump)
        - tick: 2000s
      expect:
        stdout: { lines: ["0 0", "200000000 300000", "400000000 100000", "500000000 0", "999500000000"] }

      """
    }
    try TwinRuns.check(
      passing: text("{ by: 500ms, over: 250s }"), failing: text("{ by: 500ms, target: target }"),
      text("{ by: 500ms, over: 300s }"))
  }

  @Test("While time flows, a slew has its end exactly, by reads and by calls, and never goes back")
  func flow() throws {
    func text(_ jump: String) -> String {
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: real }
      target:
        command: [python3, flow.py]
        files:
          flow.py:
            text: |
              import ctypes, os, time
              libc = ctypes.CDLL(None)
              def call():
                  t = (ctypes.c_long * 2)()
                  libc.syscall(228, 0, t)
                  return t[0] * 10**9 + t[1]
              print("ready", flush=True)
              while not os.path.exists("go"): time.sleep(0.01)
              start, last = time.monotonic_ns(), 0
              while time.monotonic_ns() - start < 600_000_000:
                  for now in (time.time_ns(), call()):
                      assert now >= last, (now, last)
                      last = now
              before = time.monotonic_ns()
              ahead = time.time_ns() - (1893456000 - 100000) * 10**9
              after = time.monotonic_ns()
              print(before <= ahead + 30_000_000 <= after)
      steps:
        - start:
        - wait: { stdout: ready }
        - jump: \(jump)
        - write: { path: go, text: x }
        - wait: exit
      expect: { stdout: { lines: [ready, "True"] } }

      """
    }
    try TwinRuns.check(
      passing: text("{ by: -30ms, over: 300ms }"), failing: text("{ by: -29ms, over: 300ms }"))
  }

  @Test("Mistakes are told with their places")
  func mistakes() throws {
    func check(_ jump: String) throws -> String {
      let folder = try TemporaryFolder()
      let path = folder.write(
        """
        version: 2
        clock: { flow: held }
        targets: { a: { command: [date] }, b: { command: [date] } }
        steps:
          - { start: a }
          - jump: \(jump)

        """, to: "mistake.yaml")
      let outcome = try BuiltRunner.run(["check", path])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains("mistake.yaml:6:"), "\(outcome.errorOutput)")
      return outcome.errorOutput
    }
    #expect(try check("{ by: 2s }").contains("\"jump\" has \"by\", but neither steps nor a target"))
    #expect(try check("{ by: 2s, over: 10s, target: a }").contains("a clock cannot gain 2s in 10s"))
    #expect(
      try check("{ by: 0s, over: 0s, target: a }").contains("\"over\" must be longer than 0s"))
    #expect(
      try check("{ by: 1s, over: 400d, target: a }").contains(
        "a correction can last at most a year"))
    #expect(try check("{ by: 2s, over: 100s }").contains("the target is ambiguous"))
    #expect(try check("{ by: 2s, target: c }").contains("unknown target \"c\""))
    #expect(try check("{ over: 100s, target: a }").contains("missing required key \"by\""))
    #expect(
      try check("{ by: 2s, target: a, steps: [{ run: b }] }").contains(
        "\"jump\" of one target's clock cannot have \"steps\""))
  }
}
