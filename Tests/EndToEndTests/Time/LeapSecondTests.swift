import Testing

@Suite("A leap second")
struct LeapSecondTests {
  /// The lines of a program that tells, each half second of ten, wall clock, TAI and a file's time in milliseconds from the
  /// next day on, and what adjtimex(2) says.
  private func readings(_ clock: String, _ lines: [String]) -> String {
    """
    version: 2
    clock: { at: 2026-12-31T23:59:57Z, flow: auto, file_times: virtual\(clock) }
    target:
      command: [python3, read.py]
      files:
        read.py:
          text: |
            import ctypes, os, time
            libc = ctypes.CDLL(None)
            day = 1798761600
            def call(clock):
                t = (ctypes.c_long * 2)()
                libc.syscall(228, clock, t)
                return t[0] * 10**9 + t[1]
            def milliseconds(time):
                return (time - day * 10**9) // 10**6
            def adjust():
                t = (ctypes.c_ubyte * 208)()
                state = libc.adjtimex(t)
                return state, t[40] & 0x10, t[160]
            for step in range(10):
                open("stamp", "w").write("x")
                wall, tai = time.time_ns(), time.clock_gettime_ns(11)
                assert (wall, tai) == (call(0), call(11)), (wall, tai, call(0), call(11))
                assert int(time.time()) == wall // 10**9
                print(milliseconds(wall), milliseconds(tai), milliseconds(os.stat("stamp").st_mtime_ns), *adjust())
                time.sleep(0.5)
    expect:
      stdout:
        lines:
    \(lines.map { "      - \"\($0)\"" }.joined(separator: "\n"))

    """
  }

  private static let lines = [
    "-3000 34000 -3000 1 16 37", "-2500 34500 -2500 1 16 37", "-2000 35000 -2000 1 16 37",
    "-1500 35500 -1500 1 16 37", "-1000 36000 -1000 1 16 37", "-500 36500 -500 1 16 37",
    "-1000 37000 -1000 3 16 38", "-500 37500 -500 3 16 38", "0 38000 0 4 16 38",
    "500 38500 500 4 16 38",
  ]

  @Test("Reads, calls, files and adjtimex show 23:59:59 twice, and TAI goes on")
  func shown() throws {
    try TwinRuns.check(
      passing: readings(", leap_second: 2026-12-31", Self.lines),
      failing: readings(", leap_second: 2026-12-30", Self.lines))
  }

  /// What ends when, in milliseconds from three seconds before midnight on.
  private func waits(_ clock: String, _ lines: [String]) -> String {
    """
    version: 2
    clock: { at: 2026-12-31T23:59:57Z, flow: auto\(clock) }
    target:
      command: [python3, wait.py]
      files:
        wait.py:
          text: |
            import ctypes, os, threading, time
            libc = ctypes.CDLL(None, use_errno=True)
            day = 1798761600
            found = []
            def tell(what):
                found.append(f"{round((time.monotonic() - 100000) * 1000)} {what}")
            def sleep(clock, flags, seconds, what):
                libc.clock_nanosleep(clock, flags, (ctypes.c_long * 2)(int(seconds // 1), int(seconds % 1 * 10**9)), None)
                tell(what)
            def timer(flags, seconds, what):
                descriptor = libc.timerfd_create(0, 0)
                libc.timerfd_settime(descriptor, flags, (ctypes.c_long * 4)(0, 0, seconds, 0), None)
                count = ctypes.c_long()
                if libc.read(descriptor, ctypes.byref(count), 8) < 0:
                    what += " " + os.strerror(ctypes.get_errno())
                tell(what)
            waits = [
                (sleep, 0, 1, day - 0.5, "until 23:59:59.5"), (sleep, 0, 1, day, "until midnight"),
                (sleep, 11, 1, day + 37.5, "until an instant of TAI"), (sleep, 0, 0, 3.25, "for 3.25 s"),
                (sleep, 1, 1, 100003.75, "until an instant of uptime"),
                (timer, 1, day + 1, "timer"), (timer, 3, day + 3600, "timer that a step cancels"),
            ]
            threads = [threading.Thread(target=wait[0], args=wait[1:]) for wait in waits]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print("\\n".join(sorted(found)))
    expect:
      stdout:
        lines:
    \(lines.map { "      - \"\($0)\"" }.joined(separator: "\n"))

    """
  }

