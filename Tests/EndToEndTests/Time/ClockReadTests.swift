import Glibc
import Testing

@Suite("Clocks that a target reads and would set")
struct ClockReadTests {
  private func run(_ expected: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: "date -s @2000000000 +%s; date +%s; sleep 90; cat /proc/uptime" }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      expect:
        stdout: "\(expected)"
        stderr: { contains: "cannot set date: Operation not permitted" }

      """, to: "clock.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path, "--report", "jsonl=\(folder.path)/events.jsonl"])
    let events = try #require(TemporaryFolder.read("\(folder.path)/events.jsonl"))
    #expect(events.contains(#""data":{"by":106544000000000000,"error":"EPERM","#))
    return outcome
  }

  @Test("A target may not set its clock unless the scenario says so, and the report tells of it")
  func refusal() throws {
    let outcome = try run("2000000000\\n1893456000\\n100090.00 100090.00\\n")
    outcome.expectExit(0)

    let twin = try run("2000000000\\n2000000000\\n100090.00 100090.00\\n")
    twin.expectExit(1)
  }

  @Test(
    "A target that reads the clock again and again answers a command that waits for it",
    arguments: ["time.monotonic()", "os.sched_yield()", "libc.syscall(228, 1, instant)"])
  func readsForCommand(act: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, server.py]
        files:
          server.py:
            text: |
              import ctypes, os, time
              libc, instant = ctypes.CDLL(None), ctypes.create_string_buffer(16)
              os.mkfifo("asked"); os.mkfifo("answered")
              print("ready", flush=True)
              for _ in range(3):
                  with open("asked") as asked: question = asked.read()
                  for _ in range(5000): \(act)
                  with open("answered", "w") as answered: answered.write(question.upper())
        ready: { stdout: ready }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      timeout: 60s
      steps:
        - start:
        - { exec: "echo one > asked; cat answered", expect: { stdout: ONE }, repeat: 3 }
      expect: { exit: 0, duration: { less_than: 1s } }

      """, to: "reads.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
  }

  @Test("A step by an offset is reported as that offset, also while time flows")
  func offset() throws {
    let folder = try TemporaryFolder()
    // ADJ_SETOFFSET of adjtimex(2); the time is at byte 72 of struct timex.
    let program = folder.write(
      """
      import ctypes, struct
      request = ctypes.create_string_buffer(208)
      struct.pack_into("<I", request, 0, 0x0100)
      struct.pack_into("<qq", request, 72, 5, 0)
      assert ctypes.CDLL(None).adjtimex(request) >= 0

      """, to: "step.py")
    let path = folder.write(
      """
      version: 2
      target: { command: [python3, \(program)] }
      clock: { at: 2030-01-01T00:00:00Z, flow: real, settable: true }

      """, to: "step.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path, "--report", "jsonl=\(folder.path)/events.jsonl"])
    outcome.expectExit(0)
    let events = try #require(TemporaryFolder.read("\(folder.path)/events.jsonl"))
    #expect(events.contains(#""data":{"by":5000000000,"#))
  }

  @Test("who tells the start of the scenario's machine", .enabled(if: geteuid() == 0))
  func machineStart() throws {
    let folder = try TemporaryFolder()
    // utmp(5): one record. Some builds of who(1) ask systemd, and look at no record.
    let prepare = folder.write(
      """
      mount -t tmpfs tmpfs /run || exit
      start() {
        python3 -c 'import struct, sys
      record = struct.pack("<hxxi32s4s32s256shhiii16s20x", 2, 0, b"~", b"~~", b"reboot", b"", 0, 0, 0,
        int(sys.argv[1]), 0, b"")
      open("/run/utmp", "wb").write(record)' "$1"
      }
      start 86400
      TZ=UTC who -b | grep -q 1970-01-02 || exit
      start "$(sed -n 's/^btime //p' /proc/stat)"
      exec "$@"

      """, to: "prepare.sh")
    let prefix = ["unshare", "--mount", "sh", prepare]
    guard try BuiltRunner.command(prefix + ["true"]).exitCode == 0 else {
      return print("skipped: nothing can be mounted, or who reads no records")
    }
    func run(_ clock: String, _ command: String) throws -> BuiltRunner.Outcome {
      let path = folder.write(
        """
        version: 2
        \(clock)
        target: { command: [sh, -c, "sleep 1; \(command)"] }
        expect: { stdout: { contains: "2029-12-30 20:13" } }

        """, to: "who.yaml")
      return try BuiltRunner.run(["run", path], prefix: prefix)
    }

    for command in ["TZ=UTC who -b", "cd /run; TZ=UTC who -b utmp"] {
      let outcome = try run("clock: { at: 2030-01-01T00:00:00Z, flow: auto }", command)
      outcome.expectExit(0)
      let twin = try run("", command)
      twin.expectExit(1)
    }
  }

  @Test("The uptime, and when machine and processes have started, are the scenario's by any path")
  func paths() throws {
    let folder = try TemporaryFolder()
    let program = folder.write(
      """
      import ctypes, os, resource
      def read(descriptor):
          with open(descriptor) as file: return file.read()
      def kind(text):
          if text == "100000.00 100000.00\\n": return "uptime"
          if "\\nbtime 1893356000\\n" in text: return "machine"
          return "self" if text.rpartition(")")[2].split()[19:20] == ["10000000"] else "leak"
      leaks = []
      def expect(expected, path, folder=None):
          try: found = kind(read(os.open(path, os.O_RDONLY, dir_fd=folder)))
          except OSError as error: found = str(error)
          if found != expected: leaks.append((path, found))
      number = os.getpid()
      flags = os.O_RDONLY | os.O_DIRECTORY
      proc, own, root = (os.open(path, flags) for path in ("/proc", "/proc/self", "/"))
      pinned = os.open("/proc/stat", os.O_PATH)
      os.symlink("/proc/uptime", "uptime")
      os.symlink("/proc", "processes")
      for path in ("/proc/uptime", "uptime", os.getcwd() + "/uptime", "processes/uptime",
                   "/proc/self/cwd/uptime", "/." * 200 + "/proc/uptime"):
          expect("uptime", path)
      for path in ("/proc/stat", "/proc/./stat", "/proc/self/../stat", "/proc/self/root/proc/stat",
                   f"/proc/self/fd/{pinned}", f"/dev/fd/{pinned}"):
          expect("machine", path)
      for path in ("/proc/self/stat", "//proc//self//stat", f"/proc/{number}/stat",
                   f"/proc/self/task/{number}/stat", "/proc/thread-self/stat", "processes/self/stat"):
          expect("self", path)
      expect("uptime", "uptime", proc)
      expect("machine", "stat", proc)
      expect("self", "self/stat", proc)
      expect("self", "stat", own)
      expect("uptime", "../uptime", own)
      expect("machine", "proc/stat", root)
      # openat2(2) with RESOLVE_BENEATH.
      how = (ctypes.c_uint64 * 3)(0, 0, 8)
      found = kind(read(ctypes.CDLL(None).syscall(437, proc, b"uptime", how, 24)))
      if found != "uptime": leaks.append(("openat2", found))
      os.chdir("/proc")
      expect("machine", "stat")
      expect("self", "self/stat")
      os.chdir("self")
      expect("self", "stat")
      # Where the process may have only one more descriptor.
      resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
      try:
          while True: last = os.dup(0)
      except OSError: os.close(last)
      expect("uptime", "../uptime")
      print(leaks)

      """, to: "paths.py")
    func run(_ clock: String) throws -> BuiltRunner.Outcome {
      let path = folder.write(
        """
        version: 2
        \(clock)
        target: { command: [python3, \(program)] }
        expect: { stdout: "[]\\n" }

        """, to: "paths.yaml")
      return try BuiltRunner.run(["run", path])
    }

    let outcome = try run("clock: { at: 2030-01-01T00:00:00Z, flow: auto }")
    outcome.expectExit(0)
    let twin = try run("")
    twin.expectExit(1)
  }

  @Test(
    "Where no other file can be put in its place, the file is opened all the same, and reported")
  func noAnonymousFile() throws {
    let folder = try TemporaryFolder()
    // A filter by which memfd_create(2), number 319, fails with EPERM (seccomp(2)).
    let program = folder.write(
      """
      import ctypes, struct
      libc = ctypes.CDLL(None)
      steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 319), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)]
      code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
      rules = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(steps), ctypes.addressof(code)))
      assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, rules) == 0
      print(len(open("/proc/uptime").read().split()))

      """, to: "filter.py")
    let path = folder.write(
      """
      version: 2
      clock: { at: 2030-01-01T00:00:00Z, flow: auto, escapes: allow }
      target: { command: [python3, \(program)] }
      expect: { stdout: "2\\n" }

      """, to: "filter.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    outcome.expectExit(0)
    #expect(
      outcome.text.contains(
        "/proc/uptime of python3 cannot be filled, as memfd_create or dup3 fails"),
      "\(outcome.text)")
  }

  @Test(
    "They are so in another mount, and in a process namespace of its own",
    .enabled(if: geteuid() == 0))
  func otherMount() throws {
    let folder = try TemporaryFolder()
    let prefix = ["unshare", "--mount", "--pid", "--fork", "sh", "-c"]
    let mount = "mkdir p && mount -t proc proc p || exit 7"
    guard try BuiltRunner.command(prefix + ["cd \(folder.path); \(mount)"]).exitCode == 0 else {
      return print("skipped: nothing can be mounted")
    }
    func run(_ clock: String) throws -> BuiltRunner.Outcome {
      let path = folder.write(
        """
        version: 2
        \(clock)
        target:
          command: [unshare, --mount, --pid, --fork, sh, -c]
        steps:
          - run:
              - |
                \(mount)
                cat p/uptime; grep btime p/stat; cut -d ' ' -f 1,22 p/1/stat
        expect: { stdout: "100000.00 100000.00\\nbtime 1893356000\\n1 10000000\\n" }

        """, to: "mount.yaml")
      return try BuiltRunner.run(["run", path])
    }

    let outcome = try run("clock: { at: 2030-01-01T00:00:00Z, flow: auto }")
    outcome.expectExit(0)
    let twin = try run("")
    twin.expectExit(1)
  }
}
