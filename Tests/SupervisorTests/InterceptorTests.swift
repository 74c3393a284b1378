import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("The interceptors of a run")
struct InterceptorTests {
  /// Wants some calls, and does one thing with them.
  private final class Sample: Interceptor {
    let filterRules: [Int: FilterRule]
    let obstacleToFork: String?
    private let disposition: CallDisposition
    private(set) var calls: [Int] = []

    init(
      _ numbers: [Int], _ disposition: CallDisposition = .pass, obstacleToFork: String? = nil
    ) {
      filterRules = Dictionary(uniqueKeysWithValues: numbers.map { ($0, FilterRule.trace) })
      self.obstacleToFork = obstacleToFork
      self.disposition = disposition
    }

    func enter(_ call: InterceptedCall) -> CallDisposition {
      calls.append(call.number)
      return disposition
    }
  }

  private func call(_ number: Int) -> InterceptedCall {
    let thread = ThreadIdentifier(1)
    var registers = Registers()
    registers.systemCall = number
    return InterceptedCall(
      tracee: Tracee(thread, of: TargetProcess(thread, arguments: ["sh"])), registers: registers)
  }

  @Test("A call goes from one to the next, until one does not pass it")
  func order() {
    let first = Sample([1, 2])
    let second = Sample([2, 3], .skip(result: -5))
    let third = Sample([2, 3])
    let interceptors = Interceptors([first, second, third])

    guard case .skip(-5) = interceptors.enter(call(2)) else {
      Issue.record("the second one skips it")
      return
    }
    #expect(first.calls == [2] && second.calls == [2] && third.calls.isEmpty)
    guard case .pass = interceptors.enter(call(1)) else {
      Issue.record("nobody else wants it")
      return
    }
    guard case .pass = interceptors.enter(call(4)) else {
      Issue.record("nobody wants it")
      return
    }
    #expect(first.calls == [2, 1])
  }

  @Test("The filter shows what any of them wants, and any may speak against a fork")
  func joined() {
    let interceptors = Interceptors([
      Sample([1]), Sample([2], obstacleToFork: "it has timers"), Sample([3]),
    ])

    #expect(Set(interceptors.filterRules.keys) == [1, 2, 3])
    #expect(interceptors.obstacleToFork == "it has timers")
    #expect(Interceptors([Sample([1])]).obstacleToFork == nil)
  }

  @Test("A run has them in this order")
  func run() throws {
    let clock = PlannedClock(at: nil, flow: .auto, files: .virtual)
    func names(_ clock: PlannedClock?) throws -> [String] {
      let loop = SupervisorLoop(
        configuration: SupervisorConfiguration(
          clock: clock, view: ClockView(clock, present: .epoch)),
        mailbox: try Mailbox())
      return loop.interceptors.all.map { String(describing: type(of: $0)) }
    }

    #expect(try names(clock) == ["FileStamper", "TimerCalls"])
    #expect(try names(nil) == [])
  }
}
