import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Limits on what the target may have")
struct ResourceLimitsTests {
  private let kernel = FakeKernel()
  private let process: TargetProcess

  init() {
    process = TargetProcess(ThreadIdentifier(1), arguments: ["sh"], memories: OpenMemories())
    process.threads = [process.identifier]
    kernel.processes[process.identifier] = process
    kernel.tracees[process.identifier] = Tracee(process.identifier, of: process)
  }

  private func call(_ number: Int, by thread: Int32 = 1) -> InterceptedCall {
    var registers = Registers()
    registers.systemCall = number
    let identifier = ThreadIdentifier(thread)
    let tracee = kernel.tracees[identifier] ?? Tracee(identifier, of: process)
    kernel.tracees[identifier] = tracee
    process.threads.insert(identifier)
    return InterceptedCall(tracee: tracee, registers: registers)
  }

  private func isRefused(_ disposition: CallDisposition) -> Bool {
    if case .skip(result: -11) = disposition { true } else { false }
  }

  @Test("A thread that is being made counts, until it is there or its call has failed")
  func births() {
    let limits = ResourceLimits(
      kernel: kernel, limits: TargetLimits(memory: nil, files: nil, processes: 3))
    let second = call(SystemCallNumber.clone, by: 2)

    guard case .watch(let exit) = limits.enter(call(SystemCallNumber.clone)) else {
      Issue.record("a third thread may be made")
      return
    }
    #expect(isRefused(limits.enter(second)))
    exit(nil)
    #expect(!isRefused(limits.enter(second)))
    limits.threadStarted(ThreadIdentifier(3), by: second.tracee.identifier)
    kernel.tracees[ThreadIdentifier(3)] = Tracee(ThreadIdentifier(3), of: process)
    #expect(isRefused(limits.enter(call(SystemCallNumber.clone))))
    #expect(limits.accounts.map(\.struck) == [2])
    // It is reported once for each process.
    #expect(kernel.events.count == 1)
  }

  @Test("A thread on its way out does not count")
  func ends() {
    let limits = ResourceLimits(
      kernel: kernel, limits: TargetLimits(memory: nil, files: nil, processes: 2))
    let second = call(SystemCallNumber.exit, by: 2)

    #expect(isRefused(limits.enter(call(SystemCallNumber.fork))))
    _ = limits.enter(second)
    #expect(!isRefused(limits.enter(call(SystemCallNumber.fork))))
    limits.threadStarted(ThreadIdentifier(4), by: process.identifier)
    kernel.tracees[second.tracee.identifier] = nil
    limits.threadEnded(second.tracee.identifier)
    #expect(!isRefused(limits.enter(call(SystemCallNumber.fork))))
  }
}
