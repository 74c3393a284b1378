import Foundations
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("How the filter program finds a rule")
struct FilterSearchTests {
  /// What a scenario with a clock and a chaos entry asks for.
  private func rules() throws -> [Int: FilterRule] {
    let clock = PlannedClock(at: nil, flow: .auto)
    let entries = try ChaosSamples.entries("  - { call: '@sync', provide: { error: EIO } }")
    let configuration = SupervisorConfiguration(
      clock: clock, view: ClockView(clock, present: .epoch), chaos: entries)
    return try Interceptors.filterRules(of: configuration)
  }

  @Test("Each rule is found, and no other number has one", arguments: [0, 1, 3, 4, 5, 60, 200])
  func finds(count: Int) {
    let numbers = (0..<count).map { $0 * 2 + 1 }
    let rules = Dictionary(
      uniqueKeysWithValues: numbers.map {
        ($0, FilterRule.traceIfAmong([.init(argument: 0, values: [UInt32($0)])]))
      })
    let machine = FilterMachine(program: FilterProgram(rules: rules).instructions)

    for number in 0...(2 * count + 1) {
      let isRule = number % 2 == 1 && number < 2 * count
      #expect(machine.run(number, [UInt64(number)]) == (isRule ? .trace : .allow))
      #expect(machine.run(number, [UInt64(number) + 1]) == .allow)
    }
    #expect(machine.run(1 << 29) == .allow)
  }

  @Test("A block that a conditional jump cannot skip is jumped over all the same")
  func longBlocks() {
    let values = (0..<200).map { UInt32($0) }
    let rules = Dictionary(
      uniqueKeysWithValues: (0..<20).map {
        ($0, FilterRule.traceIfAmong([.init(argument: 0, values: values)]))
      })
    let machine = FilterMachine(program: FilterProgram(rules: rules).instructions)

    for number in 0..<20 {
      #expect(machine.run(number, [199]) == .trace)
      #expect(machine.run(number, [200]) == .allow)
    }
    #expect(machine.run(20) == .allow)
  }

  @Test("Neither a call without a rule nor one that its arguments let pass takes long")
  func steps() throws {
    let rules = try rules()
    let machine = FilterMachine(program: FilterProgram(rules: rules).instructions)
    #expect(rules.count > 50)

    // read, write, pread64, getppid: the kernel remembers that they pass.
    for number in [0, 1, 17, 110] where rules[number] == nil {
      let (verdict, steps) = machine.walk(number)
      #expect(verdict == .allow)
      #expect(steps <= 16)
    }
    // A futex that wakes, a poll that does not wait, an ioctl of a terminal's size.
    for (number, arguments) in [
      (SystemCallNumber.futex, [0, 1]), (SystemCallNumber.poll, [0, 1, 0]),
      (SystemCallNumber.ioctl, [1, 0x5413]),
    ] as [(Int, [UInt64])] {
      let (verdict, steps) = machine.walk(number, arguments)
      #expect(verdict == .allow)
      #expect(steps <= 28)
    }
  }
}
