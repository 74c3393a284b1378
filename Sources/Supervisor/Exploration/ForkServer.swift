internal import CSupervisor
internal import FaultEngine
internal import Foundations
internal import Glibc
internal import ScenarioPlan

/// Tries what follows a fault, in copies of the target.
final class ForkServer: BranchMaker {
  private unowned let kernel: any ForkKernel
  private let configuration: SupervisorConfiguration
  /// The plan of what is to be tried.
  let plan: BranchPlan
  /// The folders whose changes are undone.
  let folders: WatchedFolders
  /// The reason why the trunk differs from its state before; `nil` while it does not.
  private var disturbance: String?
  private var knownMailbox: Mailbox?

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - plan: what is to be tried.
  ///   - configuration: the target's world.
  init(kernel: any ForkKernel, _ plan: BranchPlan, _ configuration: SupervisorConfiguration) {
    self.kernel = kernel
    self.configuration = configuration
    self.plan = plan
    folders = WatchedFolders(roots: plan.directories)
  }

  /// The mailbox of branches; `nil` where there is no descriptor left.
  private func mailbox() -> Mailbox? {
    if knownMailbox == nil { knownMailbox = try? Mailbox(isRegistered: false) }
    return knownMailbox
  }

  // MARK: - Obstacles

  /// Returns the reason why the target cannot be branched at this point; `nil` if it can.
  private func obstacle(_ tracee: Tracee, _ registers: Registers) -> String? {
    let process = tracee.process
    let number = process.identifier.number
    if let disturbance { return disturbance }
    let faults = kernel.faults
    guard faults.disks == nil, configuration.limits == nil, !faults.rules.hasProcessEntries else {
      return "disks, limits and entries about processes count calls of the whole target"
    }
    let tree = kernel.tree
    guard tree.processes.count == 1 else {
      return "the target has \(tree.processes.count) processes"
    }
    guard process.threads.count == 1, tree.tracees.count == 1 else {
      return "the program has \(tree.tracees.count) threads"
    }
    guard tree.isSettled, !kernel.isLaunching else {
      return "a process or a thread is starting"
    }
    guard kernel.targets.count == 1 else { return "the scenario started several targets" }
    guard let target = kernel.targets.begun(by: process.identifier), target.status == nil,
      process.identifier == tracee.identifier
    else { return "the target's first process or thread has exited" }
    if let obstacle = kernel.interceptors.obstacleToFork {
      return obstacle
    }
    guard !kernel.expectsAnswer else {
      return "an answer to the target is pending"
    }
    guard !tracee.watches.seesAll, tracee.postponedSignals.isEmpty else {
      return "the thread is inside a watched call"
    }
    if tree.processCount > 1 {
      let children = SmallFile.read("/proc/\(number)/task/\(number)/children")
      guard children?.allSatisfy(\.isWhitespace) == true else {
        return "the program has children"
      }
    }
    guard getsid(number) != number, getpgid(number) == number else {
      return "the program has left its process group"
    }
    guard scenario_has_pending_signal(number) == 0 else { return "a signal is pending" }
    let place = systemCallInstruction(for: tracee, registers)
    let instruction = process.memory?.readBytes(
      Architecture.systemCallInstruction.count, at: place)
    guard instruction == Architecture.systemCallInstruction else {
      return "the call is not made by a syscall instruction"
    }
    return nil
  }

  // MARK: - Points

  /// Tries what is to be tried at a system call; true if the thread has been made to make it once more.
  func tryBranches(
    at point: FaultPoint, _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    _ facts: inout SyscallContext
  ) -> Bool {
    var again = registers
    again.restartSystemCall()
    again.systemCall = -1
    let hasForked = tryBranches(
      at: point, decision, of: tracee, registers, call: point.call, &facts
    ) { loop, child, decided in
      loop.faults[child].settled = DeferredDecision(entry: registers, decision: decided)
      loop.finish(child, with: again)
    }
    guard hasForked else { return false }
    kernel.faults[tracee].settled = DeferredDecision(entry: registers, decision: decision)
    kernel.finish(tracee, with: again)
    return true
  }

  /// Tries what is to be tried at the call of a function.
  ///
  /// - Parameter registers: the registers with which the call continues if it is made; the caller sets them.
  func tryBranches(
    at point: FaultPoint, _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    _ call: FunctionCall, site: Int, _ facts: inout FunctionContext
  ) {
    _ = tryBranches(at: point, decision, of: tracee, registers, call: nil, &facts) {
      loop, child, decided in
      guard let memory = child.process.memory else { return }
      var call = call
      call.process = child.process.identifier.number
      call.thread = child.identifier.number
      let caller = CallerMemory(memory: memory, process: call.process)
      guard let functions = loop.faults.functions else { return }
      let action = functions.action(for: decided, of: child, call, caller)
      functions.perform(action, for: child, registers, site: site)
    }
  }

