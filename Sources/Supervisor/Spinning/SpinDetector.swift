internal import CSupervisor
internal import Foundations
internal import Glibc

/// Holds threads that spin until there is something new for them, and makes time pass for those
/// that read the clock.
final class SpinDetector {
  unowned let kernel: any SpinKernel
  /// The spinners that are held.
  var held = HeldSpinners()
  /// The cost of stops on this machine.
  private var stopCost: StopCost
  /// The detection of programs that are started one after the other and only read the clock.
  var programs = ExecSpinDetector()

  /// - Parameters:
  ///   - kernel: whose threads they are.
  ///   - idleTurn: what an idle turn may always take.
  init(kernel: any SpinKernel, idleTurn: Nanoseconds) {
    self.kernel = kernel
    stopCost = StopCost(idleTurn: idleTurn)
  }

  /// The processor time of a turn that does nothing.
  var idleTurn: Nanoseconds { stopCost.idleTurn }

  /// True if no thread is held.
  var isEmpty: Bool { held.threads.isEmpty }

  /// A stop is none of which others would see anything.
  func discountStops(_ count: UInt64) { held.stopCount &-= count }

  /// A thread has stopped.
  func countStop() { held.stopCount &+= 1 }

  /// Forgets a thread that has exited.
  func forget(_ thread: ThreadIdentifier) {
    held.threads.remove(thread)
    stopCost.forget(thread)
  }

  /// Time has passed.
  func timePassed() {
    if !holdsNewcomers { programs = ExecSpinDetector() }
  }

  /// True if programs are started only to read the clock.
  var isOfPrograms: Bool { programs.isSpinning }

  /// The real time for which a spinner is held while other threads run on.
  ///
  /// One of them may loop until the spinner has done something.
  static let turnLength = Nanoseconds.milliseconds(1)

  // MARK: - Spinners come

  /// A thread reads the clock by a system call.
  func handleClockRead(of tracee: Tracee, _ registers: Registers) {
    let isSpin = registers.isReportOfSpin
    if tracee.process.isNewcomer, holdNewcomer(tracee, registers) { return }
    if !kernel.clock.flows {
      held.stopCount &-= 1
      let isBound = isSpin || tracee.spin.countRead(at: kernel.clockGeneration)
      let worth =
        isSpin ? Nanoseconds(registers.reportedReads &* SpinCredit.read.count) : SpinCredit.call
      earn(worth, by: tracee)
      // Where time moves by itself, it may as well move a little for one who works.
      if isBound,
        kernel.clock.movesByItself
          ? awaitsStep(tracee)
          : !tracee.spin.hasWorked(
            at: kernel.clockGeneration, spent: tracee.sampler.processorTime(),
            turn: isSpin ? SpinRecord.idleReads(registers.reportedReads) : SpinRecord.idleCalls)
      {
        return park(tracee, at: registers, readsClock: true)
      }
    }
    answerClockRead(of: tracee, registers)
  }

  /// A thread gives up its processor, or sleeps for no time at all.
  func handleYield(of tracee: Tracee, _ registers: Registers) {
    guard !kernel.clock.flows else { return kernel.resume(tracee) }
    if let isRepeated = stopCost.repetition(
      of: tracee.identifier, spent: { tracee.sampler.processorTime() })
    {
      held.stopCount &-= 1
      return isRepeated ? repeatCall(of: tracee, registers) : yield(tracee, registers)
    }
    earn(SpinCredit.call, by: tracee)
    let outcome = tracee.spin.countYield(
      at: kernel.clockGeneration, from: registers.place, idleTurn: stopCost.idleTurn
    ) {
      tracee.sampler.processorTime()
    }
    switch outcome {
    case .progress: return yield(tracee, registers)
    case .work
    where stopCost.isFree && !kernel.isCallOfRules(registers.systemCall):
      stopCost.begin(with: tracee.identifier, spent: tracee.sampler.processorTime())
      return repeatCall(of: tracee, registers)
    case .work: return yield(tracee, registers)
    case .pass:
      held.stopCount &-= 1
      return yield(tracee, registers)
    case .wait: held.stopCount &-= 1
    }
    let readsClock = tracee.spin.readsClock(
      at: kernel.clockGeneration, count: clockReads(of: tracee.process))
    if readsClock, kernel.clock.movesByItself, !awaitsStep(tracee) {
      return yield(tracee, registers)
    }
    park(tracee, at: registers, readsClock: readsClock)
  }

