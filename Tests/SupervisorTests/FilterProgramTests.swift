import CSupervisor
import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

/// What the kernel does with a filter program, for the instructions that ours consist of.
struct FilterMachine {
  var program: [sock_filter]

  enum Verdict: Equatable {
    case allow
    case trace
    case fail(UInt32)
    case invalid
  }

  func run(
    _ number: Int, _ arguments: [UInt64] = [], architecture: UInt32 = 0xc000_003e
  ) -> Verdict {
    walk(number, arguments, architecture: architecture).verdict
  }

  /// What becomes of a call, and after how many instructions.
  func walk(
    _ number: Int, _ arguments: [UInt64] = [], architecture: UInt32 = 0xc000_003e
  ) -> (verdict: Verdict, steps: Int) {
    var data: [UInt32] = [UInt32(truncatingIfNeeded: number), architecture, 0, 0]
    for index in 0..<6 {
      let argument = index < arguments.count ? arguments[index] : 0
      data += [UInt32(truncatingIfNeeded: argument), UInt32(argument >> 32)]
    }
    var accumulator: UInt32 = 0
    var counter = 0
    var steps = 0
    while counter < program.count {
      let instruction = program[counter]
      counter += 1
      steps += 1
      func branch(_ condition: Bool) -> Int { Int(condition ? instruction.jt : instruction.jf) }
      switch instruction.code {
      case 0x20: accumulator = data[Int(instruction.k / 4)]
      case 0x54: accumulator &= instruction.k
      case 0x05: counter += Int(instruction.k)
      case 0x15: counter += branch(accumulator == instruction.k)
      case 0x35: counter += branch(accumulator >= instruction.k)
      case 0x45: counter += branch(accumulator & instruction.k != 0)
      case 0x06:
        switch instruction.k & 0xffff_0000 {
        case 0x7fff_0000: return (.allow, steps)
        case 0x7ff0_0000: return (.trace, steps)
        case 0x0005_0000: return (.fail(instruction.k & 0xffff), steps)
        default: return (.invalid, steps)
        }
      default: return (.invalid, steps)
      }
    }
    return (.invalid, steps)
  }
}

@Suite("The filter program")
struct FilterProgramTests {
  private func machine(_ rules: [Int: FilterRule]) -> FilterMachine {
    FilterMachine(program: FilterProgram(rules: rules).instructions)
  }

  @Test("Calls without a rule pass")
  func unknownCallsPass() {
    #expect(machine([SystemCallNumber.connect: .trace]).run(0) == .allow)
    #expect(machine([SystemCallNumber.connect: .trace]).run(SystemCallNumber.connect) == .trace)
  }

  @Test("Calls of another architecture and of the x32 ABI fail with ENOSYS")
  func foreignCallsFail() {
    let machine = machine([:])

    #expect(machine.run(1, architecture: 0x4000_0003) == .fail(38))
    #expect(machine.run(1 | 0x4000_0000) == .fail(38))
    #expect(machine.run(1) == .allow)
  }

  @Test("A rule on bits sees C ints that have none of them")
  func bits() {
    let machine = machine([SystemCallNumber.openat: .traceIfNoneSet(argument: 2, bits: 0x1_0042)])

    #expect(machine.run(SystemCallNumber.openat, [0, 0, 0]) == .trace)
    #expect(machine.run(SystemCallNumber.openat, [0, 0, 0x8_0000]) == .trace)
    #expect(machine.run(SystemCallNumber.openat, [0, 0, 0x1_0042_0000_0000]) == .trace)
    #expect(machine.run(SystemCallNumber.openat, [0, 0, 0x8_0040]) == .allow)
    #expect(machine.run(SystemCallNumber.openat, [0, 0, 0x1_0000]) == .allow)
    #expect(machine.run(SystemCallNumber.open, [0, 0, 0]) == .allow)
  }

  @Test("A pointer rule sees pointers whose halves are zero")
  func pointers() {
    let machine = machine([SystemCallNumber.ppoll: .traceIfPointer(argument: 2)])

    #expect(machine.run(SystemCallNumber.ppoll, [0, 0, 0]) == .allow)
    #expect(machine.run(SystemCallNumber.ppoll, [0, 0, 0x1000]) == .trace)
    #expect(machine.run(SystemCallNumber.ppoll, [0, 0, 0x7f00_0000_0000]) == .trace)
  }

