import Glibc
import Testing

@Suite("What a target may touch")
struct ContainmentTests {
  /// What such a target would reach without containment must not be the machine that runs the tests.
  private static let namespace = [
    "/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child",
  ]
  /// Starts a bystander, runs the rest, and says whether the bystander lives.
  private static let bystander =
    #"sleep 600 & "$@"; code=$?; kill -0 $! && echo bystander lives; kill $!; exit $code"#

  private static let hasNamespaces =
    (try? BuiltRunner.command(namespace + ["/bin/true"]).exitCode == 0) ?? false

  /// The prefixes of commands for each user: the kernel closes the runner to an ordinary one, and the supervisor to root.
  private static let users = [[]] + (OrdinaryUser.canRun ? [OrdinaryUser.prefix] : [])

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("version: 2\n" + text, to: "containment.yaml")
    let outcome = try BuiltRunner.run(
      ["run", path], prefix: Self.namespace + ["/bin/sh", "-c", Self.bystander, "sh"])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test(
    "A signal to everybody reaches the scenario's own processes and nobody else",
    .enabled(if: hasNamespaces, "no process namespace can be made here"),
    arguments: ["", "clock: { at: 2030-01-01T00:00:00Z, flow: auto }\n"])
  func everybody(clock: String) throws {
    let text =
      clock + """
        target:
          command:
            - bash
            - -c
            - |
              sleep 600 & first=$!; sleep 601 & second=$!; kill -TERM -1
              wait $first; echo $?; wait $second; echo $?
        expect: { exit: 0, stdout: "143\\n143\\n" }

        """
    let outcome = try run(text)

    outcome.expectExit(0)
    #expect(outcome.output.contains("bystander lives"), "\(outcome.text)")
    #expect(outcome.text.contains("signals all processes of the machine"), "\(outcome.text)")
    let wrong = try run(text.replacing("143\\n143", with: "0\\n0"))
    wrong.expectExit(1)
    #expect(wrong.output.contains("bystander lives"))
  }

  @Test(
    "A signal to everybody where nobody else is finds nobody",
    .enabled(if: hasNamespaces, "no process namespace can be made here"))
  func nobody() throws {
    let outcome = try run(
      """
      target: { command: [bash, -c, "kill -0 -1"] }
      expect: { exit: 1, stderr: { contains: No such process } }

      """)

    outcome.expectExit(0)
  }

  @Test(
    "A process namespace of the target's own is its own affair",
    .enabled(if: hasNamespaces, "no process namespace can be made here"))
  func inner() throws {
    let outcome = try run(
      """
      target:
        command: [unshare, --pid, --fork, sh, -c, "sleep 600 & kill -TERM -1; wait $!; echo $?"]
      expect: { exit: 0, stdout: "143\\n" }

      """)

    outcome.expectExit(0)
    #expect(!outcome.text.contains("all processes of the machine"), "\(outcome.text)")
  }

  @Test("A run whose runner is stopped alone ends with its report and without survivors")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target: { command: "echo $$ > \(folder.path)/number; exec sleep 600" }
      timeout: 10m

      """, to: "stopped.yaml")
    let running = try BuiltRunner.start(["run", path])
    let target = try ProcessWatch.number(in: "\(folder.path)/number")
    kill(running.process, SIGSTOP)
    let outcome = running.wait()

    outcome.expectExit(143)
    #expect(outcome.text.contains("the run was interrupted"), "\(outcome.text)")
    #expect(ProcessWatch.isGone(target))
    withExtendedLifetime(folder) {}
  }

  @Test(
    "The runner gets no signal from a target, and shows it nothing of its own", arguments: users)
  func runner(user: [String]) throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let path = folder.write(
      """
      version: 2
      target:
        command: |
          for signal in 0 STOP KILL TERM; do kill -$signal $PPID 2>/dev/null || echo refused; done
          cat /proc/$PPID/environ >/dev/null 2>&1 || echo closed
      expect: { stdout: "refused\\nrefused\\nrefused\\nrefused\\nclosed\\n" }

