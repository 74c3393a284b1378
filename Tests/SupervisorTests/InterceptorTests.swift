import CSupervisor
import Foundations
import Glibc
import ScenarioModel
import ScenarioPlan
import Testing

@testable import Supervisor

@Suite("The interceptors of a run")
struct InterceptorTests {
  /// Wants some calls, and does one thing with them.
  private final class Sample: Interceptor {
    let filterRules: [Int: FilterRule]
    let calls: Set<Int>?
    let obstacleToFork: String?
    private let disposition: CallDisposition
    private(set) var seen: [Int] = []

    init(
      _ numbers: [Int], _ disposition: CallDisposition = .pass, obstacleToFork: String? = nil,
      seesAll: Bool = false
    ) {
      filterRules = Dictionary(uniqueKeysWithValues: numbers.map { ($0, FilterRule.trace) })
      calls = seesAll ? nil : Set(numbers)
      self.obstacleToFork = obstacleToFork
      self.disposition = disposition
    }

    func enter(_ call: InterceptedCall) -> CallDisposition {
      seen.append(call.number)
      return disposition
    }
  }

  private func call(_ number: Int) -> InterceptedCall {
    let thread = ThreadIdentifier(1)
    var registers = Registers()
    registers.systemCall = number
    return InterceptedCall(
      tracee: Tracee(
        thread, of: TargetProcess(thread, arguments: ["sh"], memories: OpenMemories())),
      registers: registers)
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
    #expect(first.seen == [2] && second.seen == [2] && third.seen.isEmpty)
    guard case .pass = interceptors.enter(call(1)) else {
      Issue.record("nobody else wants it")
      return
    }
    guard case .pass = interceptors.enter(call(4)) else {
      Issue.record("nobody wants it")
      return
    }
    #expect(first.seen == [2, 1])
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

  @Test("Who watches a call sees its exit, whatever the others make of it")
  func watches() {
    let watcher = Sample([1], .watch { _ in })
    let interceptors = Interceptors([watcher, Sample([1], .skip(result: -5))])
    let watched = call(1)

    guard case .skip(-5) = interceptors.enter(watched) else {
      Issue.record("the second one skips it")
      return
    }
    #expect(watched.tracee.watches.awaitsExit)
    let passed = call(1)
    _ = Interceptors([Sample([1])]).enter(passed)
    #expect(passed.tracee.watches.isEmpty)
  }

  @Test("Who wants all calls sees them in its place among those who want some")
  func all() {
    let all = Sample([], seesAll: true)
    let last = Sample([1, 3])
    let interceptors = Interceptors([Sample([1]), all, last])

    for number in [1, 2, 3] { _ = interceptors.enter(call(number)) }
    #expect(all.seen == [1, 2, 3] && last.seen == [1, 3])
    let taker = Sample([], .taken, seesAll: true)
    let behind = Sample([3])
    guard case .taken = Interceptors([taker, behind]).enter(call(3)) else {
      Issue.record("the first one takes it")
      return
    }
    #expect(behind.seen.isEmpty)
  }

  @Test("A disk is unmounted once no child has copies of what was open of it")
  func unmount() throws {
    let isClosed = OneShot<Bool>()
    scenario_begin_copies()
    _ = try SupervisorThread(isJoined: false) {
      usleep(200_000)
      isClosed.leave(true)
      scenario_end_copies()
    }

    let disposition = UnmountCalls().enter(call(SystemCallNumber.umount))

    #expect(isClosed.awaitValue(milliseconds: 0))
    guard case .pass = disposition else {
      Issue.record("the call is made")
      return
    }
  }

  @Test("A run has them in this order")
  func run() throws {
    func names(_ configuration: SupervisorConfiguration) throws -> [String] {
      try TracerLoop(configuration: configuration, mailbox: Mailbox()).interceptors.all.map {
        String(describing: type(of: $0))
      }
    }
    let clock = PlannedClock(at: nil, flow: .auto, files: .virtual)
    var full = SupervisorConfiguration(clock: clock, view: ClockView(clock, present: .epoch))
    full.entropy = .seeded(1)
    full.limits = TargetLimits(memory: nil, files: 16, processes: 4)
    full.fileBounds = FileBounds(folders: ["/tmp"], refuses: false)
    full.fileWatch = FileWatch { _ in }
    full.hosts = HostNetwork(
      block: LoopbackBlock(number: 0), addresses: [], outside: [], hostsOfTargets: [])

    #expect(
      try names(full) == [
        "WakingCalls", "ProcessContainment", "FileContainment", "UnmountCalls", "DelayedSendCalls",
        "SubmittedOperations", "NetworkNamespaces", "RandomFileOpens", "PacketTimeRequests",
        "TimestampCounterGuard", "FileObserver", "ResourceLimits", "FileStamper", "TimerCalls",
        "EntropySeeder", "TimestampCounterFlags", "ProcessorPlacement", "ClockSetting",
        "ClockFiles", "HostSockets",
        "CloneWatch", "LeakDetectors", "TracedProcesses", "OrphanedProcesses", "SocketOptionCalls",
        "ReceivedMessages", "TerminalTimeoutCalls",
        "Terminals", "SpinCalls", "UntimedCalls", "TimedWaits",
      ])
    var faulty = full
    faulty.takesTurns = true
    faulty.chaos = [
      PlannedChaos(
        name: "no mkdir", target: .calls([PlannedCall(name: "mkdir")]),
        provider: .error(ErrorNumber(name: "ENOSPC", code: ENOSPC)),
        range: SourceRange(file: "a.yaml", line: 1, column: 1))
    ]
    faulty.functions = FunctionFaults(
      points: [FunctionPoint(names: ["getenv"], place: .anywhere)], firstDue: [1],
      decide: { call, _ in FunctionVerdict(.original, nextDue: call.occurrence + 1) })
    faulty.router = SupervisorTests.RefusingRouter()
    faulty.fileReplacements = [FileReplacement(paths: ["/a"], replacement: "/b")]
    #expect(
      try names(faulty) == [
        "WakingCalls", "ProcessContainment", "FileContainment", "UnmountCalls", "DelayedSendCalls",
        "SubmittedOperations", "NetworkNamespaces", "ThreadTurns", "FunctionInjector",
        "RandomFileOpens", "PacketTimeRequests", "TimestampCounterGuard", "FileObserver",
        "FaultInjector", "ResourceLimits", "FileStamper", "TimerCalls", "EntropySeeder",
        "TimestampCounterFlags", "ProcessorPlacement", "ClockSetting", "ClockFiles", "FileReplacer",
        "HostSockets", "NetworkRedirector", "CloneWatch", "LeakDetectors", "TracedProcesses",
        "OrphanedProcesses", "ConfinedSockets", "SocketOptionCalls", "ReceivedMessages",
        "TerminalTimeoutCalls", "Terminals", "SpinCalls", "FunctionMappings", "UntimedCalls",
        "TimedWaits",
      ])
    #expect(
      try names(SupervisorConfiguration(clock: nil, view: ClockView(nil, present: .epoch)))
        == [
          "WakingCalls", "ProcessContainment", "CloneWatch", "TracedProcesses", "OrphanedProcesses",
        ])
  }
}