  @Test(
    "A timeout in milliseconds is seen only if it is greater than zero",
    arguments: [
      (UInt64(0), false), (1, true), (0x7fff_ffff, true), (0xffff_ffff, false),
      (0xffff_ffff_ffff_ffff, false), (0x1_0000_0000, false),
    ])
  func milliseconds(value: UInt64, isTraced: Bool) {
    let machine = machine([SystemCallNumber.poll: .traceIfPositive(argument: 2)])

    #expect(machine.run(SystemCallNumber.poll, [0, 0, value]) == (isTraced ? .trace : .allow))
  }

  @Test("Of futex operations those are seen that wait, with a timeout")
  func futex() {
    let machine = machine([SystemCallNumber.futex: .traceTimedFutex])
    let timeout: UInt64 = 0x7ffe_0000_1000

    for operation: UInt64 in [0, 128, 9, 9 | 128 | 256, 6, 11, 13 | 128] {
      #expect(machine.run(SystemCallNumber.futex, [1, operation, 0, timeout]) == .trace)
      #expect(machine.run(SystemCallNumber.futex, [1, operation, 0, 0]) == .allow)
    }
    // FUTEX_WAKE and FUTEX_REQUEUE use the same argument for a number.
    for operation: UInt64 in [1, 3, 129, 4 | 128] {
      #expect(machine.run(SystemCallNumber.futex, [1, operation, 0, timeout]) == .allow)
    }
  }

  @Test("Reads of controlled clocks are seen, but for those that ask for the real one")
  func clockReads() {
    let machine = machine([SystemCallNumber.clockGettime: .traceClockRead])

    for clock: UInt64 in [0, 1, 4, 5, 6, 7, 8, 9, 11] {
      #expect(machine.run(SystemCallNumber.clockGettime, [clock, 1, 0]) == .trace)
    }
    for clock: UInt64 in [2, 3, 0xffff_fffa] {
      #expect(machine.run(SystemCallNumber.clockGettime, [clock, 1, 0]) == .allow)
    }
    let cookie = UInt64(SCENARIO_REAL_CLOCK_COOKIE)
    #expect(machine.run(SystemCallNumber.clockGettime, [1, 1, cookie]) == .allow)
  }

  @Test("A flag rule sees calls with one of the flags, whatever stands above them")
  func flags() {
    let machine = machine([
      SystemCallNumber.openat: .traceIfAnySet(argument: 2, bits: 0x240)
    ])

    for flags: UInt64 in [0x40, 0x200, 0x241, 0x7fff_0000_0000_0040] {
      #expect(machine.run(SystemCallNumber.openat, [0, 0, flags]) == .trace)
    }
    for flags: UInt64 in [0, 0x1, 0x8_0000, 0x40_0000_0000] {
      #expect(machine.run(SystemCallNumber.openat, [0, 0, flags]) == .allow)
    }
  }

  @Test("A flag rule before another sees what either sees")
  func flagsOrPointer() {
    let machine = machine([
      SystemCallNumber.recvfrom: .traceIfAnySet(argument: 3, bits: 0x100)
        .or(.traceIfPointer(argument: 4))
    ])

    for (flags, address) in [(0x100, 0), (0, 8), (0x40, 1 << 32), (0x140, 8)] as [(UInt64, UInt64)]
    {
      #expect(machine.run(SystemCallNumber.recvfrom, [3, 0, 9, flags, address]) == .trace)
    }
    for flags: UInt64 in [0, 0x40] {
      #expect(machine.run(SystemCallNumber.recvfrom, [3, 8, 9, flags, 0]) == .allow)
    }
  }

  @Test("Calls that change files are seen only where files get the scenario's time")
  func fileCalls() throws {
    func machine(_ files: FileTimes, replaces: Bool = false) throws -> FilterMachine {
      let clock = PlannedClock(at: nil, flow: .held, files: files)
      let configuration = SupervisorConfiguration(
        clock: clock, view: ClockView(clock, present: .epoch),
        fileReplacements: replaces
          ? [FileReplacement(paths: [], suffixes: [], replacement: "/ca")] : [])
      return self.machine(try Interceptors.filterRules(of: configuration))
    }

    for call in [1, 82, 280] {
      #expect(try machine(.real).run(call) == .allow)
      #expect(try machine(.virtual).run(call) == .trace)
    }
    #expect(try machine(.real).run(SystemCallNumber.openat, [0, 0, 0x41]) == .allow)
    #expect(try machine(.virtual).run(SystemCallNumber.openat, [0, 0, 0x41]) == .trace)
    // The other one who asks for a call sees all of it still.
    let replacing = try machine(.virtual, replaces: true)
    #expect(replacing.run(SystemCallNumber.openat, [0, 0, 0]) == .trace)
  }
}
