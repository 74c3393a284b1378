import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Waits whose end is the next thing to happen")
struct LookTests {
  /// A lone thread is known to be the next to wake; one of many is from its second wait on, as it is
  /// followed then; one of two never is.
  @Test("They end as the kernel would end them", arguments: [0, 1, 12])
  func ends(others: Int) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try CompiledProgram.path("looks"), "\(others)"])
    #expect(program.awaitExit().hasHappened)

    let expected = [
      "futex: -1 ETIMEDOUT after 30 ms",
      "shared futex: -1 ETIMEDOUT after 30 ms",
      "bitset: -1 ETIMEDOUT after 30 ms",
      "bitset of nothing: -1 EINVAL after 0 ms",
      "neighbour: -1 EAGAIN after 0 ms",
      "another: -1 EAGAIN after 0 ms",
      "askew: -1 EINVAL after 0 ms",
      "nowhere: -1 EFAULT after 0 ms",
      "poll: 0 - after 30 ms",
      "epoll: 0 - after 30 ms",
      "epoll and a signal: -1 EINTR after 0 ms",
      "no epoll: -1 EINVAL after 0 ms",
      "full poll: 1 - after 0 ms",
      "full epoll: 1 - after 0 ms",
      "futex again: -1 ETIMEDOUT after 30 ms",
    ].flatMap { [$0, $0, $0] }
    #expect(program.output.split(separator: "\n").map(String.init) == expected)
    // Six of the lines let time pass, three times each.
    #expect(program.supervisor.snapshot().control.moves == 18)
  }

  @Test("They do not end before what is due before them", arguments: [0, 12])
  func order(others: Int) throws {
    let program = try SupervisedProgram(clock: .from2030(.auto))
    try program.start([try CompiledProgram.path("looks"), "\(others)", "ticking"])
    #expect(program.awaitExit().hasHappened)

    // Thirty milliseconds, sixty, …, in sevens.
    #expect(program.output == "4 8 12 17 21 25 ")
  }
}

@Suite("The call that tells whether a wait has to wait")
struct TimedWaitLookTests {
  private func wait(_ kind: TimedWait.Kind, _ call: Int, _ arguments: [UInt64]) -> TimedWait {
    var entry = Registers()
    entry.systemCall = call
    for (index, argument) in arguments.enumerated() { entry[argument: index] = argument }
    return TimedWait(
      kind: kind, deadline: .monotonic(.seconds(1)), requested: .seconds(1), entry: entry)
  }

  @Test("poll and epoll are asked with no time")
  func descriptors() throws {
    let poll = wait(.poll, SystemCallNumber.poll, [64, 1, 30])
    let epoll = wait(.epoll, SystemCallNumber.epollWait, [3, 64, 1, 30])

    #expect(try #require(poll.look(in: nil))[argument: 2] == 0)
    #expect(try #require(epoll.look(in: nil))[argument: 3] == 0)
    #expect(poll.mustWait(after: 0))
    #expect(!poll.mustWait(after: 1))
  }

  @Test("A call that unmasks signals is not asked: one may be pending")
  func signals() {
    let call = SystemCallNumber.epollPwait
    #expect(wait(.epoll, call, [3, 64, 1, 30, 96]).look(in: nil) == nil)
    #expect(wait(.epoll, call, [3, 64, 1, 30, 0]).look(in: nil) != nil)
  }

  @Test("Calls whose timeout lies in memory are not asked")
  func pointers() {
    let calls = [
      wait(.epoll, SystemCallNumber.epollPwait2, [3, 64, 1, 96]),
      wait(.timedPoll(timeout: 96), SystemCallNumber.ppoll, [64, 1, 96]),
      wait(.sleep(remainder: 0), SystemCallNumber.nanosleep, [96, 0]),
    ]
    for call in calls { #expect(call.look(in: nil) == nil) }
  }

  @Test("A word that cannot be read, or that others may write, is not compared")
  func words() {
    let call = SystemCallNumber.futex
    #expect(wait(.futex(.wait), call, [64, 128, 4, 96]).look(in: nil) == nil)
    #expect(wait(.futex(.wait), call, [64, 0, 4, 96]).look(in: nil) == nil)
  }

  @Test("A private word is compared with another than it is", arguments: [4, 5, UInt32.max])
  func otherWord(word: UInt32) throws {
    // This process's own memory stands for a target's.
    let memory = try #require(TargetMemory(of: ThreadIdentifier(getpid())))
    let place = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { place.deallocate() }
    place.pointee = word
    let address = UInt64(UInt(bitPattern: place))
    func look(for expected: UInt32) -> Registers? {
      wait(
        .futex(.wait), SystemCallNumber.futex, [address, 128, UInt64(expected), 96]
      ).look(in: memory)
    }

    let registers = try #require(look(for: word))
    #expect(registers[argument: 2] != UInt64(word))
    #expect(registers[argument: 2] <= UInt64(UInt32.max))
    #expect(registers[argument: 3] == 0)
    #expect(look(for: word ^ 1) == nil)
  }
}
