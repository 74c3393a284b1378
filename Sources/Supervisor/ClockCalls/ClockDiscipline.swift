internal import CSupervisor
internal import Foundations

/// The state of adjtimex(2) besides the time: the trust in the wall clock, and its steering by a
/// daemon.
///
/// It begins as the machine's own. What a target changes is kept here and told again; nothing of it
/// steers anything: only steps of a scenario correct a virtual clock.
struct ClockDiscipline {
  private var state: scenario_clock_state
  private var result: Int32
  /// True if a target has set the clock's status, which decides about leap seconds.
  private var hasStatusOfTarget = false

  /// The machine's own.
  ///
  /// - Throws: the errno of adjtimex(2), where the machine's state may not be read.
  static func ofMachine() throws(TraceError) -> ClockDiscipline {
    var state = scenario_clock_state()
    let result = scenario_read_clock_state(&state)
    guard result >= 0 else { throw TraceError(operation: "adjtimex", errorNumber: -result) }
    return ClockDiscipline(state: state, result: result)
  }

  /// Creates a discipline.
  ///
  /// - Parameters:
  ///   - state: the structure that adjtimex(2) fills in.
  ///   - result: the call's result.
  init(state: scenario_clock_state, result: Int32) {
    self.state = state
    self.result = result
  }

  /// The result of adjtimex(2).
  var returnValue: Int { Int(result) }

  /// The state of a machine whose clock is synchronized, as before a leap second.
  var synchronized: ClockDiscipline {
    var changed = self
    changed.state.status &= ~(SCENARIO_STATUS_UNSYNCHRONIZED | SCENARIO_STATUS_CLOCK_ERROR)
    changed.result = SCENARIO_CLOCK_STATE_FINE
    return changed
  }

  /// What it is on the day at whose end a second comes twice, and from there on (`second_overflow`): it is announced on the
  /// day's first second, and nobody but a target takes that back.
  ///
  /// - Parameter atomic: TAI, less the seconds by which it is ahead before.
  func expecting(_ leapSecond: LeapSecond, at atomic: WallInstant) -> ClockDiscipline {
    var changed = self
    let rest = leapSecond.nextDay - atomic.seconds
    if !hasStatusOfTarget, rest <= 86_400 {
      changed.state.status |= SCENARIO_STATUS_INSERTS_SECOND
    }
    guard result != SCENARIO_CLOCK_STATE_ERROR else { return changed }
    let isAnnounced = changed.state.status & SCENARIO_STATUS_INSERTS_SECOND != 0
    if rest == 0 {
      changed.result = SCENARIO_CLOCK_STATE_IN_SECOND
    } else if isAnnounced {
      changed.result =
        rest > 0 ? SCENARIO_CLOCK_STATE_INSERTS_SECOND : SCENARIO_CLOCK_STATE_BEHIND_SECOND
    }
    return changed
  }

  /// Why the kernel refuses a request, as an errno; `nil` if it does not (`timekeeping_validate_timex`).
  ///
  /// - Parameter mayChange: whether the caller may set the clock.
  static func refusal(of request: scenario_clock_state, mayChange: Bool) -> Int? {
    let modes = request.modes
    if modes.has(SCENARIO_ADJUST_ONCE) {
      guard modes.has(SCENARIO_ADJUST_OFFSET) else { return KernelError.invalidArgument }
      // With ADJ_ADJTIME, this bit is ADJ_OFFSET_READONLY.
      guard mayChange || modes.has(SCENARIO_ADJUST_NANOSECONDS) else {
        return KernelError.notPermitted
      }
    } else {
      guard mayChange || modes == 0 else { return KernelError.notPermitted }
      // The tick may be off by 10 % (USER_HZ is 100).
      if modes.has(SCENARIO_ADJUST_TICK), !(9_000...11_000 ~= request.tick) {
        return KernelError.invalidArgument
      }
    }
    if modes.has(SCENARIO_ADJUST_SET_OFFSET) {
      guard mayChange else { return KernelError.notPermitted }
      let unit: Int64 = modes.has(SCENARIO_ADJUST_NANOSECONDS) ? 1_000_000_000 : 1_000_000
      guard 0..<unit ~= request.fraction else { return KernelError.invalidArgument }
    }
    // PPM_SCALE: what the kernel multiplies frequencies by.
    let scale: Int64 = 65_536_000
    if modes.has(SCENARIO_ADJUST_FREQUENCY),
      !(Int64.min / scale...Int64.max / scale ~= request.frequency)
    {
      return KernelError.invalidArgument
    }
    return nil
  }

