internal import CSupervisor
internal import Foundations
internal import Glibc

/// Answers the calls that set the wall clock or read its steering, none of which is ever made: the
/// machine's clock is not the target's.
final class ClockSetting: Interceptor {
  private unowned let kernel: any TraceKernel
  private unowned let clocks: any VirtualTime
  private let isSettable: Bool
  /// The disciplines that targets have set, by wall clock.
  private var disciplines: [WallNumber: ClockDiscipline] = [:]

  /// - Parameter isSettable: whether the target may set the scenario's clock.
  init(kernel: any TraceKernel, time: any VirtualTime, isSettable: Bool) {
    self.kernel = kernel
    clocks = time
    self.isSettable = isSettable
  }

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.adjtimex: .trace,
    // Other clocks cannot be set, or are devices of their own: the kernel knows.
    SystemCallNumber.clockAdjtime: .traceIfAmong([.init(argument: 0, values: [realtime])]),
    SystemCallNumber.settimeofday: .trace,
    SystemCallNumber.clockSettime: .traceIfAmong([.init(argument: 0, values: [realtime])]),
  ]

  private static let realtime = UInt32(CLOCK_REALTIME)

  func inherit(from trunk: any Interceptor) {
    if let trunk = trunk as? ClockSetting { disciplines = trunk.disciplines }
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.settimeofday:
      return .skip(result: setTimeOfDay(for: call))
    case SystemCallNumber.adjtimex:
      return .skip(result: adjust(for: call, address: call.registers[argument: 0]))
    default:
      guard call.integer(0) == CLOCK_REALTIME else { return .proceed }
      return .skip(
        result: call.number == SystemCallNumber.clockSettime
          ? setTime(for: call) : adjust(for: call, address: call.registers[argument: 1]))
    }
  }

  // MARK: - clock_settime, settimeofday

  private func setTime(for call: InterceptedCall) -> Int {
    guard
      let time = call.tracee.process.memory?.read(TimeValue.self, at: call.registers[argument: 1])
    else {
      return -KernelError.badAddress
    }
    guard WallClockSetting.isValid(time) else { return -KernelError.invalidArgument }
    return set(time, for: call)
  }

  private func setTimeOfDay(for call: InterceptedCall) -> Int {
    guard let memory = call.tracee.process.memory else { return -KernelError.badAddress }
    var time: TimeValue?
    if call.registers[argument: 0] != 0 {
      guard var value = memory.read(TimeValue.self, at: call.registers[argument: 0]) else {
        return -KernelError.badAddress
      }
      guard 0...1_000_000 ~= value.fraction else { return -KernelError.invalidArgument }
      value.fraction *= 1_000
      time = value
    }
    var zone: TimeZoneValue?
    if call.registers[argument: 1] != 0 {
      zone = memory.read(TimeZoneValue.self, at: call.registers[argument: 1])
      guard zone != nil else { return -KernelError.badAddress }
    }
    if let time, !WallClockSetting.isValid(time) { return -KernelError.invalidArgument }
    guard isSettable else {
      return refuse(time, for: call)
    }
    // The kernel's time zone is accepted and not returned: gettimeofday(2) calls it obsolete.
    if let zone, !(-15 * 60...15 * 60 ~= zone.minutesWest) { return -KernelError.invalidArgument }
    guard let time else { return 0 }
    return set(time, for: call)
  }

  /// `struct timezone` of settimeofday(2).
  private struct TimeZoneValue: BitwiseCopyable {
    var minutesWest: Int32
    var daylightSaving: Int32
  }

  private func set(_ time: TimeValue, for call: InterceptedCall) -> Int {
    guard isSettable else { return refuse(time, for: call) }
    let moment = clocks.moment
    let instant = WallClockSetting.instant(time, monotonic: moment.monotonic)
    guard let instant else { return -KernelError.invalidArgument }
    setWallClock(to: instant, from: moment.wall(of: wall(of: call)), for: call)
    return 0
  }

  private func refuse(_ time: TimeValue?, for call: InterceptedCall) -> Int {
    let wall = clocks.moment.wall(of: wall(of: call))
    report(by: time.map { WallInstant($0) - wall } ?? .zero, error: "EPERM", call)
    return -KernelError.notPermitted
  }

  // MARK: - adjtimex, clock_adjtime

  private func adjust(for call: InterceptedCall, address: UInt64) -> Int {
    guard let memory = call.tracee.process.memory,
      let request = memory.read(scenario_clock_state.self, at: address)
    else { return -KernelError.badAddress }
    let error = adjust(request, for: call)
    guard error == 0 else {
      // adjtimex hands the structure back even then, clock_adjtime does not.
      let isWritten =
        call.number != SystemCallNumber.adjtimex
        || memory.writeAsKernel(request, at: address)
      return isWritten ? -error : -KernelError.badAddress
    }
    do throws(TraceError) {
      let wall = wall(of: call)
      let moment = clocks.moment
      let atomic = moment.clock.atomic(of: wall, real: moment.real)
      var discipline = try discipline(of: wall)
      if let leapSecond = moment.clock.leapSecond {
        discipline = discipline.expecting(leapSecond, at: atomic)
      }
      let shown = moment.wall(of: wall)
      let answer = discipline.answer(
        to: request, wall: shown,
        atomicOffset: ClockKind.atomicOffset + (atomic.seconds - shown.seconds),
        correction: moment.clock.deviation(of: wall)?.reading(at: moment.monotonic).correction
          ?? .zero)
      return memory.writeAsKernel(answer, at: address)
        ? discipline.returnValue : -KernelError.badAddress
    } catch {
      return -Int(error.errorNumber)
    }
  }

  /// Carries out a request; returns 0 or an errno.
  private func adjust(
    _ request: scenario_clock_state, for call: InterceptedCall
  ) -> Int {
    let displacement = ClockDiscipline.displacement(in: request)
    if let refusal = ClockDiscipline.refusal(of: request, mayChange: isSettable) {
      if refusal == KernelError.notPermitted {
        report(by: displacement?.length ?? .zero, error: "EPERM", call)
      }
      return refusal
    }
    let wall = wall(of: call)
    if let displacement {
      let moment = clocks.moment
      let former = moment.wall(of: wall)
      let instant = WallClockSetting.instant(
        displacing: former, by: displacement, monotonic: moment.monotonic)
      guard let instant else { return KernelError.invalidArgument }
      setWallClock(to: instant, from: former, for: call)
    }
    if ClockDiscipline.isChanged(by: request), var changed = try? discipline(of: wall) {
      changed.apply(request)
      disciplines[wall] = changed
    }
    return 0
  }

  private func discipline(of wall: WallNumber) throws(TraceError) -> ClockDiscipline {
    if let discipline = disciplines[wall] { return discipline }
    let machine = try ClockDiscipline.ofMachine()
    return clocks.clock.leapSecond == nil ? machine : machine.synchronized
  }

  /// Returns the wall clock of a call's caller.
  private func wall(of call: InterceptedCall) -> WallNumber {
    call.tracee.process.wall(on: clocks.clock)
  }

  // MARK: - The step

  /// Sets the scenario's wall clock because the target wants it.
  ///
  /// - Parameter former: its time when the target's call was decoded.
  private func setWallClock(
    to instant: WallInstant, from former: WallInstant, for call: InterceptedCall
  ) {
    let length = instant - former
    let wall = wall(of: call)
    clocks.setWall(to: instant, of: wall)
    if var forgotten = try? discipline(of: wall) {
      forgotten.forget()
      disciplines[wall] = forgotten
    }
    report(by: length, error: nil, call)
  }

  private func report(by length: Nanoseconds, error: String?, _ call: InterceptedCall) {
    kernel.report(
      .clockSet(
        process: call.tracee.process.identifier.number, by: length,
        systemCall: SystemCallTable.current.name(of: call.number), error: error))
  }
}
