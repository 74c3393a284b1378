import Foundations
import Glibc
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

/// Interceptors that are parts of the tracing loop, in one whose target is never started.
@Suite("Calls that wait, wake and fail")
final class LoopInterceptorTests {
  private let target = FakeTarget()
  /// Kept, as interceptors do not keep the loop that they belong to.
  private var loops: [TracerLoop] = []

  private func loop(
    clock: ClockFlow? = .auto, slack: Nanoseconds? = nil,
    _ change: (inout SupervisorConfiguration) -> Void = { _ in }
  ) throws -> TracerLoop {
    let clock = clock.map { PlannedClock(at: nil, flow: $0, files: .virtual, slack: slack) }
    var configuration = SupervisorConfiguration(
      clock: clock, view: ClockView(clock, present: .epoch))
    change(&configuration)
    let loop = try TracerLoop(configuration: configuration, mailbox: Mailbox())
    loop.tree.add(target.process)
    loop.tree.add(target.tracee)
    loops.append(loop)
    return loop
  }

  private func chaos(_ call: String) -> PlannedChaos {
    PlannedChaos(
      name: "no \(call)", target: .calls([PlannedCall(name: call)]),
      provider: .error(ErrorNumber(name: "ENOSPC", code: ENOSPC)),
      range: SourceRange(file: "a.yaml", line: 1, column: 1))
  }

  private func find<Kind: Interceptor>(_ kind: Kind.Type, in loop: TracerLoop) throws -> Kind {
    try #require(loop.interceptors.find(kind))
  }

  // MARK: - WakingCalls

  @Test(
    "Calls that may send a signal are seen, in the machine's time those that send one later")
  func wakingCalls() throws {
    let loop = try loop()
    let waking = try find(WakingCalls.self, in: loop)

    #expect(waking.calls == nil && waking.sees(SystemCallNumber.kill, 1))
    #expect(waking.enter(target.call(SystemCallNumber.getpid)).isPass)
    #expect(!loop.quiescence.sleepWatch.looksAtAll)
    #expect(waking.enter(target.call(SystemCallNumber.mqNotify)).isPass)
    #expect(loop.quiescence.sleepWatch.looksAtAll)
    let real = try self.loop(clock: nil)
    let later = try find(WakingCalls.self, in: real)
    #expect(later.filterRules[SystemCallNumber.kill] == nil)
    #expect(later.filterRules[SystemCallNumber.alarm] != nil)
    #expect(later.enter(target.call(SystemCallNumber.getpid)).isPass && !later.maySignalLater)
    #expect(later.enter(target.call(SystemCallNumber.alarm, 5)).isPass && later.maySignalLater)
  }

  // MARK: - DelayedSendCalls

  @Test("Bytes that wait for more are noted, and a branch knows of those of its trunk")
  func delayedSends() throws {
    let loop = try loop()
    let sends = try find(DelayedSendCalls.self, in: loop)
    let more: UInt64 = 0x8000

    #expect(sends.sees(SystemCallNumber.sendto, 3, 0, 0, more))
    #expect(!sends.sees(SystemCallNumber.sendto, 3, 0, 0, 0))
    #expect(sends.enter(target.call(SystemCallNumber.sendto, 3, 0, 0, 0)).isPass)
    #expect(sends.seen.isEmpty)
    #expect(sends.enter(target.call(SystemCallNumber.sendto, 3, 0, 0, more)).isPass)
    #expect(sends.seen == .ofBytes)
    let branch = try find(DelayedSendCalls.self, in: self.loop())
    branch.inherit(from: sends)
    #expect(branch.seen == .ofBytes)
  }

  // MARK: - UntimedCalls

  @Test(
    "A call that nobody else may see is no progress for those who spin, and one that they may is")
  func untimedCalls() throws {
    let loop = try loop()
    let untimed = try find(UntimedCalls.self, in: loop)
    let before = loop.waits.spinners.held.stopCount

    #expect(untimed.enter(target.call(SystemCallNumber.connect, 3)).isProceed)
    #expect(loop.waits.spinners.held.stopCount == before)
    #expect(untimed.enter(target.call(SystemCallNumber.kill, 1, 9)).isProceed)
    #expect(loop.waits.spinners.held.stopCount == before)
    #expect(untimed.enter(target.call(SystemCallNumber.prctl, 15)).isProceed)
    #expect(loop.waits.spinners.held.stopCount == before &- 1)
    #expect(untimed.filterRules.isEmpty)
  }

  // MARK: - TimedWaits