  /// Adds to the credit of a thread for its reads, in virtual time.
  private func earn(_ worth: Nanoseconds, by tracee: Tracee) {
    tracee.spin.earn(worth, at: kernel.clockGeneration, now: kernel.virtualNow)
  }

  /// Returns whether a thread has asked often enough for time to move a step, and does not let it pass by computing.
  private func awaitsStep(_ tracee: Tracee) -> Bool {
    hasGoal(tracee) && !kernel.isCharged(tracee.identifier)
  }

  /// Returns whether time may move for the sake of a thread that asks again and again.
  private func hasGoal(_ tracee: Tracee) -> Bool {
    tracee.spin.goal(after: kernel.virtualNow) != nil
  }

  /// The spinners of each process: threads that are held, or look again at this instant.
  func spinnersByProcess() -> [ThreadIdentifier: Set<ThreadIdentifier>] {
    kernel.processes.compactMapValues { process in
      let spinners = process.threads.filter { thread in
        guard let tracee = kernel.tracees[thread] else { return false }
        if case .parked = tracee.state { return true }
        return tracee.spin.looksAgain(at: kernel.clockGeneration)
      }
      return spinners.isEmpty ? nil : Set(spinners)
    }
  }

  /// A number that changes whenever a process reads the clock at this instant; nought if it has not.
  func readCount(of process: TargetProcess) -> UInt64 {
    process.threads.reduce(clockReads(of: process)) { sum, thread in
      sum &+ (kernel.tracees[thread]?.spin.readCount(at: kernel.clockGeneration) ?? 0)
    }
  }

  /// Resumes a thread that gives up its processor: its stop has been the pause.
  ///
  /// The call is not made. On a busy processor sched_yield(2) returns once every other thread of
  /// the machine has had its turn there, tens of milliseconds later. The kernel would make an empty
  /// sleep last for the slack of its timers (prctl(2): PR_SET_TIMERSLACK, 50 µs), in which the
  /// thread could not be distinguished from one that rests.
  private func yield(_ tracee: Tracee, _ registers: Registers) {
    var answered = registers
    answered.skipSystemCall(returning: 0)
    kernel.finish(tracee, with: answered)
  }

  /// Makes a thread at the entry of a call come back to it with none of its own instructions
  /// between.
  private func repeatCall(of tracee: Tracee, _ registers: Registers) {
    var registers = registers
    registers.repeatSystemCall()
    kernel.finish(tracee, with: registers)
  }

  private func answerClockRead(of tracee: Tracee, _ registers: Registers) {
    var registers = registers
    // Where time does not move for a reader, or it has to read on for that, it need not report so often.
    let answer =
      registers.isReportOfSpin
        && !(kernel.clock.movesByItself && awaitsStep(tracee))
      ? Int(SCENARIO_READ_TWICE_AS_LONG) : kernel.clock.answer(tracee, registers)
    registers.skipSystemCall(returning: answer)
    kernel.finish(tracee, with: registers)
  }

  /// Holds a spinner in the stop at a call's entry.
  func park(
    _ tracee: Tracee, at registers: Registers, readsClock: Bool, newcomerSince: UInt64? = nil
  ) {
    tracee.spin.hold(at: kernel.clockGeneration)
    tracee.state = .parked(
      HeldSpinner(entry: registers, readsClock: readsClock, newcomerSince: newcomerSince))
    held.threads.insert(tracee.identifier)
  }