  /// - Parameters:
  ///   - call: the name of the system call; `nil` for a function.
  ///   - start: lets the child go on with what was decided for it.
  /// - Returns: whether the thread has left the call in which it stood.
  private func tryBranches(
    at point: FaultPoint, _ decision: ChaosDecision, of tracee: Tracee, _ registers: Registers,
    call: String?, _ facts: inout some ChaosFacts,
    _ start: (any BranchKernel, Tracee, ChaosDecision) -> Void
  ) -> Bool {
    guard !kernel.mailbox.isEnding, !kernel.isStopping else { return false }
    let orders = plan.orders(point)
    guard !orders.isEmpty else { return false }
    kernel.forgetQuiescence()
    kernel.leaveAllProcessors()
    let rules = kernel.faults.rules
    var hasForked = false
    for order in orders
    where !kernel.mailbox.isEnding && kernel.tracees[tracee.identifier] === tracee {
      let beginning = RunnerClock.now()
      if let reason = obstacle(tracee, registers) {
        plan.ended(
          BranchOutcome(order: order, point: point, result: .refused(reason)))
        continue
      }
      var given = rules.table.giving(order.provider, by: point.entry)
      let decided = given.decideAgain(decision, call: call, function: point.call, &facts)
      var table = order.isOnwards ? given : rules.table
      for entry in configuration.survey?.entries ?? []
      where entry != point.entry || !order.isOnwards {
        table.silence(entry)
      }
      table.reportsOriginals = false
      let outcome = run(
        order, at: point, table, of: tracee, registers, hasForked: &hasForked, since: beginning
      ) { start($0, $1, decided) }
      guard let outcome else { break }
      disturbance = disturbance ?? outcome.disturbance
      plan.ended(outcome)
    }
    return hasForked
  }

  // MARK: - One branch

  /// Forks, runs the branch, and puts everything back; `nil` if the trunk is being stopped.
  private func run(
    _ order: BranchOrder, at point: FaultPoint, _ table: FaultRuleSet, of tracee: Tracee,
    _ registers: Registers, hasForked: inout Bool, since beginning: Nanoseconds,
    _ start: (any BranchKernel, Tracee) -> Void
  ) -> BranchOutcome? {
    func refused(_ reason: String) -> BranchOutcome {
      BranchOutcome(order: order, point: point, result: .refused(reason))
    }
    guard let target = kernel.targets[tracee.process.target], let mailbox = mailbox()
    else {
      return refused("no descriptor is left")
    }
    while target.transfer() {}
    let ground: ForkSnapshot
    do throws(BranchRefusal) {
      ground = try ForkSnapshot(
        of: tracee, target, self,
        hasLocked: kernel.interceptors.find(BranchGuard.self)?.hasLocked(tracee.process) ?? false)
    } catch {
      return refused(error.reason)
    }
    hasForked = true
    guard let child = fork(tracee, at: systemCallInstruction(for: tracee, registers), registers)
    else {
      ground.release()
      return refused("the program cannot fork, or a signal arrived in between")
    }
    let branch = Branch(
      mailbox: mailbox, trunk: kernel.mailbox, trunkThread: tracee.identifier,
      roots: plan.directories, readFolders: ground.readFolders)
    let events = BranchEvents()
    var world = configuration
    world.view = ClockView(kernel.clock)
    world.census = ThreadCensus()
    world.survey = nil
    world.report = events.record
    let loop = kernel.loop(for: branch, world)
    loop.faults.rules.table = table
    let first = adopt(child, from: tracee, by: loop)
    let streams = LaunchedTarget(branch: child, of: target)
    loop.targets[tracee.process.target] = streams
    let hooks = kernel.faults.functions?.hooks
    let counts = hooks?.reading()
    for (place, entry) in kernel.faults.functions?.points ?? [] {
      hooks?.setDue(table.nextDue(entry).map { UInt64($0) }, of: place)
    }
    let before = loop.virtualNow
    let watch = BranchWatch(of: loop, plan)
    loop.begin(watch)
    start(loop, first)
    loop.run()
    // What those wrote who have been killed.
    while streams.transfer() {}
    if let counts { hooks?.restore(counts) }
    let passed = loop.virtualNow - before
    let look = ground.compare(limit: plan.contentLimit)
    let disturbance = ground.putBack()
    if kernel.clock.flows, configuration.clock != nil { kernel.passOver(from: beginning) }
    for stop in branch.trunkStops { kernel.handle(stop) }
    kernel.somethingMoved()
    guard let ending = watch.ending ?? (branch.objection == nil ? nil : .exited) else {
      return nil
    }
    if let objection = branch.objection {
      var outcome = refused(objection)
      outcome.disturbance = disturbance
      return outcome
    }
    guard let look else {
      var outcome = refused("the branch left more in the watched folders than can be kept")
      outcome.disturbance = disturbance
      return outcome
    }
    let result = BranchResult(
      status: ending == .exited ? streams.status : nil, ending: ending,
      output: CapturedOutput(streams.output), errorOutput: CapturedOutput(streams.errorOutput),
      outputBefore: target.output.count,
      errorOutputBefore: target.errorOutput.count,
      files: look.files, removed: look.removed, remainders: watch.remainders,
      crashes: branch.crashes, faults: events.faults, passed: passed,
      took: RunnerClock.now() - beginning)
    return BranchOutcome(
      order: order, point: point, result: .ran(result), disturbance: disturbance)
  }

