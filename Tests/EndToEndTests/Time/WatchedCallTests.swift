import Glibc
import Testing

/// Calls that the supervisor is shown for the sake of something else.
@Suite("Calls that are watched for another reason")
struct WatchedCallTests {
  private static let programs = "\(BuiltRunner.root)/.build/programs"

  private func run(_ scenario: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run(["run", folder.write(scenario, to: "watched.yaml")])
  }

  @Test(
    "A thread that makes them in a circle holds time for nobody",
    arguments: ["mprotect", "mremap", "dup", "fcntl", "pipe2", "access", "lseek"])
  func circle(call: String) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: ["\(Self.programs)/spin", calls, "10", "200", \(call)] }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      chaos:
        - { name: unapplied, call: \(call), apply: false, provide: { error: ENOMEM } }
      expect: { stdout: "calls elapsed_ns=2010000000\\n" }

      """)
    outcome.expectExit(0)
  }

  @Test(
    "A socket's timeout ends a call as the kernel ends it",
    arguments: [
      ("recvfrom-address", "", ""), ("accept", ", limits: { open_files: 64 }", ""),
      ("accept", "", "accept"),
      ("accept4", "", "accept4"), ("recv", "", "recvfrom"),
    ])
  func timeout(name: String, limits: String, faultyCall: String) throws {
    let chaos =
      faultyCall.isEmpty
      ? "" : "chaos: [{ name: same, call: \(faultyCall), provide: { compute: result } }]"
    // The call returns what it returned.
    let account = faultyCall.isEmpty ? "" : ", chaos: { same: { fired: 0 } }"
    let outcome = try run(
      """
      version: 2
      target: { command: ["\(Self.programs)/socket_waits", \(name)]\(limits) }
      clock: { at: 2030-01-01T00:00:00Z, flow: auto }
      network: { unused: ignore }
      responses: [{ request: GET http://a.example.com/, reply: { text: hello } }]
      \(chaos)
      expect: { stdout: { contains: "\(name) result=-1 error=EAGAIN elapsed_ms=3" }\(account) }

      """)
    outcome.expectExit(0)
  }
}
