import Glibc
import Testing

@Suite("Small limits end with words")
struct SmallLimitTests {
  private let project: ProjectFolder

  init() throws {
    project = try ProjectFolder()
    try project.write(
      """
      version: 2
      name: x
      target: { command: ['true'] }
      expect: { exit: 0 }

      """, to: "x.yaml")
    try project.write(
      """
      version: 2
      name: y
      target: { command: [curl, -s, 'https://api.example.com/'] }
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      responses: [{ GET https://api.example.com/: { text: hi } }]
      expect: { exit: 0, stdout: hi }

      """, to: "y.yaml")
  }

  private func run(_ limit: String, _ arguments: [String]) throws -> BuiltRunner.Outcome {
    try BuiltRunner.run(
      arguments.map { $0.hasSuffix(".yaml") ? "\(project.path)/\($0)" : $0 },
      // What it inherits would count.
      prefix: ["bash", "-c", "exec 3>&- 4>&- 5>&-; ulimit \(limit); exec \"$@\"", "bash"])
  }

  // With three open files the loader cannot even open the C library.
  @Test("However few files may be open, a run ends with words", arguments: 4...40)
  func descriptors(count: Int) throws {
    for file in ["x.yaml", "y.yaml"] {
      let outcome = try run("-n \(count)", ["run", file])

      outcome.expectExit(3)
      #expect(
        outcome.text == """
          error[E112]: this process may have \(count) open files, but a run needs 64
          help: raise it: ulimit -n 1024

          """)
    }
  }

  @Test(
    "With as many open files as a run is said to take, it passes, so many cases at once as can be")
  func enough() throws {
    let one = try run("-n 64", ["run", "y.yaml", "-j", "1"])
    #expect(one.exitCode == 0 && !one.text.contains("note:"), "\(one.text)")
    let many = try run("-n 127", ["run", "y.yaml", "--repeat", "8", "-j", "8"])
    many.expectExit(0)
    #expect(
      many.errorOutput.contains(
        """
        note: 2 cases run at once, not 8: this process may have 127 open files
        help: raise it: ulimit -n 1024
        """), "\(many.text)")
  }

  @Test("However little may be mapped, a run passes or ends with words")
  func memory() throws {
    var ends: Set<Int32> = []
    for mebibytes in [200, 300, 400, 600, 800, 1_200, 2_000] {
      for option in ["-v", "-d"] {
        let outcome = try run("\(option) \(mebibytes << 10)", ["run", "y.yaml"])
        ends.insert(outcome.exitCode)
        guard outcome.exitCode != 0 else { continue }
        #expect(outcome.exitCode == 3, "\(mebibytes): \(outcome.text)")
        #expect(outcome.text.contains("error[E112]: this process may have "), "\(outcome.text)")
        #expect(outcome.text.contains("help: raise it: ulimit \(option) unlimited"))
      }
    }
    #expect(ends == [0, 3])
  }

  @Test("A small stack ends with words, and a large one is no matter")
  func stack() throws {
    let small = try run("-s 128", ["check", "x.yaml"])
    small.expectExit(3)
    #expect(small.text.contains("error[E112]: this process may have a stack of 128 KiB"))
    #expect(small.text.contains("help: raise it: ulimit -s 8192"))
    try run("-s 1024", ["run", "y.yaml"]).expectExit(0)
    try run("-s unlimited", ["run", "y.yaml"]).expectExit(0)
  }

  @Test(
    "Few threads and processes end with words, and enough of them are no matter",
    .enabled(if: geteuid() == 0))
  func threads() throws {
    chmod(project.path, 0o755)
    // A user of this test's own, as all processes of one count together.
    func run(_ limit: Int) throws -> BuiltRunner.Outcome {
      try BuiltRunner.run(
        ["run", "\(project.path)/x.yaml"],
        prefix: [
          "setpriv", "--reuid=61234", "--regid=61234", "--clear-groups", "bash", "-c",
          "ulimit -u \(limit); exec \"$@\"", "bash",
        ])
    }
    let few = try run(8)
    let enough = try run(200)

    few.expectExit(3)
    #expect(
      few.text.contains(
        "more threads and processes, but a run needs 11\nhelp: raise it: ulimit -u"),
      "\(few.text)")
    enough.expectExit(0)
  }

  /// A scenario whose target holds connections to the mock server, each of which the runner has a file for.
  private func writeClient(_ body: String, rule: String = "", expect: String) throws {
    let lines = """
      import socket
      address = socket.gethostbyname("api.example.com")
      held = []
      def connect(place):
          held.append(socket.create_connection((place, 80)))
          held[-1].sendall(b"GET / HTTP/1.1\\r\\nHost: api.example.com\\r\\n\\r\\n")
          assert held[-1].recv(1) == b"H"
      \(body)
      """
    try project.write(
      """
      version: 2
      name: z
      \(rule)
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target:
        command:
          - python3
          - -c
          - |
      \(lines.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
      responses: [{ request: GET http://api.example.com/, reply: { text: hi }, then: repeat }]
      expect: { \(expect) }

      """, to: "z.yaml")
  }

  @Test(
    "Where no file is left for a client of the mock server, nothing is decided",
    arguments: ["address", #""api.example.com""#])
  func exhausted(place: String) throws {
    try writeClient(
      "for _ in range(100): connect(\(place))\nprint(len(held))",
      expect: #"exit: 0, stdout: "100\n""#)

    let few = try run("-n 64", ["run", "z.yaml"])
    let enough = try run("-n 1024", ["run", "z.yaml"])

    few.expectExit(3)
    #expect(
      few.output.contains("error: the runner is out of resources for a client of "), "\(few.text)")
    #expect(few.output.contains("Too many open files (raise it: ulimit -n)"))
    enough.expectExit(0)
  }

  @Test("Where no file is left to ask a real host, nothing is decided")
  func noUpstream() throws {
    let backends = try RealBackends()
    let port = try backends.startPython(Backends.unfinished, named: "unfinished")
    try writeClient(
      """
      held = [socket.create_connection((address, 80)) for _ in range(25)]
      for one in held:
          one.sendall(b"GET /real HTTP/1.1\\r\\nHost: api.example.com\\r\\n\\r\\n")
          assert one.recv(1) == b"H"
      print(len(held))
      """,
      rule: "network: { mode: spy, upstreams: { 'api.example.com:80': '127.0.0.1:\(port)' } }",
      expect: #"exit: 0, stdout: "25\n""#)
    let lines = try #require(project.read("z.yaml")).split(separator: "\n")
    try project.write(
      lines.filter { !$0.hasPrefix("responses:") }.joined(separator: "\n"), to: "z.yaml")

    let few = try run("-n 64", ["run", "z.yaml"])
    let enough = try run("-n 1024", ["run", "z.yaml"])

    few.expectExit(3)
    #expect(
      few.output.contains("error: the runner is out of resources for a client of "), "\(few.text)")
    enough.expectExit(0)
  }

  @Test("Where no file is left to look where a call leads, nothing outside is changed unseen")
  func unseen() throws {
    mkdir("\(project.path)/outside", 0o700)
    try writeClient(
      """
      for number in range(100):
          connect(address)
          try:
              open(f"\(project.path)/outside/{number}", "w")
          except OSError as error:
              if error.strerror != "Read-only file system":
                  print(error.strerror)
                  break
      """, rule: "files: { outside: refuse }", expect: #"exit: 0, stdout: "Too many open files\n""#)

    let outcome = try run("-n 64", ["run", "z.yaml"])

    outcome.expectExit(0)
    #expect(TemporaryFolder.names("\(project.path)/outside").isEmpty)
  }
}

@Suite("The folders of a runner that was killed")
struct KilledRunnerTests {
  @Test("A later run removes what a killed one has left, and spares what somebody keeps")
  func swept() throws {
    let project = try ProjectFolder()
    try project.write(
      """
      version: 2
      target: { command: [sh, -c, 'echo up > \(project.path)/up; exec sleep 1000'] }

      """, to: "waits.yaml")
    try project.write("version: 2\ntarget: { command: ['true'] }\n", to: "x.yaml")
    mkdir("\(project.path)/tmp", 0o700)
    let place = ["env", "TMPDIR=\(project.path)/tmp"]
    func names() -> [String] { TemporaryFolder.names("\(project.path)/tmp") }
    func kill(_ options: [String]) throws {
      unlink("\(project.path)/up")
      let runner = try BuiltRunner.start(
        ["run", "\(project.path)/waits.yaml"] + options, prefix: place)
      try runner.await("started its target") { project.read("up") != nil }
      #expect(Glibc.kill(runner.process, SIGKILL) == 0)
      #expect(runner.wait().exitCode == 128 + SIGKILL)
    }

    try kill([])
    try #require(names().count == 1)
    // What the killed one has started ends by itself, and may still hold its folder.
    var rounds = 0
    while !names().isEmpty, rounds < 1_000 {
      let outcome = try BuiltRunner.run(["run", "\(project.path)/x.yaml"], prefix: place)
      outcome.expectExit(0)
      rounds += 1
    }
    #expect(names().isEmpty)

    try kill(["--keep-workdir", "all"])
    let kept = names()
    #expect(kept.count == 1)
    for _ in 0..<3 {
      try BuiltRunner.run(["run", "\(project.path)/x.yaml"], prefix: place).expectExit(0)
    }
    #expect(names() == kept)
  }

  @Test(
    "What a target mounts over a folder of its case stays as it is when the case's is removed",
    .enabled(if: geteuid() == 0),
    arguments: [
      "$HOME", "$HOME/a/b", "$(dirname \"$HOME\")", "$(dirname \"$(dirname \"$HOME\")\")",
    ])
  func mounted(place: String) throws {
    let project = try ProjectFolder()
    let precious = "\(project.path)/precious"
    try #require(mkdir(precious, 0o750) == 0 && chmod(precious, 0o750) == 0)
    try project.write("kept\n", to: "precious/file")
    try project.write("kept\n", to: "precious/folder/file")
    try project.write(
      """
      version: 2
      target:
        command:
          - sh
          - -c
          - |
            place=\(place)
            mkdir -p "$place" && mount --bind \(precious) "$place" && cat "$place/file"
      expect: { stdout: { lines: [kept] } }

      """, to: "x.yaml")
    let prefix = ["unshare", "--mount"]
    let trial = ["-c", "mount -t tmpfs tmpfs /tmp"]
    guard try BuiltRunner.command(prefix + ["sh"] + trial).exitCode == 0 else {
      return print("skipped: nothing can be mounted here")
    }

    let outcome = try BuiltRunner.run(["run", "\(project.path)/x.yaml"], prefix: prefix)

    outcome.expectExit(0)
    #expect(outcome.text.contains("warning: cannot remove "), "\(outcome.text)")
    #expect(project.read("precious/file") == "kept\n")
    #expect(project.read("precious/folder/file") == "kept\n")
    var status = stat()
    #expect(stat(precious, &status) == 0 && status.st_mode & 0o777 == 0o750)
  }
}
