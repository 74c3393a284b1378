import Testing

@testable import ScenarioRunner

@Suite("The permission bits that files are made without")
struct FileModeMaskTests {
  @Test("They are those that a program which this process starts has")
  func current() throws {
    let shell = try Subprocess.run(["sh", "-c", "umask"])
    let text = String(decoding: shell.output, as: UTF8.self).filter(\.isNumber)

    #expect(FileModeMask.current() == UInt32(text, radix: 8))
  }

  @Test(
    "They are read from a process's status",
    arguments: [
      ("Name:\tx\nUmask:\t0022\nState:\tR\n", 0o022), ("Umask:\t0777\n", 0o777),
      ("Umask:\t0000\n", 0), ("Name:\tUmask:\n", nil), ("", nil),
    ] as [(String, UInt32?)])
  func status(text: String, mask: UInt32?) {
    #expect(FileModeMask.mask(in: text) == mask)
  }

  @Test("Asking for them at once from many threads leaves the process its own")
  func threads() async {
    let before = FileModeMask.current()

    let answers = await withTaskGroup(of: UInt32.self) { group in
      for _ in 0..<64 { group.addTask { FileModeMask.current() } }
      return await group.reduce(into: Set<UInt32>()) { $0.insert($1) }
    }

    #expect(answers == [before])
    #expect(FileModeMask.current() == before)
  }

  @Test("A program that the runner asks ignores and blocks no signal")
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
