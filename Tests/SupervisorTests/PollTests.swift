import CSupervisor
import Foundations
import Testing

@testable import Supervisor

@Suite("Who polls, and nothing comes of it")
struct PollTests {
  private let place = PollRecord.Place(address: 4_096, systemCall: SystemCallNumber.poll)
  private let other = PollRecord.Place(address: 4_200, systemCall: SystemCallNumber.poll)

  /// A record of waits that have timed out.
  private func record(_ count: Int) -> PollRecord {
    var record = PollRecord(place: place)
    record.begin(at: place)
    for _ in 0..<count {
      _ = record.expire()
      record.begin(at: place)
    }
    return record
  }

  @Test("A thread is patient for as many waits as are asked for, not one fewer")
  func patience() {
    #expect(!record(PollRecord.patience - 1).isIdle)
    #expect(record(PollRecord.patience).isIdle)
  }

  @Test("It is looked at each time at first, and then now and then")
  func looks() {
    var record = PollRecord(place: place)
    record.begin(at: place)
    var looks: [Int] = []
    for round in 1...PollRecord.patience + 3 * PollRecord.sample {
      if record.expire() { looks.append(round) }
      record.begin(at: place)
    }
    let later = (1...3).map { PollRecord.patience + $0 * PollRecord.sample }

    #expect(looks == Array(1...PollRecord.patience) + later)
  }

  @Test("Whatever it does ends that, and so does a wait elsewhere")
  func effects() {
    var written = record(100)
    _ = written.expire()
    written.recordEffect()
    written.begin(at: place)
    #expect(!written.isIdle)

    var moved = record(100)
    _ = moved.expire()
    moved.begin(at: other)
    #expect(!moved.isIdle)

    var woken = record(100)
    woken.recordEffect()
    woken.begin(at: place)
    #expect(!woken.isIdle)
  }

  private func isWithout(_ call: String, _ arguments: UInt64..., result: Int) throws -> Bool {
    var registers = Registers()
    registers.systemCall = try #require(SystemCallTable.current.number(of: call))
    for (index, argument) in arguments.enumerated() { registers[argument: index] = argument }
    registers.result = result
    let process = TargetProcess(
      ThreadIdentifier(1), arguments: ["sh"], memories: OpenMemories())
    return PollEffects.isWithout(registers, of: Tracee(ThreadIdentifier(1), of: process))
  }

  @Test(
    "Calls that only look are without effect",
    arguments: [
      ("getpid", [], 7), ("write", [1], -11), ("accept4", [3], -11), ("wait4", [], 0),
      ("futex", [0, 129, 1], 0), ("futex", [0, 128], 0), ("kill", [1, 0], 0),
      ("openat", [0, 0, 0], 3),
      ("openat", [0, 0, 0x80000], 3), ("poll", [], 0), ("fcntl", [3, 3], 2),
    ] as [(String, [UInt64], Int)])
  func looking(call: String, arguments: [UInt64], result: Int) throws {
    let words = arguments + Array(repeating: 0, count: 3)
    #expect(try isWithout(call, words[0], words[1], words[2], result: result))
  }

  @Test(
    "Those that somebody else could notice are not",
    arguments: [
      ("write", [1], 5), ("sendto", [3], 0), ("accept4", [3], 4), ("wait4", [], 99),
      ("futex", [0, 129, 1], 1), ("kill", [1, 15], 0), ("tgkill", [1, 1, 10], 0), ("fork", [], 12),
      ("openat", [0, 0, 0o101], 3), ("open", [0, 0o1000], 3), ("unlink", [], 0), ("poll", [], 1),
      ("fcntl", [3, 6], 0), ("connect", [3], -115), ("futex", [0, 7], 0), ("fsync", [3], 0),
      ("read", [.max], 8), ("exit_group", [], 0),
    ] as [(String, [UInt64], Int)])
  func changing(call: String, arguments: [UInt64], result: Int) throws {
    let words = arguments + Array(repeating: 0, count: 3)
    #expect(try !isWithout(call, words[0], words[1], words[2], result: result))
  }
}
