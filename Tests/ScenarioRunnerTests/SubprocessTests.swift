import Testing

@testable import ScenarioRunner

@Suite("Programs that the runner asks")
struct SubprocessTests {
  @Test("They ignore and block no signal")
  func signals() throws {
    let found = try Subprocess.run(["grep", "-e", "SigBlk", "-e", "SigIgn", "/proc/self/status"])

    let sets = String(decoding: found.output, as: UTF8.self).split(separator: "\n").map {
      UInt64($0.suffix(16), radix: 16)
    }
    // posix_spawn(3) of glibc ignores the two real-time signals that its threads have for themselves.
    let own: UInt64 = 1 << 31 | 1 << 32
    #expect(sets.count == 2)
    #expect(sets.allSatisfy { $0.map { $0 & ~own } == 0 }, "\(sets)")
  }
}
