import Testing

@Suite("On a terminal the runner shows what runs, and leaves nothing of it")
struct TerminalTests {
  /// Starts a program in a pseudo-terminal as a shell would, acts once the block is seen, and tells what stood on
  /// the screen then, what stands there at the end, and how the program ended.
  private static let harness = """
    import fcntl, os, pty, select, signal, struct, sys, termios, time, unicodedata
    width, action, go, awaited = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    command = sys.argv[5:]
    leader, follower = pty.openpty()
    fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    shell = os.fork()
    if shell == 0:
        os.setsid()
        fcntl.ioctl(follower, termios.TIOCSCTTY, 0)
        for number in (0, 1, 2): os.dup2(follower, number)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.execvp(command[0], command)
        while True:
            _, status = os.waitpid(child, os.WUNTRACED)
            if not os.WIFSTOPPED(status): break
            os.tcsetpgrp(0, os.getpgrp())
            os.write(1, b"STOPPED\\n")
            os.tcsetpgrp(0, child)
            os.kill(child, signal.SIGCONT)
        os.write(1, b"exit %d\\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(follower)

    def screen(data):
        lines, row, column = [[]], 0, 0
        text, index = data.decode(errors="replace"), 0
        while index < len(text):
            letter = text[index]; index += 1
            if letter == "\\r": column = 0
            elif letter == "\\n": row += 1
            elif letter == "\\x1b":
                assert text[index:index + 1] in ("[", ""), "unknown sequence"
                index += 1
                start = index
                while index < len(text) and text[index] in "0123456789;": index += 1
                final = text[index:index + 1]; count = text[start:index]; index += 1
                if final == "A": row = max(0, row - int(count or 1))
                elif final == "J":
                    lines = lines[:row + 1]
                    lines[row] = lines[row][:column]
                else: assert final in ("m", ""), "unknown sequence"
            else:
                columns = 0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
                if column + columns > width: row, column = row + 1, 0
                while len(lines) <= row: lines.append([])
                while len(lines[row]) < column: lines[row].append(" ")
                lines[row][column:column + columns] = [letter] + [""] * (columns - 1)
                column += columns
            while len(lines) <= row: lines.append([])
        return [line for line in ("".join(line).rstrip() for line in lines)]

    def descendants(process):
        try:
            tasks = os.listdir(f"/proc/{process}/task")
            found = [int(one) for task in tasks for one in open(f"/proc/{process}/task/{task}/children").read().split()]
        except OSError: return []
        return found + [below for one in found for below in descendants(one)]

    # The target waits once it has written all that it writes.
    def target_waits(runner):
        for process in descendants(runner):
            try:
                if open(f"/proc/{process}/comm").read() == "sleep\\n": return True
            except OSError: pass
        return False

    data, seen, acted, asked = b"", None, False, False
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([leader], [], [], 0.1)
        if ready:
            try: piece = os.read(leader, 65536)
            except OSError: break
            if not piece: break
            data += piece
        now = screen(data)
        if seen is None and any(awaited in line for line in now) and now[-1].count(" running"):
            seen = now
        is_due = not acted and (seen is not None or awaited == "-")
        if is_due and (action != "dump" or target_waits(os.tcgetpgrp(leader))):
            acted = True
            group = os.tcgetpgrp(leader)
            if action == "interrupt": os.write(leader, b"\\x03")
            elif action == "stop": os.write(leader, b"\\x1a")
            elif action == "dump": os.kill(group, signal.SIGUSR1)
            else: open(go, "w").close()
        told = "STOPPED" if action == "stop" else "is running"
        if action in ("stop", "dump") and not asked:
            text = "\\n".join(now)
            if told in text and " running" in text.rsplit(told, 1)[1]:
                asked = True
                open(go, "w").close()
    else:
        print("too late"); sys.exit(1)
    sys.stdout.write("\\n".join(seen or []) + "\\f" + "\\n".join(screen(data)) + "\\f" + repr(data))
    """

  /// What was on the screen.
  private struct Seen {
    var during: [String]
    var end: [String]
    var raw: String
    var text: String
  }

