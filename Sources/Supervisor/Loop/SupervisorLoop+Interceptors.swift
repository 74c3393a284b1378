internal import ScenarioModel

/// What the interceptors of a run get: this loop's target, and its time.
extension SupervisorLoop: TraceKernel, VirtualTime {
  var moment: ClockMoment { ClockMoment(clock: clock, real: RealClock.monotonic()) }

  func file(_ deadline: Deadline, for owner: WaitOwner) -> Timeline<WaitOwner>.Ticket? {
    deadline.instant(on: clock) == .forever ? nil : timeline.file(deadline, for: owner)
  }

  func cancel(_ ticket: Timeline<WaitOwner>.Ticket?) {
    timeline.cancel(ticket)
  }

  /// The interceptors that this run needs, whoever sees a call first at the front.
  func listInterceptors() -> Interceptors {
    var list: [any Interceptor] = []
    if configuration.stampsFiles { list.append(FileStamper(kernel: self, time: self)) }
    if configuration.clock != nil {
      list.append(
        TimerCalls(
          time: self, timers: timers,
          descriptors: TimerDescriptorCalls(
            timers: timers, descriptors: timerDescriptors, cancelledReads: cancelledReads)))
    }
    return Interceptors(list)
  }

  /// Shows a call to the interceptors that want it; true if one of them has taken it.
  func intercept(_ registers: Registers, of tracee: Tracee) -> Bool {
    switch interceptors.enter(InterceptedCall(tracee: tracee, registers: registers)) {
    case .pass:
      return false
    case .proceed:
      resume(tracee)
    case .skip(let result):
      var registers = registers
      registers.skipSystemCall(returning: result)
      finish(tracee, with: registers)
    case .make(let changed, let exit):
      complete(tracee, original: registers, with: changed) { exit(&$1) }
    case .observe(let exit):
      tracee.state = .completing(CallCompletion(entry: registers) { exit(&$1) })
      resume(tracee)
    }
    return true
  }
}
