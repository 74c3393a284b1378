import Foundations
import Testing

@testable import Supervisor

@Suite("Order")
struct OrderTests {
  private static let programs = "\(Probe.root)/.build/programs"

  private func run(_ command: [String], _ flow: ClockFlow = .auto) throws -> String {
    let program = try SupervisedProgram(clock: .from2030(flow))
    try program.start(command)
    #expect(program.awaitExit().hasHappened, "\(program.output)")
    return program.output
  }

  @Test("Five processes that sleep sort their numbers, a hundred times out of a hundred")
  func processes() throws {
    let command = [
      "/usr/bin/bash", "\(Probe.root)/Tests/Programs/children.sh", "5", "3", "1", "4", "2",
    ]

    for _ in 0..<100 {
      #expect(try run(command) == "1\n2\n3\n4\n5\n")
    }
  }

  @Test("Hundreds of threads wake in the order of their deadlines, and each at its own")
  func threads() throws {
    // 371 has no divisor in common with 400: every delay occurs once.
    let delays = (0..<400).map { $0 * 371 % 400 + 1 }

    let output = try run(["\(Self.programs)/threads"] + delays.map(String.init))

    let woken = output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
    #expect(woken == Array(1...400))
  }

  @Test("A server that computes does not time its client out, twenty times out of twenty")
  func computing() throws {
    for _ in 0..<20 {
      let output = try run(["\(Self.programs)/computing_server", "compute", "500", "5000"])
      #expect(output == "answered after 0 ms\n")
    }
  }

  @Test(
    "A server that sleeps is compared with its client's timeout to the millisecond",
    arguments: [
      ("4999", "answered after 4999 ms\n"), ("5001", "timed out after 5000 ms\n"),
    ])
  func sleeping(length: String, expected: String) throws {
    for _ in 0..<20 {
      #expect(
        try run(["\(Self.programs)/computing_server", "sleep", length, "5000"]) == expected)
    }
  }

  @Test("Where time flows, half a second of computing is longer than a short timeout")
  func flowing() throws {
    let output = try run(["\(Self.programs)/computing_server", "compute", "500", "50"], .real)

    #expect(output.hasPrefix("timed out after "))
  }
}
