import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Several targets under one supervisor")
struct SeveralTargetsTests {
  private func request(_ script: String, _ input: LaunchRequest.Input = .open) -> LaunchRequest {
    LaunchRequest(
      path: "/bin/bash", arguments: ["/bin/bash", "-c", script],
      environment: ["PATH=/usr/bin:/bin"],
      directory: "/", input: input)
  }

  private var deadline: Nanoseconds { RunnerClock.now() + .seconds(600) }

  @Test("Each has its own streams, input and end, while both run")
  func apart() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let supervisor = program.supervisor
    let (first, second) = (TargetNumber.first, TargetNumber(1))
    try supervisor.start(request("read x; echo first $x; exit 1"))
    try supervisor.start(request("read x; echo second $x >&2; exit 2"), as: second)

    #expect(supervisor.exitStatus() == nil)
    #expect(supervisor.send(Array("b\n".utf8), to: second))
    #expect(supervisor.awaitExit(of: second, deadline: deadline).hasHappened)
    #expect(supervisor.exitStatus(of: second) == .exited(code: 2))
    #expect(supervisor.exitStatus(of: first) == nil)
    #expect(supervisor.send(Array("a\n".utf8)))
    #expect(supervisor.awaitExit(deadline: deadline).hasHappened)
    #expect(supervisor.snapshot().exitStatus == .exited(code: 1))
    #expect(supervisor.output(.output).bytes == Array("first a\n".utf8))
    #expect(supervisor.output(.output, of: second).bytes == [])
    #expect(supervisor.output(.error, of: second).bytes == Array("second b\n".utf8))
  }

  @Test("A signal reaches the target that it is sent to, and no other")
  func signals() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let supervisor = program.supervisor
    try supervisor.start(request("read x; exit 5"))
    try supervisor.start(request("read x; exit 6"), as: TargetNumber(1))

    #expect(supervisor.signal(SIGTERM, to: TargetNumber(1)))
    #expect(supervisor.awaitExit(of: TargetNumber(1), deadline: deadline).hasHappened)
    #expect(supervisor.exitStatus(of: TargetNumber(1)) == .signaled(number: SIGTERM))
    #expect(!supervisor.signal(SIGTERM, to: TargetNumber(1)))
    #expect(supervisor.exitStatus() == nil)
    #expect(supervisor.closeInput())
    #expect(supervisor.awaitExit(deadline: deadline).hasHappened)
    #expect(supervisor.exitStatus() == .exited(code: 5))
  }

  @Test("Who reads no more lets the writer know")
  func closedOutput() throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    let supervisor = program.supervisor
    try supervisor.start(request("echo one; read x; echo two; exit 3"))
    #expect(supervisor.awaitOutput(.output, beyond: 3, deadline: deadline).hasHappened)

    #expect(supervisor.close(.output))
    #expect(!supervisor.close(.output))
    #expect(supervisor.closeInput())
    #expect(supervisor.awaitExit(deadline: deadline).hasHappened)
    #expect(supervisor.exitStatus() == .signaled(number: SIGPIPE))
    #expect(supervisor.output(.output).bytes == Array("one\n".utf8))
  }
}