      """, to: "runner.yaml")
    let outcome = try BuiltRunner.run(["run", path], prefix: user)
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
    #expect(outcome.text.contains("signals a process outside of the scenario"))
  }

  @Test("The runner's files stay closed behind links of the kernel's and folders that stand open")
  func runnerBehindLinks() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: |
          cd /proc
          exec 9< /proc
          for path in self/cwd/$PPID thread-self/../../../$PPID self/fd/9/$PPID self/root/proc/$PPID; do
            cat /proc/$path/environ > /dev/null 2>&1 || echo closed
            cat /proc/$path/cmdline > /dev/null || echo bad
          done
          cat /dev/fd/9/$PPID/environ > /dev/null 2>&1 || echo closed
          cat $PPID/environ > /dev/null 2>&1 || echo closed
          cat /proc/self/fd/9/$PPID/fd/0 > /dev/null 2>&1 || echo closed
          cat /proc/self/cwd/$$/environ > /dev/null || echo bad
          cd "$HOME"; mkdir -p proc/$PPID; echo own > proc/$PPID/environ; cat proc/$PPID/environ
      expect: { stdout: "closed\\nclosed\\nclosed\\nclosed\\nclosed\\nclosed\\nclosed\\nown\\n", stderr: "" }

      """, to: "links.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
  }

  @Test("They stay closed behind symbolic links of the target's own, which lead anywhere else")
  func runnerBehindOwnLinks() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: |
          ln -s /proc/self/environ before; cat before > /dev/null || echo bad
          ln -s /proc/$PPID/environ file
          ln -s /proc/$PPID folder
          ln -s folder chain; ln -s chain/../$PPID/environ around
          ln -s ../../../../../../../../proc/$PPID/root/etc/hostname root
          ln -s folder/fd/0 input
          for path in file folder/environ chain/environ ./folder/../self/../$PPID/environ around root input \
            "$PWD/file" "$PWD/chain/mem"; do
            cat $path > /dev/null 2>&1 || echo closed
          done
          mkdir sub; cd sub; cat ../file > /dev/null 2>&1 || echo closed
          exec 9< ../folder; cd ..
          cat /proc/self/fd/9/environ > /dev/null 2>&1 || echo closed
          cat /dev/fd/9/environ > /dev/null 2>&1 || echo closed
          echo own > words; ln -s words link; ln -s /proc/$$/environ mine; ln -s /proc/thread-self/status status
          ln -s /dev/stdin typed
          cat folder/cmdline link mine before status > /dev/null || echo bad
          echo typed | cat typed
          cat link
      expect:
        stdout: "\(String(repeating: "closed\\n", count: 12))typed\\nown\\n"
        stderr: ""

      """, to: "links.yaml")
    let outcome = try BuiltRunner.run(["run", path])
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
  }

  /// Runs a command in a terminal of its own, whose path is in a variable.
  private static let inTerminal = [
    "python3", "-c",
    "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))",
    "sh", "-c", #"RUNNERS_TERMINAL=$(tty) exec "$@""#, "sh",
  ]
  /// Whether a process without capabilities may type into its own terminal (proc(5): dev.tty.legacy_tiocsti).
  private static let terminalsTakeInput =
    geteuid() == 0 || TemporaryFolder.read("/proc/sys/dev/tty/legacy_tiocsti") != "0\n"

  @Test(
    "A target types into its own terminal, and not into the runner's",
    .enabled(if: terminalsTakeInput, "this kernel lets nobody type into a terminal (TIOCSTI)"),
    arguments: [true, false])
  func typing(hasTerminal: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, type.py]
        \(hasTerminal ? "terminal: 20x4" : "env: { pass: [RUNNERS_TERMINAL] }")
        files:
          type.py: |
            import fcntl, os, sys
            try:
                path = os.environ.get("RUNNERS_TERMINAL", "/dev/tty")
                with open(path, "wb", buffering=0) as terminal:
                    for byte in b"x\\n": fcntl.ioctl(terminal, 0x5412, bytes([byte]))
            except PermissionError:
                print("refused")
            else:
                print("read", input())
      expect: { exit: 0, \(hasTerminal ? "screen: { contains: read x }" : "stdout: refused") }

      """, to: "typing.yaml")
    let outcome = try BuiltRunner.run(["run", path], prefix: Self.inTerminal)
    withExtendedLifetime(folder) {}

    outcome.expectExit(0)
    #expect(
      outcome.text.contains("types into a terminal outside of the scenario: ioctl fails with EPERM")
        == !hasTerminal, "\(outcome.text)")
  }
}
