package import Foundations

/// The clocks of one scenario as a pure value: what time it is, and how time passes.
///
/// CLOCK_REALTIME and CLOCK_MONOTONIC are separate: `travel` and `jump` step the wall clock, as
/// `date -s` would, and leave the monotonic clock alone, which never goes back. CLOCK_BOOTTIME goes with
/// the monotonic clock, and on where the machine is suspended. Where a clock flows, `real` is the
/// kernel's CLOCK_MONOTONIC at the moment of asking.
package struct VirtualClock: Sendable, Hashable {
  /// The time on the monotonic clock at a scenario's start: an uptime of 100,000 s.
  ///
  /// A fixed value, so that a run can be repeated; more than a day, so that "not for a day" holds for a
  /// fresh target.
  package static let initialMonotonic = Nanoseconds.seconds(100_000)

  /// The way in which time passes when nothing is frozen.
  package let flow: ClockFlow
  /// True if `freeze` holds the clocks.
  package private(set) var isFrozen = false
  /// The rate that a step has set, in place of what `flow` says.
  package private(set) var rateOfStep: ClockRate?

  private(set) var monotonicAtAnchor: Nanoseconds
  /// The fraction that `monotonicAtAnchor` lacks, in units of 2⁻³² ns: clocks that are changed
  /// often do not fall behind.
  private(set) var fractionAtAnchor: UInt32 = 0
  private(set) var anchor: Nanoseconds
  /// The wall-clock time at monotonic zero, extrapolated without leap seconds (as TAI).
  private var atomicAtZero: WallInstant
  /// The second that wall clocks show twice; `nil` if there is none.
  let leapSecond: LeapSecond?
  /// The time for which the machine has been suspended: the boot clock minus the monotonic clock.
  private var suspended = Nanoseconds.zero
  /// The wall clocks of targets' own, by the targets' numbers.
  private var deviations: [WallDeviation?]
  private let startAtomic: WallInstant
  private var startReal: Nanoseconds
  /// The time on the kernel's CLOCK_MONOTONIC at which the clocks were paused; `nil` if they are
  /// not.
  private var pausedAt: Nanoseconds?

  /// Starts the clocks.
  ///
  /// - Parameters:
  ///   - wall: what the wall clock shows.
  ///   - flow: how time passes.
  ///   - real: the kernel's CLOCK_MONOTONIC now.
  ///   - deviations: how the wall clocks of targets differ, by their numbers; `nil` is not at all.
  ///   - leapSecond: the second that wall clocks show twice, if there is one.
  package init(
    wall: WallInstant, flow: ClockFlow, real: Nanoseconds, deviations: [ClockDeviation?] = [],
    leapSecond: LeapSecond? = nil
  ) {
    self.flow = flow
    monotonicAtAnchor = Self.initialMonotonic
    anchor = real
    self.leapSecond = leapSecond
    startAtomic = leapSecond?.atomic(whenShown: wall, now: wall) ?? wall
    startReal = real
    atomicAtZero = startAtomic + -Self.initialMonotonic
    self.deviations = deviations.map { deviation in
      deviation.map { WallDeviation($0, start: Self.initialMonotonic) }
    }
  }

  /// The rate at which time passes by itself; `nil` while it does not.
  package var rate: ClockRate? {
    isFrozen || pausedAt != nil ? nil : rateOfStep ?? flow.rate
  }

  /// True if time passes by itself.
  package var flows: Bool { rate != nil }

  /// True if time moves to the next deadline when everything sleeps.
  package var movesByItself: Bool {
    flow == .auto && !isFrozen && pausedAt == nil && rateOfStep == nil
  }

  /// CLOCK_MONOTONIC.
  package func monotonic(real: Nanoseconds) -> Nanoseconds {
    guard let rate else { return monotonicAtAnchor }
    return monotonicAtAnchor + rate.flowed(in: real - anchor, after: fractionAtAnchor).length
  }

  /// Returns the real time until the monotonic clock shows `instant`; for ever while time does not
  /// pass by itself.
  package func realTime(until instant: Nanoseconds, real: Nanoseconds) -> Nanoseconds {
    rate?.realTime(for: instant - monotonic(real: real)) ?? .forever
  }

  /// CLOCK_REALTIME.
  package func wall(real: Nanoseconds) -> WallInstant { wall(of: .scenario, real: real) }

  /// Returns the time of one of the clocks CLOCK_REALTIME.
  package func wall(of wall: WallNumber, real: Nanoseconds) -> WallInstant {
    let atomic = atomic(of: wall, real: real)
    return leapSecond?.shown(at: atomic) ?? atomic
  }

  /// One of the clocks CLOCK_TAI, less ``ClockKind/atomicOffset``: what goes on where CLOCK_REALTIME shows a second twice.
  package func atomic(of wall: WallNumber, real: Nanoseconds) -> WallInstant {
    atomic(of: wall, at: monotonic(real: real))
  }

  private func atomic(of wall: WallNumber, at monotonic: Nanoseconds) -> WallInstant {
    atomicAtZero + monotonic + (deviation(of: wall)?.reading(at: monotonic).ahead ?? .zero)
  }

  /// What one of the clocks CLOCK_TAI, less ``ClockKind/atomicOffset``, shows when CLOCK_REALTIME shows `instant`.
  func atomic(
    whenWallShows instant: WallInstant, of wall: WallNumber = .scenario, real: Nanoseconds
  ) -> WallInstant {
    leapSecond?.atomic(whenShown: instant, now: atomic(of: wall, real: real)) ?? instant
  }

  /// Returns the number of the wall clock that a target has.
  package func wallNumber(ofTarget target: Int) -> WallNumber {
    deviations.indices.contains(target) && deviations[target] != nil
      ? WallNumber(target: target) : .scenario
  }

  /// Returns the deviation of a target's own wall clock; `nil` for the scenario's.
  func deviation(of wall: WallNumber) -> WallDeviation? {
    deviations.indices.contains(wall.target) ? deviations[wall.target] : nil
  }

  /// CLOCK_BOOTTIME.
  package func boot(real: Nanoseconds) -> Nanoseconds {
    monotonic(real: real) + suspended
  }

  /// Returns the monotonic time that has passed since the start.
  package func elapsed(real: Nanoseconds) -> Nanoseconds {
    monotonic(real: real) - Self.initialMonotonic
  }

  /// When, on the monotonic clock, a clock CLOCK_TAI, less ``ClockKind/atomicOffset``, shows `instant`, if nothing steps it
  /// meanwhile.
  package func monotonic(
    whenAtomicShows instant: WallInstant, of wall: WallNumber = .scenario
  ) -> Nanoseconds {
    let passed = instant - atomicAtZero
    return deviation(of: wall)?.monotonic(whenPassed: passed) ?? passed
  }

  /// Returns the instant on the monotonic clock at which the boot clock shows `instant`, if nothing
  /// is suspended meanwhile.
  package func monotonic(whenBootShows instant: Nanoseconds) -> Nanoseconds {
    instant == .forever ? .forever : instant - suspended
  }

  /// Returns whether a wall clock has not been stepped between the two.
  package func agrees(on wall: WallNumber, with other: VirtualClock) -> Bool {
    guard atomicAtZero == other.atomicAtZero, hasLeapt(wall) == other.hasLeapt(wall) else {
      return false
    }
    guard let deviation = deviation(of: wall) else { return true }
    return deviation.reading(at: monotonicAtAnchor).ahead
      == other.deviation(of: wall)?.reading(at: monotonicAtAnchor).ahead
  }

  // MARK: - The leap second

  /// When, on the monotonic clock, the next wall clock shows a second again, as of when the clocks were changed last;
  /// `nil` if none will.
  var nextLeap: Nanoseconds? {
    guard let leapSecond else { return nil }
    let beginning = WallInstant(seconds: leapSecond.nextDay)
    var next: Nanoseconds?
    for target in -1..<deviations.count {
      let wall = WallNumber(target: target)
      guard target < 0 || deviations[target] != nil, !hasLeapt(wall) else { continue }
      next = min(next ?? .forever, monotonic(whenAtomicShows: beginning, of: wall))
    }
    return next
  }

  /// Returns whether a wall clock had shown a second again when the clocks were changed last.
  private func hasLeapt(_ wall: WallNumber) -> Bool {
    leapSecond?.hasBegun(at: atomic(of: wall, at: monotonicAtAnchor)) ?? false
  }

  // MARK: - Steps

  /// Sets the wall clock; a freeze ends.
  package mutating func travel(to instant: WallInstant, real: Nanoseconds) {
    thaw(real: real)
    setWall(instant, real: real)
  }

  /// Displaces the wall clock; a freeze ends.
  package mutating func jump(by length: Nanoseconds, real: Nanoseconds) {
    thaw(real: real)
    setWall(wall(real: real) + length, real: real)
  }

  /// Sets the wall clock as clock_settime(2) does: clocks that are stopped stay stopped.
  package mutating func setWall(
    to instant: WallInstant, of wall: WallNumber = .scenario, real: Nanoseconds
  ) {
    settle(real: real)
    guard deviation(of: wall) != nil else { return setWall(instant, real: real) }
    let length =
      atomic(whenWallShows: instant, of: wall, real: real) - atomic(of: wall, real: real)
    deviations[wall.target]?.step(by: length, at: monotonicAtAnchor)
  }

  /// Lets a target's own wall clock gain or lose so much in a length of monotonic time from now on; what is left of a former
  /// correction is dropped.
  mutating func slew(
    _ wall: WallNumber, by length: Nanoseconds, over time: Nanoseconds, real: Nanoseconds
  ) {
    settle(real: real)
    guard deviation(of: wall) != nil else { return }
    deviations[wall.target]?.slew(by: length, over: time, at: monotonicAtAnchor)
  }

  /// Holds all clocks, now or with the wall clock at `instant`.
  package mutating func freeze(at instant: WallInstant?, real: Nanoseconds) {
    settle(real: real)
    isFrozen = true
    if let instant {
      setWall(instant, real: real)
    }
  }

  /// The machine sleeps: wall clock and boot clock move, the monotonic clock does not.
  package mutating func suspend(for length: Nanoseconds, real: Nanoseconds) {
    suspended += length
    setAtomic(atomic(of: .scenario, real: real) + length, real: real)
  }

  /// Makes time pass at a rate, whatever `flow` says; a freeze ends.
  package mutating func flow(at rate: ClockRate, real: Nanoseconds) {
    thaw(real: real)
    rateOfStep = rate
  }

  /// Back to the present: the wall clock shows what it would show had nothing moved it, and time passes
  /// as `flow` says.
  package mutating func returnToPresent(real: Nanoseconds) {
    restore(.present, real: real)
  }

  /// Advances the clocks to `instant` on the monotonic clock; never back.
  package mutating func advance(to instant: Nanoseconds, real: Nanoseconds) {
    settle(real: real)
    guard instant > monotonicAtAnchor else { return }
    monotonicAtAnchor = instant
    fractionAtAnchor = 0
  }

  /// Pauses all clocks, whatever else is done to them, until `goOn`.
  mutating func pause(real: Nanoseconds) {
    guard pausedAt == nil else { return }
    settle(real: real)
    pausedAt = real
  }

  /// Continues as if no real time had passed since `pause`.
  mutating func goOn(real: Nanoseconds) {
    guard let beginning = pausedAt else { return }
    pausedAt = nil
    anchor = real
    startReal += real - beginning
  }

  /// Continues at `real` as if no time had passed since `beginning`, also where clocks flow.
  mutating func passOver(from beginning: Nanoseconds, to real: Nanoseconds) {
    settle(real: beginning)
    anchor = real
  }

  // MARK: - Blocks

  /// The state that a block must restore at its end.
  package struct Displacement: Sendable, Hashable {
    /// Seconds and nanoseconds, because it may be longer than nanoseconds can count.
    var fromPresent: WallInstant
    var isFrozen: Bool
    var rateOfStep: ClockRate?

    /// No displacement: the clocks have not been stepped, frozen or given another rate.
    package static let present = Displacement(fromPresent: .epoch, isFrozen: false, rateOfStep: nil)
  }

  /// Returns the state that a block which begins now must restore at its end.
  package func displacement(real: Nanoseconds) -> Displacement {
    let (wall, present) = (atomic(of: .scenario, real: real), present(real: real))
    return Displacement(
      fromPresent: WallInstant(
        seconds: wall.seconds &- present.seconds,
        nanoseconds: Int64(wall.nanoseconds) - Int64(present.nanoseconds)),
      isFrozen: isFrozen, rateOfStep: rateOfStep)
  }

  /// Ends a block.
  package mutating func restore(_ displacement: Displacement, real: Nanoseconds) {
    settle(real: real)
    isFrozen = displacement.isFrozen
    rateOfStep = displacement.rateOfStep
    let present = present(real: real)
    let distance = displacement.fromPresent
    setAtomic(
      WallInstant(
        seconds: present.seconds &+ distance.seconds,
        nanoseconds: Int64(present.nanoseconds) + Int64(distance.nanoseconds)), real: real)
  }

  // MARK: - Text

  /// All that the clocks are made of, without spaces.
  var traceText: String {
    let wall = [startAtomic, atomicAtZero].map { "\($0.seconds).\($0.nanoseconds)" }
    let fields =
      ["\(flow)", isFrozen ? "frozen" : "-", rateOfStep.map { "\($0)" } ?? "-"]
      + ["\(monotonicAtAnchor.count)", "\(fractionAtAnchor)", "\(anchor.count)"] + wall
      + ["\(suspended.count)", "\(startReal.count)", pausedAt.map { "\($0.count)" } ?? "-"]
      + [leapSecond?.description ?? "-"] + deviations.map { $0?.traceText ?? "-" }
    return fields.joined(separator: ",")
  }

  /// Reads what `traceText` has written.
  init?(traceText: String) {
    let fields = traceText.split(separator: ",").map(String.init)
    guard fields.count >= 12, let flow = try? ClockFlow(text: fields[0]),
      let anchors = Self.numbers(fields[3...5]), let start = Self.instant(fields[6]),
      let atomic = Self.instant(fields[7]), let rest = Self.numbers(fields[8...9]),
      let fraction = UInt32(exactly: anchors[1])
    else { return nil }
    self.flow = flow
    isFrozen = fields[1] == "frozen"
    rateOfStep = fields[2] == "-" ? nil : try? ClockRate(text: fields[2])
    (monotonicAtAnchor, fractionAtAnchor) = (Nanoseconds(anchors[0]), fraction)
    anchor = Nanoseconds(anchors[2])
    (startAtomic, atomicAtZero) = (start, atomic)
    (suspended, startReal) = (Nanoseconds(rest[0]), Nanoseconds(rest[1]))
    pausedAt = Int64(fields[10]).map { Nanoseconds($0) }
    leapSecond = fields[11] == "-" ? nil : try? LeapSecond(text: fields[11])
    deviations = fields[12...].map { $0 == "-" ? nil : WallDeviation(traceText: $0) }
  }

  private static func numbers(_ fields: ArraySlice<String>) -> [Int64]? {
    let numbers = fields.compactMap { Int64($0) }
    return numbers.count == fields.count ? numbers : nil
  }

  private static func instant(_ field: String) -> WallInstant? {
    let parts = field.split(separator: ".").compactMap { Int64($0) }
    return parts.count == 2 ? WallInstant(seconds: parts[0], nanoseconds: parts[1]) : nil
  }

  // MARK: - Parts

  /// The wall-clock time without any steps and leap seconds (as TAI).
  private func present(real: Nanoseconds) -> WallInstant {
    let passed = flow.rate?.flowed(in: real - startReal).length ?? elapsed(real: real)
    return startAtomic + passed + suspended
  }

  private mutating func thaw(real: Nanoseconds) {
    settle(real: real)
    isFrozen = false
  }

  /// Makes `real` the moment that the stored values describe.
  private mutating func settle(real: Nanoseconds) {
    if let flowed = rate?.flowed(in: real - anchor, after: fractionAtAnchor) {
      monotonicAtAnchor += flowed.length
      fractionAtAnchor = flowed.fraction
    }
    anchor = real
  }

  private mutating func setWall(_ instant: WallInstant, real: Nanoseconds) {
    setAtomic(atomic(whenWallShows: instant, real: real), real: real)
  }

  private mutating func setAtomic(_ instant: WallInstant, real: Nanoseconds) {
    atomicAtZero = instant + -monotonic(real: real)
  }
}
