import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Targets with a pseudo-terminal")
struct TargetTerminalTests {
  private func start(
    _ script: String, _ size: TerminalSize? = TerminalSize(columns: 80, rows: 24),
    clock: PlannedClock? = nil
  ) throws -> SupervisedProgram {
    let program = try SupervisedProgram(clock: clock)
    var request = LaunchRequest(
      path: "/bin/bash", arguments: ["bash", "--norc", "-c", script],
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "TERM=dumb"], directory: "/", input: .open)
    request.terminal = size
    try program.supervisor.start(request)
    return program
  }

  /// Waits until standard output holds a text.
  private func shows(_ text: String, of program: SupervisedProgram) -> Bool {
    var count = -1
    while case .happened = program.supervisor.awaitOutput(
      .output, beyond: count, deadline: program.deadline)
    {
      count = program.supervisor.output(.output).bytes.count
      if program.output.contains(text) { return true }
    }
    return program.output.contains(text)
  }

  @Test("All three streams are the controlling terminal of a session that the target leads")
  func session() throws {
    let script = """
      test -t 0 && test -t 1 && test -t 2 && echo three; stty size; echo error >&2
      read -r _ _ _ _ group session terminal foreground _ < /proc/$$/stat
      test $session = $$ && test $group = $$ && test $foreground = $$ && echo leads
      echo by its name > /dev/tty
      """
    let program = try start(script)
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "three\n24 80\nerror\nleads\nby its name\n")
    #expect(program.errorOutput == "")

    let piped = try start("test -t 0 || test -t 1 || test -t 2 || echo none", nil)
    #expect(piped.supervisor.closeInput())
    #expect(piped.awaitExit().hasHappened)
    #expect(piped.output == "none\n")
  }

  @Test("Control characters are the kernel's: what is typed is echoed, ends input, and interrupts")
  func lineDiscipline() throws {
    let program = try start(
      "cat; echo first ended; stty -echo; cat; trap 'echo interrupted; exit 7' INT; echo now; read x"
    )
    #expect(program.supervisor.send(Array("word\n".utf8)))
    #expect(program.supervisor.closeInput())
    #expect(shows("first ended", of: program))
    #expect(program.output == "word\nword\nfirst ended\n")
    #expect(program.supervisor.closeInput())
    #expect(shows("now", of: program))
    program.supervisor.awaitRest()
    #expect(program.supervisor.send([3]))
    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .exited(code: 7))
    #expect(!program.supervisor.send([3]))
  }

  @Test("Another size arrives with SIGWINCH")
  func resizing() throws {
    // Blocked, it cannot come between the look at what is pending and the wait, as it can in bash.
    let program = try start(
      """
      exec python3 -c 'import os, signal
      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
      print("now", flush=True)
      signal.sigwait([signal.SIGWINCH])
      os.system("stty size")'
      """)
    #expect(shows("now", of: program))
    #expect(program.supervisor.resizeTerminal(to: TerminalSize(columns: 120, rows: 40)))
    #expect(program.awaitExit().hasHappened)
    #expect(program.output.hasSuffix("40 120\n"))

    let piped = try start("read x", nil)
    #expect(!piped.supervisor.resizeTerminal(to: TerminalSize(columns: 120, rows: 40)))
  }

  @Test("No time passes while what was typed is under way; without it, time passes")
  func virtualTime() throws {
    let program = try start(
      "echo now; read -t 3600 x; echo \"$? $SECONDS\"", clock: .from2030(.held))
    #expect(shows("now", of: program))
    #expect(program.supervisor.send(Array("word\n".utf8)))
    #expect(program.awaitExit().hasHappened)
    #expect(program.output.hasSuffix("\n0 0\n"))

    let silent = try start("read -t 3600 x; echo \"$? $SECONDS\"", clock: .from2030(.auto))
    #expect(silent.awaitExit().hasHappened)
    #expect(silent.output == "142 3600\n")
  }

  @Test(
    "Questions are answered before any wait ends, and before what is typed behind them",
    arguments: [PlannedClock.from2030(.auto), PlannedClock.from2030(.held), nil] as [PlannedClock?])
  func questions(clock: PlannedClock?) throws {
    let script = #"""
      stty -echo
      printf 'ab\ncd\033[6n'
      IFS= read -r -t 3600 -d R reply
      read -r -t 3600 line
      echo "|${reply#*[}|$line|"
      """#
    let program = try start(script, clock: clock)
    #expect(shows("cd", of: program))
    #expect(program.supervisor.send(Array("typed\n".utf8)))
    #expect(program.awaitExit().hasHappened)
    #expect(program.output == "ab\ncd\u{1b}[6n|2;3|typed|\n")
  }

  @Test("Who asks without end and reads nothing ends all the same")
  func endlessQuestions() throws {
    let program = try start(
      #"stty -echo; for i in {1..20000}; do printf '\033[c\033[6n'; done; echo done; exit 3"#)
    #expect(program.awaitExit().hasHappened)
    #expect(program.supervisor.exitStatus() == .exited(code: 3))
    #expect(program.output.hasSuffix("done\n"))
  }
}
