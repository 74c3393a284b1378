internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorLoop {
  /// Answers the calls that set the wall clock or tell how it is steered, none of which is ever made:
  /// the machine's clock is not the target's.
  func setClock(for tracee: Tracee, _ registers: Registers) {
    guard configuration.clock != nil else { return resume(tracee) }
    let answer: Int
    switch registers.systemCall {
    case SystemCallNumber.settimeofday:
      answer = setTimeOfDay(for: tracee, registers)
    case SystemCallNumber.adjtimex:
      answer = adjust(for: tracee, registers, address: registers[argument: 0])
    default:
      // Other clocks cannot be set, or are devices of their own: the kernel knows.
      guard UInt32(truncatingIfNeeded: registers[argument: 0]) == UInt32(CLOCK_REALTIME) else {
        return resume(tracee)
      }
      answer =
        registers.systemCall == SystemCallNumber.clockSettime
        ? setTime(for: tracee, registers)
        : adjust(for: tracee, registers, address: registers[argument: 1])
    }
    var registers = registers
    registers.skipSystemCall(returning: answer)
    finish(tracee, with: registers)
  }

  private var isSettable: Bool { configuration.clock?.isSettable ?? false }

  // MARK: - clock_settime, settimeofday

  private func setTime(for tracee: Tracee, _ registers: Registers) -> Int {
    guard let time = tracee.process.memory?.read(TimeValue.self, at: registers[argument: 1]) else {
      return -KernelError.badAddress
    }
    guard WallClockSetting.isValid(time) else { return -KernelError.invalidArgument }
    return set(time, for: tracee, registers)
  }

  private func setTimeOfDay(for tracee: Tracee, _ registers: Registers) -> Int {
    guard let memory = tracee.process.memory else { return -KernelError.badAddress }
    var time: TimeValue?
    if registers[argument: 0] != 0 {
      guard var value = memory.read(TimeValue.self, at: registers[argument: 0]) else {
        return -KernelError.badAddress
      }
      guard 0...1_000_000 ~= value.fraction else { return -KernelError.invalidArgument }
      value.fraction *= 1_000
      time = value
    }
    var zone: TimeZoneValue?
    if registers[argument: 1] != 0 {
      zone = memory.read(TimeZoneValue.self, at: registers[argument: 1])
      guard zone != nil else { return -KernelError.badAddress }
    }
    if let time, !WallClockSetting.isValid(time) { return -KernelError.invalidArgument }
    guard isSettable else {
      return refuse(time, for: tracee, registers)
    }
    // The kernel's time zone is taken and not told again: gettimeofday(2) calls it obsolete.
    if let zone, !(-15 * 60...15 * 60 ~= zone.minutesWest) { return -KernelError.invalidArgument }
    guard let time else { return 0 }
    return set(time, for: tracee, registers)
  }

  /// `struct timezone` of settimeofday(2).
  private struct TimeZoneValue: BitwiseCopyable {
    var minutesWest: Int32
    var daylightSaving: Int32
  }

  private func set(_ time: TimeValue, for tracee: Tracee, _ registers: Registers) -> Int {
    guard isSettable else { return refuse(time, for: tracee, registers) }
    let real = RealClock.monotonic()
    let instant = WallClockSetting.instant(time, monotonic: clock.monotonic(real: real))
    guard let instant else { return -KernelError.invalidArgument }
    setWallClock(to: instant, real: real, for: tracee, registers)
    return 0
  }

  private func refuse(_ time: TimeValue?, for tracee: Tracee, _ registers: Registers) -> Int {
    let wall = clock.wall(real: RealClock.monotonic())
    tell(by: time.map { WallInstant($0) - wall } ?? .zero, error: "EPERM", tracee, registers)
    return -KernelError.notPermitted
  }

  // MARK: - adjtimex, clock_adjtime

  private func adjust(for tracee: Tracee, _ registers: Registers, address: UInt64) -> Int {
    guard let memory = tracee.process.memory,
      let request = memory.read(scenario_clock_state.self, at: address)
    else { return -KernelError.badAddress }
    let real = RealClock.monotonic()
    let error = adjust(request, real: real, for: tracee, registers)
    guard error == 0 else {
      // adjtimex hands the structure back even then, clock_adjtime does not.
      let isWritten =
        registers.systemCall != SystemCallNumber.adjtimex
        || memory.writeAsKernel(request, at: address)
      return isWritten ? -error : -KernelError.badAddress
    }
    do throws(TraceError) {
      let discipline = try currentDiscipline()
      let answer = discipline.answer(to: request, wall: clock.wall(real: real))
      return memory.writeAsKernel(answer, at: address)
        ? discipline.returnValue : -KernelError.badAddress
    } catch {
      return -Int(error.errorNumber)
    }
  }

  /// Does what a request asks for; returns 0 or an errno.
  private func adjust(
    _ request: scenario_clock_state, real: Nanoseconds, for tracee: Tracee, _ registers: Registers
  ) -> Int {
    let displacement = ClockDiscipline.displacement(in: request)
    if let refusal = ClockDiscipline.refusal(of: request, mayChange: isSettable) {
      if refusal == KernelError.notPermitted {
        tell(by: displacement?.length ?? .zero, error: "EPERM", tracee, registers)
      }
      return refusal
    }
    if let displacement {
      let instant = WallClockSetting.instant(
        displacing: clock.wall(real: real), by: displacement,
        monotonic: clock.monotonic(real: real))
      guard let instant else { return KernelError.invalidArgument }
      setWallClock(to: instant, real: real, for: tracee, registers)
    }
    if ClockDiscipline.isChanged(by: request), var changed = try? currentDiscipline() {
      changed.apply(request)
      discipline = changed
    }
    return 0
  }

  private func currentDiscipline() throws(TraceError) -> ClockDiscipline {
    if let discipline { return discipline }
    return try .ofMachine()
  }

  // MARK: - The step

  /// Sets the scenario's wall clock because the target wants it.
  private func setWallClock(
    to instant: WallInstant, real: Nanoseconds, for tracee: Tracee, _ registers: Registers
  ) {
    let length = instant - clock.wall(real: real)
    changeClocks { $0.setWall(to: instant, real: $1) }
    if var forgotten = try? currentDiscipline() {
      forgotten.forget()
      discipline = forgotten
    }
    tell(by: length, error: nil, tracee, registers)
  }

  private func tell(
    by length: Nanoseconds, error: String?, _ tracee: Tracee, _ registers: Registers
  ) {
    report(
      .clockSet(
        process: tracee.process.identifier.number, by: length,
        systemCall: SystemCallTable.current.name(of: registers.systemCall), error: error))
  }
}
