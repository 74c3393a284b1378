import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("By which variables a process trusts")
struct TrustUseTests {
  @Test("What a program was given by its kind counts, and what was taken from it does not")
  func variables() throws {
    let written = ["NODE_EXTRA_CA_CERTS=/ca.pem", "PIP_CERT=/own.pem", "OTHER=x"]
    var environment = written.map { strdup($0) } + [nil]
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
    defer { (environment + arguments).forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, &environment) == 0)
    defer {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    // vfork(2) releases the parent a little before the new program has its environment.
    let limit = RunnerClock.now() + .seconds(30)
    while SmallFile.bytes("/proc/\(process)/environ")?.isEmpty ?? false {
      try #require(RunnerClock.now() < limit)
      sched_yield()
    }
    func variables(_ prepare: (TrustUse) -> Void) -> [String]? {
      let use = TrustUse()
      prepare(use)
      use.readVariables(
        of: ThreadIdentifier(process),
        among: ["NODE_EXTRA_CA_CERTS", "PIP_CERT", "SSL_CERT_FILE"])
      return use.variables
    }

    #expect(variables { _ in } == ["NODE_EXTRA_CA_CERTS=/ca.pem", "PIP_CERT=/own.pem"])
    let told = variables {
      $0.record(given: ["SSL_CERT_FILE=/ca.pem"], withdrawn: ["NODE_EXTRA_CA_CERTS=/ca.pem"])
    }
    #expect(told == ["PIP_CERT=/own.pem", "SSL_CERT_FILE=/ca.pem"])
    let again = variables { $0.record(given: ["PIP_CERT=/own.pem"], withdrawn: []) }
    #expect(again == ["NODE_EXTRA_CA_CERTS=/ca.pem", "PIP_CERT=/own.pem"])
  }
}
