internal import CSupervisor
internal import Foundations
internal import Glibc

/// Runs one thread of the target at a time, in an order that follows from the seed.
///
/// A thread that has the turn keeps it until it waits, ends or yields, or, at some of its calls,
/// loses it by lot. A thread that it wakes meanwhile stops at the exit of the call that it waited
/// in, and its stop is not handled before its own turn. A turn is given when everything else sleeps
/// or stands in a stop, and nothing is under way: the candidates then follow from what has happened
/// before, and not from how fast any thread was.
final class ThreadTurns: Interceptor {
  private unowned let kernel: any TurnKernel
  private let isSeeded: Bool
  private var order: TurnOrder
  /// The holder of the turn.
  private var holder = TurnHolder()
  /// The threads that wait for their turn, with their next step.
  private var waiting: [ThreadIdentifier: NextStep] = [:]
  /// The ends that have not been handled.
  private var ends: [scenario_stop] = []
  /// Threads in calls, whose exits must be seen.
  private var callers: [ThreadIdentifier: TurnCall] = [:]
  private var names = BirthNumbers()
  /// True if any thread has used a lock on a file.
  private var hasLocks = false
  /// The reasons why another run may not be the same.
  private var doubts: [String] = []
  /// True if it is being looked who may be chosen.
  private(set) var isChoosing = false
  /// The patience of the message that has to wait.
  private var mailPatience = MailPatience()
  /// True if all run as they like: the run is being ended.
  private var isOver = false
  /// True if time moves while threads compute.
  private var isBesideHolder = false

  /// The next step of a thread when its turn comes.
  private enum NextStep {
    /// Its stop is handled.
    case stop(scenario_stop)
    /// The thread is resumed, with a signal or 0.
    case resumption(signal: Int32)
  }

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - seed: the scenario's seed.
  ///   - entropy: where the target's random numbers come from.
  init(kernel: any TurnKernel, seed: Int64, entropy: EntropySource) {
    self.kernel = kernel
    order = TurnOrder(seed: seed)
    isSeeded = entropy.isSeeded
    if !isSeeded { doubt("entropy: real uses different random numbers in each run") }
  }

  // MARK: - As an interceptor

  var filterRules: [Int: FilterRule] { TurnCalls.filterRules }
  var calls: Set<Int>? { [] }
  var obstacleToFork: String? { "threads take turns" }

  func enter(_ call: InterceptedCall) -> CallDisposition { .pass }

  func threadStarted(_ thread: ThreadIdentifier, by maker: ThreadIdentifier) {
    _ = names[thread]
  }

  func threadRenamed(_ former: ThreadIdentifier, to thread: ThreadIdentifier) {
    names.rename(former, to: thread)
    holder.rename(former, to: thread)
  }

  func programStarted(in process: ThreadIdentifier) {
    guard isSeeded else { return }
    // personality(2): ADDR_NO_RANDOMIZE, which a container may refuse.
    let flags = SmallFile.read("/proc/\(process.number)/personality").flatMap {
      UInt32($0.prefix { $0.isHexDigit }, radix: 16)
    }
    if let flags, flags & 0x004_0000 == 0 {
      doubt("this machine uses different addresses in each run")
    }
  }

  func threadEnded(_ thread: ThreadIdentifier) {
    names.forget(thread)
    forget(thread)
  }

  private func forget(_ thread: ThreadIdentifier) {
    waiting[thread] = nil
    callers[thread] = nil
    holder.forget(thread)
  }

  // MARK: - What is known

  /// The turns so far.
  var report: OrderReport {
    OrderReport(turns: order.count, digest: order.digest, doubts: doubts)
  }

  /// True if a thread waits for a turn, so that time cannot pass.
  var isAwaited: Bool { !isChoosing && !(waiting.isEmpty && ends.isEmpty) }

  /// Returns whether messages that change anything are to wait: when they come is the machine's affair, and what they meet shall
  /// not depend on it.
  func keepsMail(in mailbox: Mailbox) -> Bool {
    guard !isOver, !mailbox.isEnding else { return false }
    guard mailbox.hasActions else {
      mailPatience.end()
      return true
    }
    guard isAwaited || !isSettled() else {
      mailPatience.end()
      recordWake()
      return false
    }
    guard
      mailPatience.isOver(
        real: RunnerClock.now(), used: TreeProcessorTime.ofLiving(kernel.processes.keys))
    else {
      return true
    }
    doubt("the runner could not wait until the target was idle")
    return false
  }

  /// Threads are woken from outside, by time or by the runner: unless that happens beside the holder, everything slept,
  /// and nobody has the turn any more.
  func recordWake() {
    if !isBesideHolder { holder.rest() }
  }

  /// Makes time pass while the holder computes; true if any has.
  func besideHolder(_ pass: () -> Bool) -> Bool {
    isBesideHolder = true
    defer { isBesideHolder = false }
    return pass()
  }

  /// Returns whether the exit of a thread's call is to be seen.
  func isInCall(_ tracee: Tracee) -> Bool { !isOver && callers[tracee.identifier] != nil }