  @Test("A wait with a timeout is made without, and its deadline is the caller's")
  func timedWaits() throws {
    let loop = try loop()
    let waits = loop.waits
    try target.mapImage()
    let length = target.place((Int64(5), Int64(0)))

    #expect(waits.sees(SystemCallNumber.nanosleep, length))
    guard
      case .park(let wait, let made) = waits.enter(
        target.call(SystemCallNumber.nanosleep, length, 0))
    else {
      Issue.record("the wait is held")
      return
    }
    #expect(wait.requested == .seconds(5))
    #expect(made[argument: 0] != length)
    let poll = target.call(SystemCallNumber.poll, 0, 0, UInt64(bitPattern: -1))
    #expect(waits.enter(poll).isProceed)
    #expect(waits.obstacleToFork == nil)
  }

  @Test("A wait of a program that cannot be reached is made in real time, and is reported")
  func unheldWaits() throws {
    let loop = try loop()
    let length = target.place((Int64(5), Int64(0)))
    let call = target.call(SystemCallNumber.nanosleep, length, 0)

    #expect(loop.waits.enter(call).isProceed)
    let real = try self.loop(clock: nil).waits
    #expect(real.filterRules.isEmpty && real.enter(call).isPass)
  }

  @Test("Slack of the clock speaks against a fork: nobody knows which waits are late")
  func slack() throws {
    #expect(try loop(slack: .milliseconds(1)).waits.obstacleToFork != nil)
  }

  // MARK: - ThreadTurns

  @Test("Turns ask for the calls by which threads may wake each other, and never allow a fork")
  func turns() throws {
    let turns = try #require(try loop { $0.takesTurns = true }.turns)

    #expect(turns.calls == [] && turns.obstacleToFork != nil)
    #expect(turns.filterRules[SystemCallNumber.futex] != nil)
    #expect(turns.filterRules[SystemCallNumber.write] != nil)
    #expect(turns.enter(target.call(SystemCallNumber.write)).isPass)
    // Without seeded numbers another run may differ.
    #expect(!turns.report.doubts.isEmpty)
    let seeded = try loop {
      $0.takesTurns = true
      $0.entropy = .seeded(1)
    }
    #expect(try #require(seeded.turns).report.doubts.isEmpty)
  }

  // MARK: - FaultInjector

  @Test(
    "Only the calls that rules name are seen, and no rule counts before the program's own first instruction"
  )
  func faults() throws {
    let loop = try loop { $0.chaos = [chaos("mkdir")] }
    let faults = loop.faults
    let mkdir = SystemCallTable.current.number(of: "mkdir") ?? 0
    let call = target.call(mkdir, target.place("/tmp/x"), 0o700)

    #expect(faults.isNeeded && faults.sees(mkdir) && !faults.sees(SystemCallNumber.openat))
    #expect(faults.enter(call).isPass)
    #expect(faults.account().map(\.seen) == [0])
    #expect(faults.obstacleToFork == nil)
    #expect(try !self.loop().faults.isNeeded)
  }

  // MARK: - FunctionInjector, FunctionMappings

  private func watching() throws -> TracerLoop {
    try loop {
      $0.functions = FunctionFaults(
        points: [FunctionPoint(names: ["getenv"], place: .anywhere)], firstDue: [1],
        decide: { call, _ in FunctionVerdict(.original, nextDue: call.occurrence + 1) })
    }
  }

  @Test(
    "Calls of functions report themselves by a call that no program makes, and new code is looked through"
  )
  func functions() throws {
    let loop = try watching()
    let functions = try #require(loop.faults.functions)
    let mappings = try find(FunctionMappings.self, in: loop)

    #expect(functions.sees(SystemCallNumber.getpid, UInt64(FunctionStub.cookie)))
    #expect(!functions.sees(SystemCallNumber.getpid))
    #expect(functions.obstacleToFork == nil)
    #expect(mappings.sees(SystemCallNumber.mmap, 0, 4_096, UInt64(PROT_READ | PROT_EXEC)))
    #expect(!mappings.sees(SystemCallNumber.mmap, 0, 4_096, UInt64(PROT_READ)))
    #expect(try self.loop().interceptors.find(FunctionMappings.self) == nil)
  }

  // MARK: - DiskQueues

  @Test("A target with disks of its own gets no queue whose writes nobody sees")
  func diskQueues() {
    let kernel = FakeKernel()
    let queues = DiskQueues(kernel: kernel)

    #expect(queues.sees(SystemCallNumber.ioSetup))
    let call = target.call(SystemCallNumber.ioSetup, 8, 0)
    #expect(queues.enter(call).skipped == -KernelError.notSupported)
    #expect(kernel.notices.count == 1)
  }

  // MARK: - ProcessorPlacement

  @Test("Where a thread was put is undone before it can learn of it")
  func placement() {
    let placement = ProcessorPlacement()

    #expect(placement.sees(SystemCallNumber.schedGetaffinity))
    #expect(placement.calls?.contains(SystemCallNumber.execve) == true)
    #expect(placement.calls?.contains(SystemCallNumber.openat) == true)
    #expect(placement.enter(target.call(SystemCallNumber.schedGetaffinity)).isPass)
    #expect(!placement.hasPlaced)
  }
}