  /// A place where the thread can be made to make calls of ours.
  private func systemCallInstruction(for tracee: Tracee, _ registers: Registers) -> UInt64 {
    tracee.process.program.functions?.systemCallInstruction
      ?? registers.instructionPointer - UInt64(Architecture.systemCallInstruction.count)
  }

  /// Adopts a branch's first process, as if it were the trunk's.
  private func adopt(
    _ child: ThreadIdentifier, from trunk: Tracee, by loop: any BranchKernel
  ) -> Tracee {
    let old = trunk.process
    let process = TargetProcess(child, forkedFrom: old, memories: loop.tree.memories)
    process.ordinal = old.ordinal
    process.bornThreads = trunk.ordinal - 1
    let tracee = loop.addCopy(process)
    for interceptor in loop.interceptors.all {
      interceptor.processCopied(old.identifier, as: child, thread: trunk.identifier)
    }
    process.bornThreads = old.bornThreads
    loop.tree.setPath(of: child, kernel.tree.path(of: trunk.identifier))
    loop.waits.copyInterruption(of: trunk, to: tracee, from: kernel.waits)
    return tracee
  }

  // MARK: - The fork

  /// CLONE_PARENT of `linux/sched.h`: the child is the runner's, and not the trunk's, which neither gets a
  /// signal for it nor can wait for it (clone(2)).
  private static let asSibling: UInt64 = 0x8000

  /// Makes a stopped thread fork, and returns the child, which is at its first stop; `nil` if it
  /// could not.
  ///
  /// No more than the fork happens: neither handlers of pthread_atfork(3) nor anything else of
  /// libc's.
  private func fork(
    _ tracee: Tracee, at instruction: UInt64, _ registers: Registers
  ) -> ThreadIdentifier? {
    let thread = tracee.identifier.number
    var call = registers
    call.prepareCall(
      SystemCallNumber.clone, at: instruction, arguments: [Self.asSibling, 0, 0, 0, 0, 0])
    guard (try? call.write(to: tracee.identifier)) != nil else { return nil }
    let end = instruction + UInt64(Architecture.systemCallInstruction.count)
    var child: Int32?
    var isReady = false
    defer { if let child, !isReady { Self.abandon(child) } }
    while scenario_trace_continue_to_system_call(thread, 0) == 0 {
      let stop = scenario_await_stop(thread)
      switch stop.kind {
      case SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED:
        kernel.handle(stop)
        return nil
      case SCENARIO_STOP_NONE:
        return nil
      case SCENARIO_STOP_SIGNAL:
        tracee.postponedSignals.append(Int32(stop.value))
      case SCENARIO_STOP_FORK, SCENARIO_STOP_VFORK, SCENARIO_STOP_CLONE:
        var message: UInt64 = 0
        _ = scenario_trace_event_message(thread, &message)
        child = Int32(truncatingIfNeeded: message)
      case SCENARIO_STOP_SYSTEM_CALL:
        guard let current = try? Registers.read(from: tracee.identifier) else { return nil }
        // At its entry the call has the result ENOSYS (ptrace(2)).
        guard current.instructionPointer == end, current.result != -Int(ENOSYS) else { continue }
        guard let child, current.result > 0 else { return nil }
        _ = scenario_await_stop(child)
        // The child has none of the signals.
        guard tracee.postponedSignals.isEmpty else {
          kernel.sendPostponedSignals(to: tracee)
          return nil
        }
        isReady = true
        // A group of its own, as the trunk has: a signal to the group must not reach the trunk.
        _ = setpgid(child, child)
        return ThreadIdentifier(child)
      default:
        break
      }
    }
    return nil
  }

  /// Ends a child that cannot be used.
  private static func abandon(_ child: Int32) {
    kill(child, SIGKILL)
    while ![SCENARIO_STOP_EXITED, SCENARIO_STOP_KILLED, SCENARIO_STOP_NONE].contains(
      scenario_await_stop(child).kind)
    {}
  }
}