  /// Ends turns: from here on all threads run as they like.
  func end() {
    isOver = true
    for thread in waiting.keys { kernel.tracees[thread]?.awaitsTurn = false }
    let open = ends
    ends = []
    waiting = [:]
    for stop in open { kernel.handle(stop) }
  }

  // MARK: - Stops

  /// Holds a stop until its thread has the turn; false if it is to be handled at once.
  func keeps(_ stop: scenario_stop) -> Bool {
    guard !isOver else { return false }
    let thread = ThreadIdentifier(stop.thread)
    if stop.kind == SCENARIO_STOP_EXITED || stop.kind == SCENARIO_STOP_KILLED {
      kernel.tracees[thread]?.awaitsTurn = true
      // An unknown thread has not been born yet, and no thread is to wait for that any more.
      guard kernel.tracees[thread] != nil else { return false }
      _ = kernel.tree.endUnborn(thread)
      forget(thread)
      kernel.forgetQuiescence()
      ends.append(stop)
      return true
    }
    // Births matter to the supervisor alone.
    guard let tracee = kernel.tracees[thread], !kernel.tree.isUnborn(thread) else { return false }
    _ = names[thread]
    if stop.kind == SCENARIO_STOP_EXEC { takeOverNumber(thread) }
    guard thread == holder.thread, !holder.takeStop() else {
      wait(tracee, .stop(stop))
      return true
    }
    switch stop.kind {
    case SCENARIO_STOP_SECCOMP: return keepsAtEntry(stop, tracee)
    case SCENARIO_STOP_SYSTEM_CALL: return keepsAtExit(stop, tracee)
    default: return false
    }
  }

  /// A thread that has run a program has the number of its process's first one (execve(2)), whose stop is none any more.
  private func takeOverNumber(_ thread: ThreadIdentifier) {
    var message: UInt64 = 0
    _ = scenario_trace_event_message(thread.number, &message)
    let caller = ThreadIdentifier(Int32(truncatingIfNeeded: message))
    guard caller != thread else { return }
    waiting[thread] = nil
    kernel.tracees[thread]?.awaitsTurn = false
    // It is gone, and its end is not reported.
    kernel.tracees[caller]?.awaitsTurn = true
    holder.rename(caller, to: thread)
  }

  private func keepsAtEntry(_ stop: scenario_stop, _ tracee: Tracee) -> Bool {
    guard kernel.tracees.count > 1, let registers = try? Registers.read(from: tracee.identifier)
    else { return false }
    let isYield = registers.systemCall == SystemCallNumber.schedYield
    guard order.mayChange() || isYield else { return false }
    holder.yields = isYield
    wait(tracee, .stop(stop))
    return true
  }

  private func keepsAtExit(_ stop: scenario_stop, _ tracee: Tracee) -> Bool {
    guard kernel.tracees.count > 1, callers[tracee.identifier]?.carries ?? false else {
      return false
    }
    holder.keepsTurn = true
    wait(tracee, .stop(stop))
    return true
  }

  private func wait(_ tracee: Tracee, _ step: NextStep) {
    waiting[tracee.identifier] = step
    tracee.awaitsTurn = true
    kernel.forgetQuiescence()
  }

  /// A stop is about to be handled.
  ///
  /// - Returns: how many stops, this one among them, say nothing about what the thread does.
  func begin(_ stop: scenario_stop, of tracee: Tracee) -> UInt64 {
    guard !isOver else { return 0 }
    switch stop.kind {
    case SCENARIO_STOP_SECCOMP:
      guard let registers = try? Registers.read(from: tracee.identifier) else { return 0 }
      let call = TurnCall(registers, of: tracee, hasLocks: hasLocks)
      if call.locks { hasLocks = true }
      callers[tracee.identifier] = call.isWatched ? call : nil
      record(tracee.identifier, registers.systemCall, result: nil)
      return call.isNews ? 0 : 1
    case SCENARIO_STOP_SYSTEM_CALL:
      return endCall(of: tracee)
    case SCENARIO_STOP_EXEC:
      callers[tracee.identifier] = nil
    // A call that a signal has interrupted may go on, by restart_syscall(2), which no filter shows.
    default: break
    }
    return 0
  }

  private func endCall(of tracee: Tracee) -> UInt64 {
    guard let registers = try? Registers.read(from: tracee.identifier),
      let call = callers[tracee.identifier]
    else { return 0 }
    // At the entry of a call the result is this (syscall(2) of the kernel's x86 entry code).
    let isEntry = registers.result == -KernelError.notSupported
    if isEntry, registers.systemCall == SystemCallNumber.restartSystemCall { return 1 }
    // Where the signal has no handler, the call goes on so.
    if registers.result == -KernelError.restartBlock { return 0 }
    callers[tracee.identifier] = nil
    guard !isEntry else { return 0 }
    let child = ThreadIdentifier(Int32(truncatingIfNeeded: registers.result))
    record(
      tracee.identifier, call.number,
      result: call.returnsProcess
        ? names.known(child) ?? min(0, registers.result) : registers.result)
    if !call.isNews { return 1 }
    return call.carries && registers.result == -KernelError.again ? 2 : 0
  }

