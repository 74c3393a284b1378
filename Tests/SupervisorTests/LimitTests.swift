import Foundations
import Glibc
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Limits of the target")
struct LimitTests {
  private func run(
    _ words: [String], _ limits: TargetLimits?, clock: PlannedClock? = nil
  ) throws -> (output: String, program: SupervisedProgram) {
    let program = try SupervisedProgram(clock: clock, limits: limits)
    try program.start(words)
    #expect(program.awaitExit().hasHappened)
    return (program.output, program)
  }

  private func run(_ what: String, _ limits: TargetLimits?, name: String = "limits") throws
    -> String
  {
    try run([try CompiledProgram.path(name), what], limits).output
  }

  @Test(
    "Twenty threads get exactly what is allowed, ten times", arguments: ["limits", "limits-static"])
  func exactness(name: String) throws {
    var memory: Set<String> = []
    for _ in 0..<10 {
      // All descriptors but the three that every program has.
      #expect(try run("files", TargetLimits(files: 64), name: name) == "61 EMFILE\n")
      // Twenty-one are threads.
      #expect(try run("children", TargetLimits(processes: 40), name: name) == "19 ok\n")
      memory.insert(try run("memory", TargetLimits(memory: 64 << 20), name: name))
    }
    #expect(memory.count == 1)
    let count = try #require(memory.first.flatMap { Int($0.dropLast()) })
    #expect((60..<64).contains(count))
    // Twice as much is 64 MiB more.
    #expect(try run("memory", TargetLimits(memory: 128 << 20), name: name) == "\(count + 64)\n")
  }

  @Test("Only what is private and can be written counts, whichever call it comes from")
  func kinds() throws {
    let output = try run("kinds", TargetLimits(memory: 16 << 20))

    #expect(
      output == """
        private ENOMEM
        shared ok
        readonly ok
        reserved ok
        mprotect-part ok
        mprotect ENOMEM
        mremap ENOMEM
        brk ENOMEM
        malloc ENOMEM
        child ok
        child-more ENOMEM
        parent ok

        """)
    #expect(try !run("kinds", nil).contains("ENOMEM"))
  }

  @Test("Threads and processes count, each way of making them, until they are gone")
  func threads() throws {
    let output = try run("threads", TargetLimits(processes: 6))

    #expect(
      output == """
        threads 5 EAGAIN
        fork EAGAIN
        vfork EAGAIN
        clone3 EAGAIN
        untraced EAGAIN
        grandchild EAGAIN
        again ok
        grandchild EAGAIN
        again ok
        grandchild EAGAIN
        again ok

        """)
  }

  @Test("A thread that has been waited for makes room at once, in twenty threads at a time")
  func crowd() throws {
    // The first thread, twenty in the crowd, and one of each of them.
    #expect(try run("crowd", TargetLimits(processes: 41)) == "1000\n")
    #expect(try run("crowd", TargetLimits(processes: 30)) != "1000\n")
  }

  @Test("No process widens its limits, not even root's")
  func raising() throws {
    let output = try run("raise", TargetLimits(memory: 64 << 20, files: 32))
    let answers = "more EPERM\nprlimit EPERM\nodd EINVAL\nless ok\nback ok\n"

    #expect(output == "limit 67108864 67108864\n\(answers)limit 32 32\n\(answers)")
  }

  @Test("A limit that only processes have leaves memory and files alone")
  func others() throws {
    #expect(try run("kinds", TargetLimits(processes: 4)).contains("private ok"))
    #expect(try run("files", TargetLimits(memory: 64 << 20)) != "29 EMFILE\n")
  }

  @Test("A target that does not come to its own code is told of")
  func tooSmall() throws {
    let words = [try CompiledProgram.path("limits"), "raise"]
    func isTold(_ program: SupervisedProgram) -> Bool {
      program.events.contains { if case .limitsTooSmall = $0 { true } else { false } }
    }

    #expect(isTold(try run(words, TargetLimits(files: 3)).program))
    #expect(!isTold(try run(words, TargetLimits(files: 4)).program))
    // One that fails in its own code has begun.
    #expect(!isTold(try run(["/bin/false"], TargetLimits(files: 4)).program))
    #expect(throws: LaunchError.limitsTooSmall("memory 8192 bytes")) {
      _ = try run(words, TargetLimits(memory: 8_192))
    }
  }

  @Test("A static Go program is limited as any other")
  func goProgram() throws {
    let words = [try CompiledProgram.path("draws")]

    #expect(try run(words, TargetLimits(memory: 64 << 20)).output.contains("seeded"))
    let (output, program) = try run(words, TargetLimits(memory: 1 << 20))
    #expect(output == "")
    #expect(program.errorOutput.contains("out of memory"))
    let (_, crowded) = try run(words, TargetLimits(processes: 1))
    #expect(crowded.errorOutput.contains("failed to create new OS thread"))
  }

  @Test("A shell that cannot fork waits and tries again, in virtual time")
  func shell() throws {
    let script = "sleep 100 & sleep 100 & sleep 100 & wait; echo done"
    let clock = PlannedClock.from2030(.auto)

    let (output, program) = try run(
      ["/bin/bash", "-c", script], TargetLimits(processes: 3), clock: clock)

    #expect(output == "")
    #expect(program.errorOutput.ranges(of: "fork: retry: Resource temporarily").count == 4)
    #expect(program.view.reading().elapsed == .seconds(15))
    let (done, free) = try run(
      ["/bin/bash", "-c", script], TargetLimits(processes: 4), clock: clock)
    #expect(done == "done\n")
    #expect(free.errorOutput == "")
  }
}
