import CSupervisor
import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("Filter rules of two who want to see a call")
struct FilterJoinTests {
  private static let number = 16

  private static let rules: [FilterRule] = [
    .trace, .traceIfPointer(argument: 1), .traceIfPositive(argument: 1),
    .traceIfNoneSet(argument: 1, bits: 2), .traceIfAnySet(argument: 1, bits: 5),
    .traceIfAnySet(argument: 2, bits: 1),
    .traceIfAmong([ArgumentValues(argument: 1, values: [3, 7])]),
    .traceIfAmong([ArgumentValues(argument: 1, values: [7, 9])]),
    .traceIfAmong([
      ArgumentValues(argument: 1, values: [4]), ArgumentValues(argument: 2, values: [4]),
    ]),
    .traceTimedFutex,
  ]

  private func verdict(_ rule: FilterRule, _ arguments: [UInt64]) -> FilterMachine.Verdict {
    FilterMachine(program: FilterProgram(rules: [Self.number: rule]).instructions)
      .run(Self.number, arguments)
  }

  @Test("Joined, they see what one of them sees, and nothing else", arguments: rules, rules)
  func joined(first: FilterRule, second: FilterRule) {
    let joined = first.or(second)
    for argument: UInt64 in [0, 1, 2, 3, 4, 7, 8, 9, 11, 0xffff_ffff, 1 << 32] {
      for other: UInt64 in [0, 1, 4] {
        let arguments = [0, argument, other, 0, 0, 0]
        let isSeen =
          verdict(first, arguments) == .trace || verdict(second, arguments) == .trace
        #expect(verdict(joined, arguments) == (isSeen ? .trace : .allow))
      }
    }
  }

  @Test("Where files have virtual times, an ioctl that concerns nobody goes on")
  func requests() throws {
    let view = ClockView(nil, present: WallInstant(seconds: 0))
    var clock = PlannedClock.from2030(.auto)
    clock.files = .virtual
    let configuration = SupervisorConfiguration(clock: clock, view: view)
    let rules = try Interceptors.filterRules(of: configuration)
    let machine = FilterMachine(program: FilterProgram(rules: rules).instructions)

    // TCGETS of ioctl_tty(2), then FICLONE and the request of terminals.
    #expect(machine.run(SystemCallNumber.ioctl, [0, 0x5401]) == .allow)
    #expect(machine.run(SystemCallNumber.ioctl, [0, 0x4004_9409]) == .trace)
    #expect(machine.run(SystemCallNumber.ioctl, [0, UInt64(TerminalRequest.unlock)]) == .trace)
  }

  /// Whether the kernel finds that a call passes whatever its arguments, and runs no program for it: a look at
  /// the number and the architecture alone leads to the answer (`seccomp_is_const_allow` of Linux 5.11).
  private func alwaysPasses(_ program: [sock_filter], _ number: UInt32) -> Bool {
    var accumulator: UInt32 = 0
    var counter = 0
    while program.indices.contains(counter) {
      let step = program[counter]
      counter += 1
      func skip(_ holds: Bool) { counter += Int(holds ? step.jt : step.jf) }
      switch step.code {
      case 0x20:
        guard step.k == 0 || step.k == 4 else { return false }
        accumulator = step.k == 0 ? number : Architecture.auditNumber
      case 0x05: counter += Int(step.k)
      case 0x15: skip(accumulator == step.k)
      case 0x35: skip(accumulator >= step.k)
      case 0x45: skip(accumulator & step.k != 0)
      case 0x06: return step.k == FilterProgram.Action.allow
      default: return false
      }
    }
    return false
  }

  @Test("A call that nobody wants to see passes by the kernel's own table")
  func bitmap() throws {
    let view = ClockView(nil, present: WallInstant(seconds: 0))
    var clock = PlannedClock.from2030(.auto)
    clock.files = .virtual
    let rules = try Interceptors.filterRules(of: SupervisorConfiguration(clock: clock, view: view))
    let program = FilterProgram(rules: rules).instructions

    for number in 0..<462 where rules[number] == nil {
      #expect(alwaysPasses(program, UInt32(number)))
    }
    #expect(!alwaysPasses(program, UInt32(SystemCallNumber.futex)))
    #expect(!alwaysPasses(program, UInt32(SystemCallNumber.nanosleep)))
  }
}