  @Test(
    "Waits until an instant follow the clock that they are on, and a step cancels who asks for that"
  )
  func waits() throws {
    let lines = [
      "2500 until 23:59:59.5", "3000 timer that a step cancels Operation canceled",
      "3250 for 3.25 s", "3500 until an instant of TAI", "3750 until an instant of uptime",
      "4000 until midnight", "5000 timer",
    ]
    try TwinRuns.check(
      passing: waits(", leap_second: 2026-12-31", lines), failing: waits("", lines))
  }

  @Test("While time flows, the second comes twice to the nanosecond, by reads and by calls")
  func flow() throws {
    func text(_ clock: String) -> String {
      """
      version: 2
      clock: { at: 2026-12-31T23:00:00Z, flow: real\(clock) }
      target:
        command: [python3, flow.py]
        files:
          flow.py:
            text: |
              import ctypes, os, time
              libc = ctypes.CDLL(None, use_errno=True)
              day = 1798761600 * 10**9
              second = 10**9
              def call():
                  t = (ctypes.c_long * 2)()
                  libc.syscall(228, 0, t)
                  return t[0] * second + t[1]
              seen = set()
              print("ready", flush=True)
              while True:
                  for read in (time.time_ns, call):
                      before = time.clock_gettime_ns(11) - 37 * second
                      wall = read()
                      after = time.clock_gettime_ns(11) - 37 * second
                      assert before <= wall <= after or before <= wall + second <= after, (before, wall, after)
                      if before >= day: assert wall + second <= after, (before, wall, after)
                      if after < day: assert before <= wall
                      seen.add((before >= day, wall >= day))
                  if before > day + 1_200_000_000: break
              descriptor = libc.timerfd_create(0, 0)
              libc.timerfd_settime(descriptor, 3, (ctypes.c_long * 4)(0, 0, day // second + 2, 0), None)
              count = ctypes.c_long()
              print(sorted(seen), libc.read(descriptor, ctypes.byref(count), 8), time.time_ns() >= day + 2 * second)
      steps: [{ start: }, { wait: { stdout: ready } }, { travel: 2026-12-31T23:59:59.8Z }, { wait: exit }]
      expect: { stdout: { lines: [ready, "[(False, False), (True, False), (True, True)] 8 True"] } }

      """
    }
    try TwinRuns.check(passing: text(", leap_second: 2026-12-31"), failing: text(""))
  }

  @Test("While time flows, a timer that a step cancels is cancelled by the second")
  func flowCancels() throws {
    func text(_ clock: String) -> String {
      """
      version: 2
      clock: { at: 2026-12-31T23:59:59.8Z, flow: held\(clock) }
      target:
        command: [python3, flow.py]
        files:
          flow.py:
            text: |
              import ctypes, os
              libc = ctypes.CDLL(None, use_errno=True)
              descriptor = libc.timerfd_create(0, 0)
              libc.timerfd_settime(descriptor, 3, (ctypes.c_long * 4)(0, 0, 1798761600 + 3, 0), None)
              print("ready", flush=True)
              count = ctypes.c_long()
              print(libc.read(descriptor, ctypes.byref(count), 8), os.strerror(ctypes.get_errno()))
      steps: [{ start: }, { wait: { stdout: ready } }, { rate: x1.5 }, { wait: exit }]
      expect: { stdout: { lines: [ready, "-1 Operation canceled"] } }

      """
    }
    try TwinRuns.check(passing: text(", leap_second: 2026-12-31"), failing: text(""))
  }

  @Test("What is no day is refused with its place")
  func mistakes() throws {
    for (text, message) in [
      ("2026-02-30", "2026-02-30"),
      ("2026-12-31T23:59:59Z", "\"2026-12-31T23:59:59Z\" is not a day"),
      ("+1d", "+1d"),
    ] {
      let folder = try TemporaryFolder()
      let path = folder.write(
        "version: 2\nclock: { leap_second: \(text) }\ntarget: { command: [date] }\n",
        to: "mistake.yaml")
      let outcome = try BuiltRunner.run(["check", path])
      outcome.expectExit(2)
      #expect(outcome.errorOutput.contains("mistake.yaml:2:23: error"), "\(outcome.errorOutput)")
      #expect(outcome.errorOutput.contains(message), "\(outcome.errorOutput)")
    }
  }
}
