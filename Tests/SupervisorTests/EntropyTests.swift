import Foundation
import Foundations
import Glibc
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Seeded entropy")
struct EntropyTests {
  private func run(
    _ words: [String], _ entropy: EntropySource, clock: PlannedClock? = .from2030(.held),
    chaos: [PlannedChaos] = []
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try SupervisedProgram(clock: clock, chaos: chaos, entropy: entropy)
    try program.start(words, directory: folder.path)
    #expect(program.awaitExit().hasHappened)
    #expect(program.errorOutput == "")
    let unheld = program.events.contains { if case .outOfReach = $0 { true } else { false } }
    #expect(!unheld)
    return program.output
  }

  /// The lines that a program prints, by their first word.
  private func lines(_ output: String) -> [String: [String]] {
    Dictionary(grouping: output.split(separator: "\n").map(String.init)) {
      String($0.prefix { $0 != " " })
    }
  }

  @Test(
    "Every way to random numbers gives the same with the same seed",
    arguments: ["entropy", "entropy-static"], [true, false])
  func same(name: String, hasClock: Bool) throws {
    let words = [try CompiledProgram.path(name)]
    let clock: PlannedClock? = hasClock ? .from2030(.held) : nil

    let first = try run(words, .seeded(7), clock: clock)
    let second = try run(words, .seeded(7), clock: clock)
    let other = try run(words, .seeded(8), clock: clock)

    #expect(first == second)
    // The counter that a processor has shows how far a program has got, whatever the seed.
    let steady = [
      "badflags", "badaddress", "writeonly", "sendfile", "splice", "uuid-end", "counter",
    ]
    let (firstLines, otherLines) = (lines(first), lines(other))
    #expect(firstLines.count == 28)
    for (word, lines) in firstLines {
      #expect((lines == otherLines[word]) == steady.contains(word), "\(word)")
    }
    // No two draws are the same.
    let draws = first.split(separator: "\n").filter { line in
      !steady.contains { line.hasPrefix($0) }
    }.map { $0.split(separator: " ").last ?? "" }
    #expect(Set(draws).count == draws.count)
  }

  @Test("What fails, fails as it would without a seed")
  func failures() throws {
    let output = try run([try CompiledProgram.path("entropy")], .seeded(7))
    let plain = try run([try CompiledProgram.path("entropy")], .real)

    for line in [
      "badflags error=EINVAL", "badaddress error=EFAULT", "writeonly error=EBADF", "uuid-end",
    ] {
      #expect(output.contains(line + "\n"))
      #expect(plain.contains(line + "\n"))
    }
    #expect(output.contains("splice error=EINVAL\n"))
    #expect(plain.matches(of: /splice [0-9a-f]+\n/).count == 1)
  }

  @Test("Without a seed each run has its own numbers")
  func real() throws {
    let words = [try CompiledProgram.path("entropy")]
    let (first, second) = (lines(try run(words, .real)), lines(try run(words, .real)))

    for word in ["start", "counter", "getrandom", "urandom", "uuid", "stdio", "child", "inherited"]
    {
      #expect(first[word] != second[word], "\(word)")
    }
  }

  @Test("Programs lie at the same addresses, where that may be asked for")
  func layout() throws {
    let words = [try CompiledProgram.path("entropy"), "places"]
    func places(_ entropy: EntropySource) throws -> String {
      let output = try run(words, entropy)
      return output.split(separator: "\n").first { $0.hasPrefix("places") }.map(String.init) ?? ""
    }

    // setarch(8) fails where personality(2) is forbidden.
    try #require(try run(["/usr/bin/setarch", "-R", "/bin/echo", "allowed"], .real) == "allowed\n")
    #expect(try places(.seeded(7)) == places(.seeded(8)))
    #expect(try places(.real) != places(.real))
  }

  @Test("Twenty threads that open the device at the same time share one stream")
  func crowd() throws {
    let script = """
      import os, threading
      barrier, drawn = threading.Barrier(20), []
      def draw():
          barrier.wait()
          file = os.open('/dev/urandom', os.O_RDONLY)
          drawn.append(os.read(file, 8).hex())
      threads = [threading.Thread(target=draw) for i in range(20)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      print(sorted(drawn))
      """
    let words = ["/usr/bin/python3", "-S", "-c", script]

    let first = try run(words, .seeded(7))

    for _ in 0..<5 { #expect(try run(words, .seeded(7)) == first) }
    #expect(try run(words, .seeded(8)) != first)
  }

  @Test("A static Go program draws the same, down to the order of its maps")
  func goProgram() throws {
    let words = [try CompiledProgram.path("draws")]

    let first = try run(words, .seeded(7))
    for _ in 0..<5 { #expect(try run(words, .seeded(7)) == first) }
    let (firstLines, otherLines) = (lines(first), lines(try run(words, .seeded(8))))
    #expect(firstLines.count == 5)
    for (word, lines) in firstLines { #expect(lines != otherLines[word], "\(word)") }
    #expect(try run(words, .real) != run(words, .real))
  }

  @Test(
    "Programs of every day draw the same with the same seed, and something else with another",
    arguments: [
      [
        "/usr/bin/python3", "-c",
        "import os,random,uuid; print(os.urandom(8), random.random(), uuid.uuid4(), hash('a'))",
      ],
      ["/usr/bin/openssl", "rand", "-hex", "16"],
      ["/usr/bin/node", "-p", "[require('crypto').randomBytes(8).toString('hex'), Math.random()]"],
      ["/usr/bin/sqlite3", ":memory:", "select random(), hex(randomblob(8))"],
      ["/usr/bin/mktemp", "-u"],
      ["/bin/sh", "-c", "seq 50 | sort -R"],
      ["/bin/sh", "-c", "seq 50 | shuf"],
      ["/usr/bin/perl", "-e", "print rand; %h = map {$_ => 1} 1..20; print join ' ', keys %h"],
      ["/bin/sh", "-c", "head -c 8 /dev/urandom | od -An -tx1; cat /proc/sys/kernel/random/uuid"],
      ["/bin/bash", "-c", "exec 5</dev/urandom; head -c 8 <&5 | od -An -tx1; cat <&5 | head -c 9"],
      ["/bin/bash", "-c", "echo $SRANDOM"],
    ])
  func programs(words: [String]) throws {
    try #require(access(words[0], X_OK) == 0, "\(words[0]) is missing")

    let first = try run(words, .seeded(7))

    #expect(first != "")
    #expect(try run(words, .seeded(7)) == first)
    #expect(try run(words, .seeded(8)) != first)
    #expect(try run(words, .real) != run(words, .real))
  }
}