  /// The number that stands for a thread's end in the place of a system call.
  private static let end = -1

  private func record(_ thread: ThreadIdentifier, _ call: Int, result: Int?) {
    order.record(
      thread: names[thread], call: call, result: result, now: kernel.virtualNow)
  }

  /// A thread is to go on: true if it must wait for its turn.
  func holds(_ tracee: Tracee, signal: Int32) -> Bool {
    guard !isOver, tracee.identifier != holder.thread else { return false }
    wait(tracee, .resumption(signal: signal))
    return true
  }

  // MARK: - Turns

  /// Gives the turn to a thread, if none runs; false if one does, or none waits.
  func give() -> Bool {
    guard !isOver, isAwaited else { return false }
    // What a process leaves that has ended is known once its end is.
    if !ends.isEmpty, !kernel.tree.unannounced.isEmpty {
      hearEnds()
      return true
    }
    guard isSettled() else {
      endTurnInTime()
      return false
    }
    if kernel.clock.flows { doubt("the clock is running") }
    guard ends.isEmpty else {
      hearEnds()
      return true
    }
    let thread = next()
    holder.begin(thread)
    guard let step = waiting.removeValue(forKey: thread), let tracee = kernel.tracees[thread] else {
      return true
    }
    tracee.awaitsTurn = false
    kernel.forgetQuiescence()
    switch step {
    case .stop(let stop):
      if stop.kind == SCENARIO_STOP_SYSTEM_CALL { gatherEvents(for: tracee) }
      kernel.handle(stop)
    case .resumption(let signal): kernel.resume(tracee, signal: signal)
    }
    return true
  }

  /// Chooses the next among the waiting threads.
  private func next() -> ThreadIdentifier {
    let former = holder.thread
    if holder.keepsTurn, let former { return former }
    let ready = inOrder(Array(waiting.keys)) { $0 }
    let others = holder.yields && ready.count > 1 ? ready.filter { $0 != former } : ready
    return others[order.next(among: others.count)]
  }

  /// Sorts the items of threads by the threads' start order.
  private func inOrder<Item>(_ items: [Item], _ thread: (Item) -> ThreadIdentifier) -> [Item] {
    items.map { (names[thread($0)], $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func endTurnInTime() {
    guard let thread = holder.thread, let tracee = kernel.tracees[thread], !tracee.awaitsTurn,
      !holder.isStopped, tracee.sampler.state() == .busy
    else { return }
    guard isTurnLong() else { return }
    holder.stop()
    doubt("\(tracee.process.programName) was stopped while it computed")
    _ = scenario_trace_interrupt(thread.number)
  }

  /// Returns whether the holder has computed for long since others began to wait.
  func isTurnLong() -> Bool {
    guard let thread = holder.thread, let tracee = kernel.tracees[thread] else { return false }
    return holder.isTurnLong(use: tracee.sampler.processorTime())
  }

  /// Another run may not be the same.
  func doubt(_ reason: String) {
    guard !doubts.contains(reason), doubts.count < Self.doubtLimit else { return }
    doubts.append(reason)
  }

  private static let doubtLimit = 8

  /// Collects the events that a thread may have waited for, at the exit of its call.
  private func gatherEvents(for tracee: Tracee) {
    guard let memory = tracee.process.memory, let call = callers[tracee.identifier],
      EventGathering.isWait(call.number),
      var registers = try? Registers.read(from: tracee.identifier), registers.result > 0,
      EventGathering.isPossible(for: registers, DescriptorTable(of: tracee))
    else { return }
    let size = UInt64(Architecture.systemCallInstruction.count)
    // Signals wait, and keep what they say beside their numbers.
    var mask: UInt64 = 0
    guard scenario_trace_hold_signals(tracee.identifier.number, &mask) == 0 else { return }
    let result = EventGathering.result(of: registers, in: memory) { number, arguments in
      kernel.makeCall(
        number, arguments, in: tracee, registers, at: registers.instructionPointer &- size)
    }
    if let result { registers.result = result }
    try? registers.write(to: tracee.identifier)
    scenario_trace_release_signals(tracee.identifier.number, mask)
    kernel.sendPostponedSignals(to: tracee)
  }

  private func hearEnds() {
    let heard = inOrder(ends) { ThreadIdentifier($0.thread) }
    ends = []
    for stop in heard {
      record(ThreadIdentifier(stop.thread), Self.end, result: Int(stop.value))
      kernel.handle(stop)
    }
  }

  /// Returns whether every thread sleeps or is in a stop, and nothing is under way.
  private func isSettled() -> Bool {
    isChoosing = true
    defer { isChoosing = false }
    // Who waits for room in a pipe to the runner is to have it.
    return kernel.sleepBesideTurns() && !kernel.takeOutput()
      && waiting.keys.allSatisfy { kernel.tracees[$0]?.sampler.isStopped() ?? false }
  }
}
