@testable import Foundations
import Testing

@Suite("Time that does not move")
struct StandingTimeTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let outcome = try BuiltRunner.run(["run", folder.write(text, to: "time.yaml")])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private static let spinner =
    "import time\\nend = time.monotonic() + 0.2\\nwhile time.monotonic() < end: pass\\nprint(end)"

  @Test("A program that spins on a held clock is told of, and `tick:` lets it end")
  func spin() throws {
    let target = "version: 2\ntarget: { command: [python3, -c, \"\(Self.spinner)\"] }\n"
    let held = try run(target + "clock: { flow: held }\nsteps: [ run: [] ]\n")

    held.expectExit(3)
    #expect(held.output.contains("busy-waits on a frozen clock"))
    #expect(held.output.contains("help: virtual time is frozen here: use `flow: auto`"))
    #expect(held.output.contains("python3"))

    let ticked = try run(
      target + "clock: { flow: held }\nsteps: [ start: [], tick: 200ms, wait: exit ]\n")

    ticked.expectExit(0)
  }

  @Test(
    "A wait without a timeout for no descriptor at all is stuck",
    arguments: ["select.select([], [], [])", "select.poll().poll()"])
  func nothingAwaited(wait: String) throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [python3, -c, \"import select; \(wait)\"] }\n"
        + "clock: { flow: auto }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("all threads are blocked and nothing will wake them"))
  }

  @Test("A close that waits for a peer takes its real time, and is not stuck")
  func linger() throws {
    let program = """
      import socket, struct
      listener = socket.socket()
      listener.bind(('127.0.0.1', 0))
      listener.listen(1)
      client = socket.socket()
      client.connect(listener.getsockname())
      peer = listener.accept()[0]
      client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 2))
      client.setblocking(False)
      try:
          while True: client.send(b'x' * 1000000)
      except BlockingIOError: pass
      client.setblocking(True)
      client.close()
      print('closed')
      """
    let outcome = try run(
      "version: 2\ntarget:\n  command: [python3, linger.py]\n  files:\n    linger.py: |\n"
        + program.split(separator: "\n").map { "      \($0)\n" }.joined()
        + "clock: { flow: auto }\nexpect: { stdout: closed }\n")

    outcome.expectExit(0)
  }

  @Test("Where everything is stuck, the last request and the connection are told by their host")
  func lastRequest() throws {
    let program =
      "import http.client\n"
      + "c = http.client.HTTPConnection('api.example.com')\n"
      + "c.request('GET', '/first')\nprint(c.getresponse().read())\n"
      + "import os\nos.read(os.pipe()[0], 1)\n"
    let outcome = try run(
      "version: 2\ntarget:\n  command: [python3, ask.py]\n  files:\n    ask.py: |\n"
        + program.split(separator: "\n").map { "      \($0)\n" }.joined()
        + "clock: { flow: auto }\n"
        + "responses:\n  - GET http://api.example.com/first: { text: ok }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("last request: GET http://api.example.com/first at +0s"))
    #expect(outcome.output.contains("sleeps in read on descriptor"))
    #expect(outcome.output.contains("(a pipe)"))
  }

  @Test("Who waits for a second word on a connection is told of with the host's name")
  func connection() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, "exec 3<> /dev/tcp/api.example.com/80; read -r line <&3"] }
      clock: { flow: auto }
      responses:
        - GET http://api.example.com/first: { text: ok }
      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("(the connection to api.example.com:80)"), "\(outcome.text)")
    #expect(outcome.output.contains("last request") == false)
    #expect(
      outcome.output.contains("all threads are blocked and nothing will wake them"),
      "\(outcome.text)")
  }

  @Test(
    "A reply that never comes is told of as such at once, and one that is late, or goes on, is waited for",
    arguments: [
      ("reply: { fault: hang }", false), ("reply: { text: late, after: 2h }", true),
      ("reply: { text: much, fault: { bandwidth: 1 } }", true),
    ])
  func silence(reply: String, comes: Bool) throws {
    let outcome = try run(
      """
      version: 2
      target:
        command:
          - bash
          - -c
          - 'exec 3<> /dev/tcp/api.example.com/80; printf "GET / HTTP/1.0\\r\\nHost: api.example.com\\r\\n\\r\\n" >&3; cat <&3'
      clock: { flow: auto }
      responses: [ { request: GET http://api.example.com/, \(reply) } ]
      """)

    #expect(outcome.exitCode == (comes ? 0 : 3), "\(outcome.text)")
    let isStuck = outcome.output.contains("all threads are blocked and nothing will wake them")
    #expect(isStuck == !comes, "\(outcome.text)")
    let isNamed = outcome.output.contains(
      "sleeps in read on standard input (the connection to api.example.com:80)")
    #expect(isNamed == !comes, "\(outcome.text)")
  }

  @Test(
    "There may be more processes that sleep than the runner may have descriptors",
    arguments: [128, 512])
  func fewDescriptors(limit: Int) throws {
    let folder = try TemporaryFolder()
    let program = "\(BuiltRunner.root)/.build/programs/many_sleepers"
    let file = folder.write(
      """
      version: 2
      target: { command: [\(program), processes, "600"] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      timeout: 2m
      expect: { exit: 0, stdout: "processes wrong=0 seen=0 elapsed=600\\n" }
      """, to: "many.yaml")
    let outcome = try BuiltRunner.run(
      ["run", file], prefix: ["prlimit", "--nofile=\(limit):\(limit)"])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Who gets the signal of an inherited limit of processor time is waited for, however late it runs"
  )
  func inheritedLimit() throws {
    let folder = try TemporaryFolder()
    let program = "\(BuiltRunner.root)/.build/programs/many_sleepers"
    let file = folder.write(
      """
      version: 1
      target: { command: [\(program), limit, "3"] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      timeout: 2m
      expect: { exit: 0, stdout: "limit wrong=0\\n" }
      """, to: "limit.yaml")
    // Whoever gets going late runs where something else takes the processor.
    let shell = "\"$0\" burn 1 & prlimit --cpu=3:1000 -- \"$@\"; code=$?; kill -9 $!; exit $code"
    let outcome = try BuiltRunner.run(
      ["run", file], prefix: ["sh", "-c", shell, program])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "Targets may have as many open files as the runner was started with, which takes all that it may"
  )
  func inheritedDescriptors() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [bash, -c, "ulimit -Sn; ulimit -Hn; grep 'Max open' /proc/$PPID/limits"] }
      expect: { stdout: { matches: '^200\\n4096\\nMax open files +4096 +4096 ' } }
      """, to: "inherited.yaml")
    let outcome = try BuiltRunner.run(["run", file], prefix: ["prlimit", "--nofile=200:4096"])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test("A program that only waits for a signal is told of as stuck", arguments: ["auto", "held"])
  func pause(flow: String) throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [sleep, infinity] }\nclock: { flow: \(flow) }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("all threads are blocked and nothing will wake them"))
    #expect(outcome.output.contains("raise `timeout:`") == false)
  }

  @Test("A wait beyond the end of 64-bit clocks is told of as such")
  func endOfTime() throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [sleep, '315360000000'] }\nclock: { flow: auto }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("where 64-bit clocks end"), "\(outcome.text)")
    #expect(outcome.output.contains("help: clocks count nanoseconds in 64 bits"))
    #expect(outcome.output.contains("flow: auto`") == false)
  }

  @Test("Where a target sleeps and its clock flows, the help names the flow that does not wait")
  func flowing() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [sleep, 1d] }
      clock: { at: 2030-01-01T00:00:00Z, flow: real }
      timeout: 1s
      """)

    outcome.expectExit(3)
    #expect(
      outcome.output.contains("help: the clock advances at a fixed rate here: with `flow: auto`"),
      "\(outcome.text)")
  }

  @Test(
    "Where a target waits for what nobody brings, the help does not advise to wait longer",
    arguments: [
      ("[sleep, infinity]", false), ("[sh, -c, 'mkfifo f; cat f']", false),
      ("[bash, -c, 'exec 3<>/dev/tcp/a.test/80; cat <&3']", false), ("[sleep, '100']", true),
    ])
  func nobodyComes(command: String, helps: Bool) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: \(command) }
      timeout: 1s
      responses: [ { GET http://a.test/: { fault: hang } } ]
      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("raise `timeout:`") == helps, "\(outcome.text)")
    #expect(
      outcome.output.contains("help: every thread is blocked until something wakes it") == !helps,
      "\(outcome.text)")
  }

  @Test(
    "While time flows, who waits for others that wait as well is told of as stuck long before the timeout",
    arguments: ["", "clock: { flow: real }\n"],
    [
      "[cat]", "[sh, -c, 'cat | cat']", "[sh, -c, 'mkfifo f; cat f']", "[sleep, infinity]",
      "[sh, -c, 'exec 9> l; flock 9; flock l echo never']",
    ])
  func stuckWhileTimeFlows(clock: String, command: String) throws {
    let outcome = try run(
      "version: 2\ntarget: { command: \(command) }\ntimeout: 10m\n\(clock)"
        + "steps: [ start: [], wait: { stdout: never }, close: stdin ]\n")

    outcome.expectExit(3)
    #expect(
      outcome.output.contains("all threads are blocked and nothing will wake them"),
      "\(outcome.text)")
    #expect(!outcome.output.contains("timed out"), "\(outcome.text)")
  }

  @Test(
    "While time flows, who waits for a process that has nothing to do with the run is waited for",
    arguments: [
      // A semaphore in shared memory.
      (
        """
        import ctypes, os
        c = ctypes.CDLL(None, use_errno=True)
        c.sem_open.restype = ctypes.c_void_p
        name = os.environ["NAME"].encode()
        s = ctypes.c_void_p(c.sem_open(b"/" + name, os.O_CREAT, 0o600, 0))
        """, "c.sem_wait(s)", "c.sem_post(s); c.sem_unlink(b'/' + name)"
      ),
      // A pipe made elsewhere than in the case's folder.
      (
        """
        import os
        path = "/tmp/" + os.environ["NAME"]
        try: os.mkfifo(path)
        except FileExistsError: pass
        """, "open(path).read()", "open(path, 'w').close(); os.unlink(path)"
      ),
      // The end of a process.
      (
        "import os, select",
        "p = select.poll(); p.register(os.pidfd_open(int(os.environ['ACTOR'])), 1); p.poll()",
        "pass"
      ),
    ])
  func outsider(shared: String, wait: String, act: String) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let name = String(TemporaryFolder.unique("standing").dropFirst("/tmp/".count))
    let waiter = shared + "\n\(wait)\nprint('late', flush=True)\n"
    // Longer than it takes to be held for stuck.
    let actor = "import time\ntime.sleep(7)\n" + shared + "\n\(act)\n"
    let file = folder.write(
      """
      version: 2
      target:
        command: [python3, -c, \(Value.string(waiter).jsonText())]
        env: { NAME: \(name), pass: [ACTOR] }
      timeout: 1m
      expect: { stdout: { contains: late } }
      """, to: "wait.yaml")
    let actorFile = folder.write(actor, to: "actor.py")
    let outcome = try BuiltRunner.run(
      ["run", file],
      prefix: [
        "/bin/sh", "-c",
        "NAME=\(name) python3 \"$0\" > /dev/null 2>&1 & export ACTOR=$!; exec \"$@\"",
        actorFile,
      ])

    outcome.expectExit(0)
  }

  @Test(
    "While time flows, who is woken by the command of a handler is waited for",
    arguments: [
      "responses: [{ POST http://hook.test/: { handler: { exec: [python3, late.py] } } }]",
      "network: { unmatched: { handler: { exec: [python3, late.py] } } }",
    ])
  func handler(answerer: String) throws {
    let project = try ProjectFolder()
    // The answer is over long before the signal.
    try project.write(
      """
      import re, subprocess, sys
      for line in sys.stdin:
          number = re.search("pid=([0-9]+)", line).group(1)
          subprocess.Popen(
              ["sh", "-c", "sleep 6; kill -USR1 " + number], stdin=subprocess.DEVNULL,
              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
          print('{"status": 202}', flush=True)
      """, to: "late.py")
    try project.write(
      """
      import os, signal, urllib.request
      signal.signal(signal.SIGUSR1, lambda *a: print("late"))
      urllib.request.urlopen("http://hook.test/", data=b"pid=%d" % os.getpid()).read()
      signal.pause()
      """, to: "target.py")
    try project.write(
      """
      version: 2
      target: { command: [python3, target.py], files: { target.py: { file: target.py } } }
      timeout: 1m
      \(answerer)
      expect: { stdout: late }
      """, to: "hook.yaml")

    try project.scenario(["run", "hook.yaml"]).expectExit(0)
  }

  @Test(
    "A target that ignores the request to end has the whole grace, and fails its `stop:`, also while time flows",
    arguments: ["", "clock: { flow: real }\n"])
  func ignoredStop(clock: String) throws {
    let program =
      "import signal; signal.signal(15, signal.SIG_IGN); print('up'); signal.sigwait([10])"
    let outcome = try run(
      """
      version: 2
      target:
        command: [python3, -u, -c, "\(program)"]
        stop: { grace: 8s }
      \(clock)steps: [ start: [], wait: { stdout: up }, stop: ]
      """)

    outcome.expectExit(1)
    #expect(
      outcome.output.contains("did not exit within 8s of SIGTERM, and was killed"),
      "\(outcome.text)")
  }

  @Test(
    "While time flows, who is woken by time, by a signal or by somebody outside is waited for",
    arguments: [
      ("[sh, -c, '(sleep 6; echo late) & read x']", ""),
      (
        "[python3, -u, -c, 'import signal, sys; signal.signal(14, lambda *a: print(\"late\")); signal.alarm(6); sys.stdin.read()']",
        ""
      ),
      (
        "[python3, -u, -c, 'import socket; a, b = socket.socketpair(); a.setsockopt(1, 20, (6).to_bytes(8, \"little\") + bytes(8))\ntry: a.recv(1)\nexcept OSError: print(\"late\")']",
        ""
      ),
      (
        "[sh, -c, 'trap \"echo late; exit\" USR1; echo $$ > pid; read x']",
        "- exec: 'while [ ! -s pid ]; do sleep 0.1; done; (sleep 6; kill -USR1 $(cat pid)) > /dev/null 2>&1 &'"
      ),
      (
        "[sh, -c, 'mkfifo f; echo ready; cat f']",
        "- exec: 'while [ ! -p f ]; do sleep 0.1; done; (sleep 6; echo late > f) > /dev/null 2>&1 &'"
      ),
    ])
  func wokenWhileTimeFlows(command: String, step: String) throws {
    let outcome = try run(
      """
      version: 2
      target:
        command: \(command.replacing("\n", with: "\n\n      "))
      timeout: 1m
      steps:
        - start: []
        \(step)
        - wait: { stdout: late }
        - close: stdin
      """)

    #expect(!outcome.output.contains("nothing will wake them"), "\(outcome.text)")
    #expect(outcome.exitCode < 2, "\(outcome.text)")
  }

  @Test("Where a thread computes for ever, the help names what lets time pass")
  func computing() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [bash, -c, "while :; do :; done"] }
      clock: { flow: auto }
      timeout: 1s
      """)

    outcome.expectExit(3)
    // A thread that has hardly had a processor is told of as such: ThreadSituationTests.
    let isBusy = outcome.output.contains("help: the machine is busy")
    #expect(
      outcome.output.contains("`flow: real` or after a step `rate:`") != isBusy, "\(outcome.text)")
    #expect(outcome.output.contains("raise `timeout:`") == isBusy)
  }

  @Test("A timeout in real time tells which polls let virtual time pass")
  func polls() throws {
    let program = "\(BuiltRunner.root)/.build/programs/spin"
    let outcome = try run(
      """
      version: 2
      target: { command: [\(program), sleep-forever, "1"] }
      clock: { flow: auto }
      timeout: 2s
      steps: [ run: [] ]
      """)

    outcome.expectExit(3)
    #expect(outcome.output.contains("× 1ms by spin in clock_nanosleep"), "\(outcome.text)")
    #expect(outcome.output.contains("virtual time moved "))
  }

  @Test("A shell that starts a program for each wait is told of, with their number and length")
  func startingLoop() throws {
    let outcome = try run(
      """
      version: 2
      target: { command: "while :; do sleep 1; done" }
      clock: { flow: auto }
      timeout: 4s
      """)

    outcome.expectExit(3)
    #expect(
      outcome.output.contains("help: \"sh\" starts \"sleep\" again and again ("),
      "\(outcome.text)")
    #expect(
      outcome.output.contains(" times, each waits 1s), and nothing in the scenario ends this loop"),
      "\(outcome.text)")
  }

  @Test("A poll without effect is told of by its call, and not as a clock that is frozen")
  func poll() throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [python3, -c, \"import os\\nwhile True: os.sched_yield()\"] }\n"
        + "clock: { flow: auto }\n")

    outcome.expectExit(3)
    #expect(outcome.output.contains("calls sched_yield repeatedly, and nothing changes"))
    #expect(outcome.output.contains("help: a thread polls without waiting"), "\(outcome.text)")
    #expect(!outcome.output.contains("virtual time is frozen"))
  }

  @Test(
    "A request that `hang` never answers is named", arguments: [true, false],
    [
      (
        "network: { unmatched: hang }",
        "help: `unmatched: hang` never answers GET http://a.test/x: add a response for it"
      ),
      (
        "responses: [{ GET http://a.test/x: { fault: hang } }]",
        "help: `fault: hang` never answers GET http://a.test/x: let the target give up"
      ),
    ])
  func hangs(isVirtual: Bool, network: (text: String, help: String)) throws {
    let outcome = try run(
      "version: 2\ntarget: { command: [curl, -s, http://a.test/x] }\n\(network.text)\ntimeout: 3s\n"
        + (isVirtual ? "clock: { flow: auto }\n" : ""))

    outcome.expectExit(3)
    #expect(outcome.output.contains(network.help), "\(outcome.text)")
  }
}