  /// Returns the step of the clock in a request; `nil` if there is none.
  static func displacement(in request: scenario_clock_state) -> TimeValue? {
    guard request.modes.has(SCENARIO_ADJUST_SET_OFFSET) else { return nil }
    var value = TimeValue(.zero)
    value.seconds = request.seconds
    let isFine = request.modes.has(SCENARIO_ADJUST_NANOSECONDS)
    value.fraction = isFine ? request.fraction : request.fraction &* 1_000
    return value
  }

  /// Forgets the clock's precision, as it was set (`ntp_clear`).
  mutating func forget() {
    state.status |= SCENARIO_STATUS_UNSYNCHRONIZED
    state.maximum_error = Self.errorLimit
    state.estimated_error = Self.errorLimit
    result = SCENARIO_CLOCK_STATE_ERROR
  }

  /// Returns whether a request changes anything besides the time; those of adjtime(3) do not.
  static func isChanged(by request: scenario_clock_state) -> Bool {
    request.modes != 0 && !request.modes.has(SCENARIO_ADJUST_ONCE)
  }

  /// Applies the changes of a request besides the time (`process_adjtimex_modes`).
  mutating func apply(_ request: scenario_clock_state) {
    guard Self.isChanged(by: request) else { return }
    let modes = request.modes
    if modes.has(SCENARIO_ADJUST_STATUS) {
      hasStatusOfTarget = true
      if state.status & SCENARIO_STATUS_PHASE_LOCKED != 0,
        request.status & SCENARIO_STATUS_PHASE_LOCKED == 0
      {
        state.status = SCENARIO_STATUS_UNSYNCHRONIZED
      }
      state.status &= SCENARIO_STATUS_READ_ONLY
      state.status |= request.status & ~SCENARIO_STATUS_READ_ONLY
    }
    if modes.has(SCENARIO_ADJUST_NANOSECONDS) { state.status |= SCENARIO_STATUS_NANOSECONDS }
    if modes.has(SCENARIO_ADJUST_MICROSECONDS) { state.status &= ~SCENARIO_STATUS_NANOSECONDS }
    if modes.has(SCENARIO_ADJUST_FREQUENCY) {
      // At most 500 parts per million.
      state.frequency = request.frequency.clamped(to: -32_768_000...32_768_000)
    }
    if modes.has(SCENARIO_ADJUST_MAXIMUM_ERROR) {
      state.maximum_error = request.maximum_error.clamped(to: 0...Self.errorLimit)
    }
    if modes.has(SCENARIO_ADJUST_ESTIMATED_ERROR) {
      state.estimated_error = request.estimated_error.clamped(to: 0...Self.errorLimit)
    }
    if modes.has(SCENARIO_ADJUST_TIME_CONSTANT) {
      let constant = request.time_constant.clamped(to: 0...10)
      let isFine = state.status & SCENARIO_STATUS_NANOSECONDS != 0
      state.time_constant = (isFine ? constant : constant + 4).clamped(to: 0...10)
    }
    if modes.has(SCENARIO_ADJUST_TICK) { state.tick = request.tick }
    let isWrong =
      state.status & (SCENARIO_STATUS_UNSYNCHRONIZED | SCENARIO_STATUS_CLOCK_ERROR) != 0
    result = isWrong ? SCENARIO_CLOCK_STATE_ERROR : SCENARIO_CLOCK_STATE_FINE
  }

  /// What the caller of a request finds in its structure afterwards.
  ///
  /// - Parameters:
  ///   - request: what was asked for.
  ///   - wall: what the clock shows.
  ///   - atomicOffset: by how much TAI is ahead of it, in seconds.
  ///   - correction: by how much it is still to be corrected.
  func answer(
    to request: scenario_clock_state, wall: WallInstant, atomicOffset: Int64,
    correction: Nanoseconds
  ) -> scenario_clock_state {
    var answer = state
    answer.modes = request.modes
    // The kernel hands back the padding that it was handed.
    answer.padding_0 = request.padding_0
    answer.padding_1 = request.padding_1
    answer.padding_2 = request.padding_2
    answer.padding_3 = request.padding_3
    // adjtime(3) tells what is left, in microseconds.
    answer.offset = request.modes.has(SCENARIO_ADJUST_ONCE) ? correction.count / 1_000 : 0
    let isFine = state.status & SCENARIO_STATUS_NANOSECONDS != 0
    answer.seconds = wall.seconds
    answer.fraction = isFine ? Int64(wall.nanoseconds) : Int64(wall.nanoseconds) / 1_000
    answer.atomic_offset = Int32(atomicOffset)
    return answer
  }

  /// NTP_PHASE_LIMIT: 16 s, in microseconds.
  private static let errorLimit: Int64 = 16_000_000
}

extension UInt32 {
  fileprivate func has(_ bit: UInt32) -> Bool { self & bit != 0 }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
