import Foundations
import Glibc
import ScenarioModel
import Testing

@testable import Supervisor

@Suite("Interceptors that keep what they know for themselves")
struct OwnerTests {
  private let kernel = FakeKernel()

  private func thread(_ number: Int32, of maker: TargetProcess? = nil) -> Tracee {
    let identifier = ThreadIdentifier(number)
    let process = maker ?? TargetProcess(identifier, arguments: ["sh"], memories: OpenMemories())
    let tracee = Tracee(identifier, of: process)
    process.threads.insert(identifier)
    kernel.processes[process.identifier] = process
    kernel.tracees[identifier] = tracee
    return tracee
  }

  private func call(_ number: Int, _ arguments: [UInt64] = [], by tracee: Tracee) -> InterceptedCall
  {
    var registers = Registers()
    registers.systemCall = number
    for (index, argument) in arguments.enumerated() { registers[argument: index] = argument }
    return InterceptedCall(tracee: tracee, registers: registers)
  }

  /// What a call returns that is not made; `nil` if it is made.
  private func result(_ disposition: CallDisposition) -> Int? {
    if case .skip(let result) = disposition { result } else { nil }
  }

  @Test("A confined target gets no socket that sends past it, and none is bound to a device")
  func confinedSockets() {
    let sockets = ConfinedSockets(kernel: kernel)
    let tracee = thread(1)
    let packet = [UInt64(AF_PACKET), UInt64(SOCK_RAW.rawValue), 0]
    let stream = [UInt64(AF_INET), UInt64(SOCK_STREAM.rawValue), 0]
    let device: [UInt64] = [3, UInt64(SOL_SOCKET), 25]
    let reuse: [UInt64] = [3, UInt64(SOL_SOCKET), UInt64(SO_REUSEADDR)]

    #expect(
      result(sockets.enter(call(SystemCallNumber.socket, packet, by: tracee))) == -Int(EPERM))
    #expect(result(sockets.enter(call(SystemCallNumber.socket, stream, by: tracee))) == nil)
    #expect(result(sockets.enter(call(SystemCallNumber.setsockopt, device, by: tracee))) == 0)
    #expect(result(sockets.enter(call(SystemCallNumber.setsockopt, reuse, by: tracee))) == nil)
  }

  @Test("A program that asks for a ring gets none, and who traces is told that it cannot")
  func tracedProcesses() {
    let processes = TracedProcesses(kernel: kernel, isAsking: true)
    let tracee = thread(1)

    #expect(
      result(processes.enter(call(SystemCallNumber.ioUringSetup, by: tracee)))
        == -KernelError.notSupported)
    guard case .proceed = processes.enter(call(SystemCallNumber.ptrace, by: tracee)) else {
      Issue.record("the kernel refuses it")
      return
    }
    #expect(kernel.notices.count == 2)
    #expect(kernel.notices.first?.contains("io_uring") ?? false)
  }

  @Test("An orphan sees itself as a child of process 1, and a target as one of the runner's")
  func orphans() {
    let orphans = OrphanedProcesses(kernel: kernel)
    let target = thread(1)
    let child = thread(2)
    child.process.parent = target.identifier

    guard case .pass = orphans.enter(call(SystemCallNumber.getppid, by: target)),
      case .observe(let exit) = orphans.enter(call(SystemCallNumber.getppid, by: child))
    else {
      Issue.record("only a child's answer may be another")
      return
    }
    for (parent, told) in [(Int(getpid()), 1), (4711, 4711), (0, 0)] {
      var registers = Registers()
      registers.result = parent
      exit(&registers)
      #expect(registers.result == told)
    }
  }

  @Test("What a fork would not hand on is known by process, and goes with the program")
  func hazards() {
    let guardian = BranchGuard(kernel: kernel, branch: nil, keepsTime: true) {}
    let mapping: [UInt64] = [0, 4096, 3, UInt64(MAP_SHARED | MAP_ANONYMOUS), 0, 0]
    let parent = thread(1)
    let reason = "the program shares writable memory"

    _ = guardian.enter(call(SystemCallNumber.mmap, by: parent))
    #expect(guardian.obstacleToFork == nil)
    _ = guardian.enter(call(SystemCallNumber.mmap, mapping, by: parent))
    #expect(guardian.obstacleToFork == reason)

    let child = thread(2)
    guardian.threadStarted(child.identifier, by: parent.identifier)
    guardian.programStarted(in: parent.identifier)
    #expect(guardian.obstacleToFork == reason)
    guardian.processEnded(child.identifier)
    #expect(guardian.obstacleToFork == nil)
  }

  @Test("A timer of the kernel's speaks against a fork only where time is the machine's")
  func timers() {
    for keepsTime in [true, false] {
      let guardian = BranchGuard(kernel: kernel, branch: nil, keepsTime: keepsTime) {}
      let tracee = thread(1)
      _ = guardian.enter(call(SystemCallNumber.alarm, [5], by: tracee))

      #expect(guardian.hasTimers(tracee.process))
      #expect((guardian.obstacleToFork == nil) == keepsTime)
    }
  }

  @Test("A branch finds what the trunk knew of the process that it copies")
  func copies() {
    let trunk = BranchGuard(kernel: kernel, branch: nil, keepsTime: true) {}
    let tracee = thread(1)
    _ = trunk.enter(
      call(SystemCallNumber.mmap, [0, 4096, 3, UInt64(MAP_SHARED | MAP_ANONYMOUS)], by: tracee))
    let branch = BranchGuard(kernel: kernel, branch: nil, keepsTime: true) {}
    branch.inherit(from: trunk)
    branch.processCopied(
      tracee.identifier, as: ThreadIdentifier(9), thread: tracee.identifier)

    #expect(branch.obstacleToFork != nil)
    branch.processEnded(tracee.identifier)
    #expect(branch.obstacleToFork != nil)
    branch.processEnded(ThreadIdentifier(9))
    #expect(branch.obstacleToFork == nil)
  }

  @Test("Standard input is closed behind what was added, and gone once nobody reads it")
  func input() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = TargetInput(ends[1], pending: [1, 2], closes: false)
    input.add([3])
    #expect(input.isOpen && input.pendingCount == 0)
    input.finish()
    var bytes = [UInt8](repeating: 0, count: 8)

    #expect(!input.isOpen && !input.takesBytes)
    #expect(read(ends[0], &bytes, 8) == 3 && bytes[..<3] == [1, 2, 3])
    #expect(read(ends[0], &bytes, 8) == 0)
    close(ends[0])
  }

  @Test("A forked child runs its parent's program on, and what it is given later is its own")
  func programs() {
    let parent = thread(1).process
    parent.program.hasEntered = true
    parent.lateFilters = [.packetTimes]
    let child = TargetProcess(ThreadIdentifier(2), forkedFrom: parent, memories: OpenMemories())
    child.program.dumpableFlag = DumpableFlag.off

    #expect(child.hasEntered && child.programName == "sh" && child.lateFilters == [.packetTimes])
    #expect(parent.program.dumpableFlag == DumpableFlag.on)
    child.start(["ls", "-l"])
    #expect(!child.hasEntered && child.programName == "ls")
    #expect(child.lateFilters == [.packetTimes])
    #expect(parent.hasEntered && parent.programName == "sh")
  }

  @Test("Filters that processes get later are told apart by what they show")
  func lateFilters() {
    #expect(Set<LateFilter>([.randomReads, .packetTimes, .futexWakes, .packetTimes]).count == 3)
  }

  @Test("Where a thread stands in the tree goes by who has made it, and is forgotten with it")
  func places() {
    let tree = ProcessTree()
    let (first, second, third) = (ThreadIdentifier(1), ThreadIdentifier(2), ThreadIdentifier(3))
    tree.recordPath(of: second, madeBy: first)
    tree.recordPath(of: third, madeBy: first)

    #expect(tree.path(of: first).path == [])
    #expect(tree.path(of: second).path == [0] && tree.path(of: third).path == [1])
    #expect(tree.nextConnection(of: third) == 0 && tree.nextConnection(of: third) == 1)
    _ = tree.removeThread(third)
    #expect(tree.path(of: third).path == [] && tree.nextConnection(of: third) == 0)
  }
}