  /// Returns the number of times that a process has read the clock from its page at this instant.
  ///
  /// The process may write what it likes there; it can only spin differently.
  private func clockReads(of process: TargetProcess) -> UInt64 {
    guard let image = process.image, let memory = process.memory else { return 0 }
    let count = Int(SCENARIO_TALLY_COUNT)
    return withUnsafeTemporaryAllocation(of: scenario_read_tally.self, capacity: count) { page in
      guard memory.read(UnsafeMutableRawBufferPointer(page), at: image.tallies) else { return 0 }
      return page.reduce(0) { $1.active == kernel.clockGeneration ? $0 &+ $1.count : $0 }
    }
  }

  // MARK: - Spinners look again

  /// Resumes a spinner.
  private func release(_ tracee: Tracee) {
    held.threads.remove(tracee.identifier)
    guard case .parked(let parking) = tracee.state else { return }
    kernel.forgetQuiescence()
    tracee.state = .running
    switch parking.entry.systemCall {
    case SystemCallNumber.clockGettime, SystemCallNumber.gettimeofday, SystemCallNumber.time:
      tracee.spin.release(at: kernel.clockGeneration, spent: .zero, count: 0)
      answerClockRead(of: tracee, parking.entry)
    default:
      tracee.spin.release(
        at: kernel.clockGeneration, spent: tracee.sampler.processorTime(),
        count: clockReads(of: tracee.process))
      yield(tracee, parking.entry)
    }
  }

  /// Resumes all spinners, of one process or of all; true if there were any.
  @discardableResult
  func releaseSpinners(of process: TargetProcess? = nil) -> Bool {
    guard !held.threads.isEmpty else { return false }
    var isAny = false
    for tracee in parkedTracees where process.map({ $0 === tracee.process }) ?? true {
      release(tracee)
      isAny = true
    }
    return isAny
  }

  /// The spinners that are still there, in the order of their numbers.
  var parkedTracees: [Tracee] {
    held.threads.sorted().compactMap { thread in
      guard let tracee = kernel.tracees[thread], case .parked = tracee.state else {
        held.threads.remove(thread)
        return nil
      }
      return tracee
    }
  }

  /// Resumes spinners from time to time, while others run; true if any was resumed.
  func releaseSpinnersNowAndThen() -> Bool {
    guard !held.threads.isEmpty else { return false }
    let real = RealClock.monotonic()
    let length = holdsNewcomers ? ExecSpinDetector.turnLength : Self.turnLength
    guard real.count - held.lastTurn >= length.count else { return false }
    held.lastTurn = real.count
    return releaseSpinners()
  }

  /// Resumes, while everything but spinners sleeps, those that have not seen all that happened;
  /// true if any was resumed.
  ///
  /// What one yielder does may let another go on, which the other sees at its next turn: there are
  /// as many rounds as there are yielders.
  ///
  /// - Parameter timeMayMove: whether time is to move rather than that they poll for ever at one
  ///   instant.
  func releaseSpinnersWithNews(timeMayMove: Bool) -> Bool {
    guard !held.threads.isEmpty else { return false }
    if timeMayMove, held.turns >= HeldSpinners.turnLimit,
      held.view?.clockGeneration == kernel.clockGeneration
    {
      return false
    }
    let spinners = parkedTracees
    let yielders = spinners.count { !$0.waitsForClock }
    let rounds = max(1, min(yielders, HeldSpinners.roundLimit))
    let hasNews = recordView()
    var isAny = false
    for tracee in spinners {
      if hasNews { tracee.spin.turns = 0 }
      // Before time moves there is nothing new for it.
      if timeMayMove, tracee.newcomerSince == kernel.clockGeneration { continue }
      // Time may move for the others and is not to pass it by.
      let mustEarn =
        timeMayMove && tracee.waitsForClock && tracee.newcomerSince == nil && kernel.mayPassTime
        && !hasGoal(tracee)
      guard tracee.spin.turns < rounds || mustEarn || tracee.hasDeliverableSignal else { continue }
      tracee.spin.turns += 1
      release(tracee)
      isAny = true
    }
    if isAny {
      held.turns += 1
      held.lastTurn = RealClock.monotonic().count
    }
    return isAny
  }

