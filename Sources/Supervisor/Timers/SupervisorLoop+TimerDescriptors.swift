internal import CSupervisor
internal import Glibc
internal import ScenarioModel

/// Timer descriptors (timerfd_create(2)).
///
/// In the target an event descriptor takes the place of the timer descriptor: it reads alike, polls alike
/// and counts alike, and the supervisor can make it expire.
extension SupervisorLoop {
  /// A thread makes, sets or reads a timer descriptor.
  func handleTimerDescriptorCall(
    of tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) {
    if registers.systemCall == SystemCallNumber.timerfdCreate {
      return createDescriptor(for: tracee, registers)
    }
    let number = Int32(truncatingIfNeeded: registers[argument: 0])
    guard let state = eventFiles.state(of: number, in: tracee.identifier),
      timers[.descriptor(state.event)] != nil
    else { return resume(tracee) }
    let event = state.event
    timers[.descriptor(event)]?.delivery = .descriptor(tracee.process.identifier, number: number)
    if registers.systemCall == SystemCallNumber.timerfdSettime {
      setDescriptor(event, isSet: state.isSet, for: tracee, registers, memory)
    } else {
      getDescriptor(event, for: tracee, registers, memory)
    }
  }

  private func createDescriptor(for tracee: Tracee, _ registers: Registers) {
    let number = Int32(truncatingIfNeeded: registers[argument: 0])
    let flags = Int32(truncatingIfNeeded: registers[argument: 1])
    // timerfd_create(2): these clocks; the flags have the values that eventfd2(2) gives them.
    guard [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, 8, 9].contains(number),
      flags & ~(O_CLOEXEC | O_NONBLOCK) == 0,
      let kind = ClockKind(number: registers[argument: 0])
    else { return resume(tracee) }
    if number >= 8, !tracee.mayWakeTheMachine {
      return answer(tracee, registers, with: -KernelError.notPermitted)
    }
    var changed = registers
    changed.systemCall = SystemCallNumber.eventfd2
    changed[argument: 0] = 0
    let process = tracee.process.identifier
    let owner = tracee.owner(ofCall: SystemCallNumber.timerfdSettime)
    complete(tracee, original: registers, with: changed) { loop, exit in
      guard exit.result >= 0 else { return }
      let number = Int32(truncatingIfNeeded: exit.result)
      guard let event = loop.markDescriptor(number, of: tracee) else { return }
      // The kernel gives the numbers of closed ones again.
      loop.forget(.descriptor(event))
      loop.timers[.descriptor(event)] = TargetTimer(
        timer: VirtualTimer(clock: kind), delivery: .descriptor(process, number: number),
        owner: owner)
      loop.sweepDescriptors()
    }
  }

  /// Marks a new event descriptor as one that stands for a timer; returns its event.
  private func markDescriptor(_ number: Int32, of tracee: Tracee) -> UInt64? {
    let copy = copyDescriptor(number, of: tracee)
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    guard scenario_event_mark(copy) == 0 else { return nil }
    return eventFiles.state(of: number, in: tracee.identifier)?.event
  }

  private func setDescriptor(
    _ event: UInt64, isSet: Bool, for tracee: Tracee, _ registers: Registers,
    _ memory: TargetMemory
  ) {
    let name = TimerName.descriptor(event)
    let flags = registers[argument: 1]
    let place = registers[argument: 2]
    guard let timer = timers[name]?.timer,
      let setting = memory.read(TimerSetting.self, at: place)
    else { return answer(tracee, registers, with: -KernelError.badAddress) }
    guard flags & ~3 == 0, setting.isValid else {
      return answer(tracee, registers, with: -KernelError.invalidArgument)
    }
    let old = TimerSetting(interval: timer.interval, rest: timer.rest(at: moment))
    // timerfd_settime(2): what has expired under the old setting is forgotten.
    if isSet { clearDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee) }
    let cancelsOnSet = timer.clock == .realtime && flags & 3 == 3
    let wasCancelled = cancelledTimers.remove(event) != nil
    timers[name]?.cancelsOnSet = cancelsOnSet
    arm(name, with: setting, isAbsolute: flags & 1 != 0, by: tracee)
    if wasCancelled, cancelsOnSet, setting.first.length > .zero {
      return answer(tracee, registers, with: -KernelError.cancelled)
    }
    let oldPlace = registers[argument: 3]
    let isWritten = oldPlace == 0 || memory.writeAsKernel(old, at: oldPlace)
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }

  private func clearDescriptor(_ number: Int32, of tracee: Tracee) {
    let copy = copyDescriptor(number, of: tracee)
    guard copy >= 0 else { return }
    _ = scenario_event_clear(copy)
    close(copy)
  }

  private func getDescriptor(
    _ event: UInt64, for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) {
    guard let timer = timers[.descriptor(event)]?.timer else { return resume(tracee) }
    let setting = TimerSetting(interval: timer.interval, rest: timer.rest(at: moment))
    let isWritten = memory.writeAsKernel(setting, at: registers[argument: 1])
    answer(tracee, registers, with: isWritten ? 0 : -KernelError.badAddress)
  }
}

extension Tracee {
  /// Whether the thread may set timers that would wake a sleeping machine (CAP_WAKE_ALARM, bit 35 of
  /// CapEff in proc(5)).
  fileprivate var mayWakeTheMachine: Bool {
    let path = "/proc/\(process.identifier.number)/task/\(identifier.number)/status"
    return SmallFile.signalMask("CapEff:", in: path).map { $0 & 1 << 35 != 0 } ?? false
  }
}
