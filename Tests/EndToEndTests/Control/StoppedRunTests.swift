import Glibc
import Testing

@Suite("While the run is stopped, none of its limits runs out")
struct StoppedRunTests {
  /// Starts a program in a process group of its own, as a shell does; once the target runs, stops the group as Ctrl-Z
  /// does, or does not, lets time pass, continues it as `fg` does, and lets the target end.
  private static let shell = """
    import os, signal, sys, time
    folder, stops, command = sys.argv[1], sys.argv[2] == "stops", sys.argv[3:]
    os.setsid()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.execvp(command[0], command)
    while not os.path.exists(folder + "/runs"): time.sleep(0.01)
    if stops:
        os.killpg(child, signal.SIGTSTP)
        assert os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1])
    end = time.monotonic() + 7
    while time.monotonic() < end: time.sleep(0.01)
    os.killpg(child, signal.SIGCONT)
    open(folder + "/go", "w").close()
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  /// A limit of real time, shorter than the stop.
  enum Limit: CaseIterable {
    case ofCase, ofStep, ofCommand, ofRun

    /// The settings of a scenario in which a command runs under the limit.
    func scenario(_ command: String) -> String {
      let target = "target: { command: \"\(self == .ofCommand ? ":" : command)\" }"
      return switch self {
      case .ofCase: "\(target)\ntimeout: 5s"
      case .ofStep: "\(target)\nsteps:\n  - run:\n    timeout: 5s"
      case .ofCommand: "\(target)\nsteps:\n  - exec: \"\(command)\"\n    timeout: 5s\n  - run:"
      case .ofRun: target
      }
    }

    var options: [String] { self == .ofRun ? ["--global-timeout", "5s"] : [] }
  }

  private func run(_ limit: Limit, stops: Bool) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(
      """
      version: 2
      \(limit.scenario("> \(folder.path)/runs; until [ -e \(folder.path)/go ]; do sleep 0.05; done"))

      """, to: "stopped.yaml")
    let script = folder.write(Self.shell, to: "shell.py")
    let outcome = try BuiltRunner.run(
      ["run", path] + limit.options,
      prefix: ["python3", script, folder.path, stops ? "stops" : "goes on"])
    withExtendedLifetime(folder) {}
    return outcome
  }

  @Test("Time in which it is stopped by Ctrl-Z counts for none of them", arguments: Limit.allCases)
  func stopped(limit: Limit) throws {
    let outcome = try run(limit, stops: true)

    outcome.expectExit(0)
  }

  @Test("The same time without a stop counts", arguments: Limit.allCases)
  func running(limit: Limit) throws {
    let outcome = try run(limit, stops: false)

    #expect(outcome.exitCode != 0, "\(outcome.text)")
    #expect(outcome.text.contains("5s"), "\(outcome.text)")
  }
}