  private func play(
    _ arguments: [String] = [], width: Int = 90, action: String = "go",
    awaiting: String = "waits", variables: [String] = []
  ) throws -> Seen {
    let folder = try ProjectFolder()
    try folder.write(Self.harness, to: "harness.py")
    try folder.write(
      """
      version: 2
      name: terminal
      scenarios:
        - name: "waits 世界e\u{301} and has a long name that no narrow terminal shows whole"
          target:
            command:
              - sh
              - -c
              - |
                printf '\\033[2Jevil\\n'
                until [ -e \(folder.path)/go ]; do sleep 0.02; done
                exit 1
          expect: { exit: 0 }
      """, to: "a.yaml")
    let outcome = try BuiltRunner.command(
      ["env", "-C", folder.path, "TERM=xterm"] + variables
        + ["python3", "harness.py", "\(width)", action, "\(folder.path)/go", awaiting]
        + [BuiltRunner.executable, "run", "a.yaml"] + arguments)
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    let parts = outcome.output.split(separator: "\u{0C}", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    func lines(_ text: Substring) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return Seen(
      during: lines(parts[0]), end: lines(parts[1]), raw: String(parts[2]), text: outcome.text)
  }

  @Test("The block stands below and is gone at the end", arguments: [44, 60, 90, 200])
  func block(width: Int) throws {
    let seen = try play(width: width)

    #expect(seen.during.count == 2, "\(seen.text)")
    #expect(seen.during.first?.hasPrefix("RUN   [") == true)
    #expect(seen.during.last?.hasPrefix("0/1 · 1 running · ") == true)
    #expect(seen.end.first?.hasPrefix("FAIL  [") == true, "\(seen.text)")
    #expect(!seen.end.contains { $0.contains("running") || $0.hasPrefix("RUN") })
    #expect(seen.end.contains("exit 1"))
    #expect(seen.end.contains("exit code 1: an expectation failed"))
    #expect(!seen.raw.contains("\\x1b[2J"))
  }

  @Test(
    "Nothing is drawn on what is narrow or dumb, in CI, or where a list is wanted",
    arguments: [
      (39, [], []), (90, ["TERM=dumb"], []), (90, ["CI=true"], []), (90, [], ["--ui", "list"]),
    ] as [(Int, [String], [String])])
  func plain(width: Int, variables: [String], arguments: [String]) throws {
    let seen = try play(
      arguments + ["--color", "never"], width: width, awaiting: "-", variables: variables)

    #expect(!seen.raw.contains("\\x1b"), "\(seen.text)")
    #expect(seen.raw.contains("0 passed, 1 failed\\r\\n"), "\(seen.text)")
  }

  @Test("NO_COLOR takes colours away, and leaves the block")
  func noColour() throws {
    let seen = try play(variables: ["NO_COLOR=1"])

    #expect(seen.raw.contains("\\x1b[J"))
    #expect(!seen.raw.contains("\\x1b[3") && !seen.raw.contains("\\x1b[1;"), "\(seen.text)")
  }

  @Test("Ctrl-C takes the block away and still tells how it went")
  func interrupted() throws {
    let seen = try play(action: "interrupt")

    #expect(!seen.end.contains { $0.contains(" running") || $0.contains("^C") }, "\(seen.text)")
    #expect(seen.end.contains("the run was interrupted"))
    #expect(seen.end.contains("exit 130"))
  }

  @Test(
    "Ctrl-Z stops the runner with a clean terminal; it goes on below what was written meanwhile")
  func stopped() throws {
    let seen = try play(action: "stop")

    #expect(seen.end.first == "STOPPED", "\(seen.text)")
    #expect(!seen.end.contains { $0.contains(" running") || $0.hasPrefix("RUN") }, "\(seen.text)")
    #expect(seen.end.contains("exit 1"))
  }

  @Test(
    "What a target's own terminal brings wakes its reader at the instant at which it was written")
  func ownTerminal() throws {
    let outcome = try BuiltRunner.run(
      ["run", "\(BuiltRunner.root)/Tests/Stress/own-terminal.yaml", "--repeat", "5", "-j", "4"])

    outcome.expectExit(0)
    #expect(outcome.output.contains("15 passed, 0 failed"))
  }

  @Test("A target has no terminal unless the scenario gives it one, also where the runner has")
  func noTerminal() throws {
    let folder = try TemporaryFolder()
    let file = folder.write(
      """
      version: 2
      target: { command: [python3, -c, "import os\\ntry: os.open('/dev/tty', 0)\\nexcept OSError as e: print(e.strerror)"] }
      expect: { stdout: "No such device or address\\n" }

      """, to: "tty.yaml")
    let spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    let outcome = try BuiltRunner.run(["run", file], prefix: ["python3", "-c", spawn])

    outcome.expectExit(0)
    withExtendedLifetime(folder) {}
  }

  @Test("SIGUSR1 tells what runs, with its processes and its last output")
  func dump() throws {
    let seen = try play(action: "dump")

    #expect(seen.end.first == "1 scenario is running", "\(seen.text)")
    #expect(seen.end.contains { $0.hasPrefix("      process ") && $0.hasSuffix(": sh") })
    #expect(seen.end.contains("        \\x{1B}[2Jevil"))
    #expect(seen.end.contains("exit 1"))
  }

  /// Types into an interactive shell as a user would: a command, Ctrl-Z once it runs, and `fg`.
  private static let typist = """
    import os, pty, select, sys, time
    number, go, command = sys.argv[1], sys.argv[2], sys.argv[3]
    shell, leader = pty.fork()
    if shell == 0:
        os.environ.update(PS1="ready> ", TERM="dumb", HISTFILE="/dev/null")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    data, end = b"", time.monotonic() + 120
    def until(is_done):
        global data
        while not is_done():
            if time.monotonic() > end: print("too late:", data.decode(errors="replace")); sys.exit(1)
            if select.select([leader], [], [], 0.02)[0]: data += os.read(leader, 65536)
    def text(): return data.decode(errors="replace")
    until(lambda: "ready> " in text())
    os.write(leader, command.encode() + b"\\n")
    until(lambda: os.path.exists(number) and open(number).read().endswith("\\n"))
    os.write(leader, b"\\x1a")
    until(lambda: "Stopped" in text() and text().rstrip(" ").endswith("ready>"))
    os.write(leader, b"fg\\n")
    open(go, "w").close()
    until(lambda: "1 passed" in text() and text().rstrip(" ").endswith("ready>"))
    os.write(leader, b"echo ended with $?\\n")
    until(lambda: "ended with 0" in text())
    print(text())
    """

  @Test("Ctrl-Z in an interactive shell stops a run, and fg lets it go on to its end")
  func jobControl() throws {
    let folder = try TemporaryFolder()
    folder.write(Self.typist, to: "typist.py")
    folder.write(
      """
      version: 2
      name: waits
      target:
        command: 'echo $$ > \(folder.path)/number; until [ -e \(folder.path)/go ]; do sleep 0.02; done'
      expect: { exit: 0 }

      """, to: "a.yaml")
    let outcome = try BuiltRunner.command(
      [
        "env", "-C", folder.path, "python3", "typist.py", "\(folder.path)/number",
        "\(folder.path)/go", "\(BuiltRunner.executable) run a.yaml",
      ])

    outcome.expectExit(0)
    #expect(!outcome.text.contains("interrupted"), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }
}