  /// Resumes for a while, where nothing is new and time does not move, the spinners that read the
  /// clock; true if there were any.
  ///
  /// Some read it a great many times and come to an end by themselves.
  func letSpinnersTurn() -> Bool {
    guard !held.threads.isEmpty else { return false }
    let real = RunnerClock.now()
    let since = held.idleSince ?? real
    held.idleSince = since
    guard real - since < Self.patience else { return false }
    return releaseSpinners()
  }

  /// The real time for which spinners turn where nothing is new before they are held for good.
  private static let patience = Nanoseconds.seconds(1)

  /// Records the view; true if it differs from the last one.
  private func recordView() -> Bool {
    if let view = held.view, view.clockGeneration == kernel.clockGeneration,
      view.stopCount == held.stopCount, view.runCounts == kernel.runCounts
    {
      return false
    }
    if held.view?.clockGeneration != kernel.clockGeneration { held.turns = 0 }
    held.idleSince = nil
    held.view = HeldSpinners.View(
      clockGeneration: kernel.clockGeneration, stopCount: held.stopCount,
      runCounts: kernel.runCounts)
    return true
  }

  // MARK: - Time moves for them

  func goal(after now: Nanoseconds) -> Nanoseconds? { firstSpinnerStep(after: now)?.goal }

  private func firstSpinnerStep(after now: Nanoseconds) -> (tracee: Tracee, goal: Nanoseconds)? {
    guard !held.threads.isEmpty else { return nil }
    let steps = parkedTracees.filter { tracee in
      // For one whose computing lets time pass, it passes by no smaller steps.
      tracee.waitsForClock && !kernel.isCharged(tracee.identifier)
    }.compactMap { tracee in
      let goal =
        tracee.newcomerSince == nil
        ? tracee.spin.goal(after: now) : now + programs.step(now: now)
      return goal.map { (tracee: tracee, goal: $0) }
    }
    return steps.min { $0.goal < $1.goal }
  }

  func reached(_ goal: Nanoseconds) {
    guard let (tracee, _) = firstSpinnerStep(after: kernel.virtualNow) else { return }
    kernel.advance(
      to: goal,
      because: .spin(
        program: tracee.process.programName, process: tracee.process.identifier.number))
    kernel.countSpin(of: tracee.process)
    _ = recordView()
    for tracee in parkedTracees {
      tracee.spin.turns = 1
      release(tracee)
    }
    held.lastTurn = RealClock.monotonic().count
  }
}

extension Tracee {
  /// True if the thread is held until the clock moves.
  fileprivate var waitsForClock: Bool {
    if case .parked(let parking) = state { return parking.readsClock }
    return false
  }

  /// True if a signal is pending that the thread would get, were it resumed (proc(5): SigPnd,
  /// ShdPnd, SigBlk).
  fileprivate var hasDeliverableSignal: Bool {
    guard scenario_has_pending_signal(identifier.number) != 0,
      let masks = SmallFile.signalMasks(
        ["SigPnd:", "ShdPnd:", "SigBlk:"],
        in: "/proc/\(process.identifier.number)/task/\(identifier.number)/status")
    else { return false }
    return (masks[0] | masks[1]) & ~masks[2] != 0
  }
}

extension Registers {
  /// True if this is the replacement vDSO's report that its program spins.
  var isReportOfSpin: Bool {
    systemCall == SystemCallNumber.clockGettime
      && UInt32(truncatingIfNeeded: self[argument: 2]) == SCENARIO_SPIN_COOKIE
  }

  /// The number of reads in such a report, or the number that its program claims.
  fileprivate var reportedReads: Int64 {
    let least = Int64(SCENARIO_FREE_READS)
    return min(
      max(Int64(bitPattern: self[argument: 2] >> 32), least), Int64(SCENARIO_MOST_FREE_READS))
  }
}
