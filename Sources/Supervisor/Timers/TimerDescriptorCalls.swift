internal import Foundations
internal import Glibc

/// Calls on timer descriptors (timerfd_create(2)).
///
/// In the target an event descriptor takes the place of the timer descriptor: it reads alike, polls alike
/// and counts alike, and the supervisor can make it expire.
final class TimerDescriptorCalls {
  private unowned let time: any VirtualTime
  private let timers: TimerService
  private let descriptors: TimerDescriptors
  private let cancelledReads: CancelledReads

  init(
    time: any VirtualTime, timers: TimerService, descriptors: TimerDescriptors,
    cancelledReads: CancelledReads
  ) {
    self.time = time
    self.timers = timers
    self.descriptors = descriptors
    self.cancelledReads = cancelledReads
  }

  /// A thread makes a timer descriptor.
  func create(_ call: InterceptedCall) -> CallDisposition {
    let number = call.integer(0)
    let flags = call.integer(1)
    // timerfd_create(2): these clocks; the flags have the values that eventfd2(2) gives them.
    guard [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, 8, 9].contains(number),
      flags & ~(O_CLOEXEC | O_NONBLOCK) == 0,
      let kind = ClockKind(number: call.registers[argument: 0])
    else { return .proceed }
    let tracee = call.tracee
    if number >= 8, !mayWakeTheMachine(tracee) { return .skip(result: -KernelError.notPermitted) }
    var changed = call.registers
    changed.systemCall = SystemCallNumber.eventfd2
    changed[argument: 0] = 0
    let owner = tracee.owner(ofCall: SystemCallNumber.timerfdSettime)
    let wall = tracee.process.wall(on: time.clock)
    return .make(changed) { [timers, descriptors] exit in
      guard exit.result >= 0 else { return }
      let number = Int32(truncatingIfNeeded: exit.result)
      guard let event = descriptors.mark(number, of: tracee) else { return }
      timers.add(
        TargetTimer(
          timer: VirtualTimer(clock: kind, wall: wall), delivery: .descriptor, owner: owner),
        as: .descriptor(event))
      descriptors.record(event, as: number, in: tracee.process.identifier)
    }
  }

  /// A thread sets a timer by its descriptor.
  func set(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    guard let state = timerState(call) else { return .proceed }
    let name = TimerName.descriptor(state.event)
    let registers = call.registers
    let flags = registers[argument: 1]
    guard let timer = timers[name]?.timer, let old = timers.setting(of: name),
      let setting = memory.read(TimerSetting.self, at: registers[argument: 2])
    else { return .skip(result: -KernelError.badAddress) }
    guard flags & ~3 == 0, setting.isValid else {
      return .skip(result: -KernelError.invalidArgument)
    }
    // timerfd_settime(2): what has expired under the old setting is forgotten.
    if state.isSet { descriptors.clear(call.integer(0), of: call.tracee) }
    let cancelsOnSet = timer.clock == .realtime && flags & 3 == 3
    let wasCancelled = cancelledReads.forget(state.event)
    timers.setCancellation(of: name, cancelsOnSet)
    timers.arm(name, with: setting, isAbsolute: flags & 1 != 0)
    if wasCancelled, cancelsOnSet, setting.first.length > .zero {
      return .skip(result: -KernelError.cancelled)
    }
    let oldPlace = registers[argument: 3]
    return .written(oldPlace == 0 || memory.writeAsKernel(old, at: oldPlace))
  }

  /// A thread reads what a timer shows, by its descriptor.
  func get(_ call: InterceptedCall, _ memory: TargetMemory) -> CallDisposition {
    guard let state = timerState(call),
      let setting = timers.setting(of: .descriptor(state.event))
    else { return .proceed }
    return .written(memory.writeAsKernel(setting, at: call.registers[argument: 1]))
  }

  /// Returns the event behind a call's descriptor, if that is a timer's.
  private func timerState(_ call: InterceptedCall) -> EventDescriptor.State? {
    let number = call.integer(0)
    guard let state = descriptors.state(of: number, in: call.tracee.identifier),
      timers[.descriptor(state.event)] != nil
    else { return nil }
    descriptors.record(state.event, as: number, in: call.tracee.process.identifier)
    return state
  }

  /// Returns whether a thread may set timers that would wake a sleeping machine (CAP_WAKE_ALARM, bit 35 of
  /// CapEff in proc(5)).
  private func mayWakeTheMachine(_ tracee: Tracee) -> Bool {
    let thread = tracee.identifier.number
    let path = "/proc/\(tracee.process.identifier.number)/task/\(thread)/status"
    return SmallFile.signalMask("CapEff:", in: path).map { $0 & 1 << 35 != 0 } ?? false
  }
}
