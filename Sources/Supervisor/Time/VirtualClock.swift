public import ScenarioModel

/// The clocks of one scenario as a pure value: what time it is, and how time passes.
///
/// CLOCK_REALTIME and CLOCK_MONOTONIC are separate: `travel` and `jump` step the wall clock, as
/// `date -s` would, and leave the monotonic clock alone, which never goes back. CLOCK_BOOTTIME goes with
/// the monotonic clock, and on where the machine is suspended. Where a clock flows, `real` is the
/// kernel's CLOCK_MONOTONIC at the moment of asking.
public struct VirtualClock: Sendable, Hashable {
  /// What the monotonic clock shows at a scenario's start: an uptime of 100,000 s.
  ///
  /// A fixed value, so that a run can be repeated; more than a day, so that "not for a day" holds for a
  /// fresh target.
  public static let initialMonotonic = Nanoseconds.seconds(100_000)

  /// How time passes when nothing is frozen.
  public let flow: ClockFlow
  /// Whether `freeze` holds the clocks.
  public private(set) var isFrozen = false

  private var monotonicAtAnchor: Nanoseconds
  private var anchor: Nanoseconds
  /// The wall clock minus the monotonic clock, as the wall's reading at monotonic zero.
  private var wallAtZero: WallInstant
  /// How long the machine has been suspended: the boot clock minus the monotonic clock.
  private var suspended = Nanoseconds.zero
  private let startWall: WallInstant
  private let startReal: Nanoseconds

  /// Starts the clocks.
  ///
  /// - Parameters:
  ///   - wall: what the wall clock shows.
  ///   - flow: how time passes.
  ///   - real: the kernel's CLOCK_MONOTONIC now.
  public init(wall: WallInstant, flow: ClockFlow, real: Nanoseconds) {
    self.flow = flow
    monotonicAtAnchor = Self.initialMonotonic
    anchor = real
    startWall = wall
    startReal = real
    wallAtZero = wall + -Self.initialMonotonic
  }

  /// Whether time passes by itself, as fast as real time.
  public var flows: Bool { flow == .real && !isFrozen }

  /// Whether time moves to the next deadline when everything sleeps.
  public var movesByItself: Bool { flow == .auto && !isFrozen }

  /// CLOCK_MONOTONIC.
  public func monotonic(real: Nanoseconds) -> Nanoseconds {
    flows ? monotonicAtAnchor + (real - anchor) : monotonicAtAnchor
  }

  /// CLOCK_REALTIME.
  public func wall(real: Nanoseconds) -> WallInstant {
    wallAtZero + monotonic(real: real)
  }

  /// CLOCK_BOOTTIME.
  public func boot(real: Nanoseconds) -> Nanoseconds {
    monotonic(real: real) + suspended
  }

  /// How much monotonic time has passed since the start.
  public func elapsed(real: Nanoseconds) -> Nanoseconds {
    monotonic(real: real) - Self.initialMonotonic
  }

  /// When, on the monotonic clock, the wall clock shows `instant`, if nothing steps it meanwhile.
  public func monotonic(whenWallShows instant: WallInstant) -> Nanoseconds {
    instant - wallAtZero
  }

  /// When, on the monotonic clock, the boot clock shows `instant`, if nothing is suspended meanwhile.
  public func monotonic(whenBootShows instant: Nanoseconds) -> Nanoseconds {
    instant == .forever ? .forever : instant - suspended
  }

  /// Whether the wall clock has not been stepped between the two.
  public func agreesOnWall(with other: VirtualClock) -> Bool {
    wallAtZero == other.wallAtZero
  }

  // MARK: - Steps

  /// Sets the wall clock; a freeze ends.
  public mutating func travel(to instant: WallInstant, real: Nanoseconds) {
    thaw(real: real)
    setWall(instant, real: real)
  }

  /// Displaces the wall clock; a freeze ends.
  public mutating func jump(by length: Nanoseconds, real: Nanoseconds) {
    thaw(real: real)
    setWall(wall(real: real) + length, real: real)
  }

  /// Sets the wall clock as clock_settime(2) does: clocks that stand go on standing.
  public mutating func setWall(to instant: WallInstant, real: Nanoseconds) {
    settle(real: real)
    setWall(instant, real: real)
  }

  /// Holds all clocks, now or with the wall clock at `instant`.
  public mutating func freeze(at instant: WallInstant?, real: Nanoseconds) {
    settle(real: real)
    isFrozen = true
    if let instant {
      setWall(instant, real: real)
    }
  }

  /// The machine sleeps: wall clock and boot clock move, the monotonic clock does not.
  public mutating func suspend(for length: Nanoseconds, real: Nanoseconds) {
    suspended += length
    setWall(wall(real: real) + length, real: real)
  }

  /// Back to the present: the wall clock shows what it would show had nothing moved it.
  public mutating func returnToPresent(real: Nanoseconds) {
    thaw(real: real)
    setWall(present(real: real), real: real)
  }

  /// Lets time pass up to `instant` on the monotonic clock; never back.
  public mutating func advance(to instant: Nanoseconds, real: Nanoseconds) {
    settle(real: real)
    monotonicAtAnchor = max(monotonicAtAnchor, instant)
  }

  // MARK: - Blocks

  /// What a block must put back at its end.
  public struct Displacement: Sendable, Hashable {
    var fromPresent: Nanoseconds
    var isFrozen: Bool
  }

  /// What a block that begins now must put back at its end.
  public func displacement(real: Nanoseconds) -> Displacement {
    Displacement(fromPresent: wall(real: real) - present(real: real), isFrozen: isFrozen)
  }

  /// Ends a block.
  public mutating func restore(_ displacement: Displacement, real: Nanoseconds) {
    settle(real: real)
    isFrozen = displacement.isFrozen
    setWall(present(real: real) + displacement.fromPresent, real: real)
  }

  // MARK: - Parts

  private func present(real: Nanoseconds) -> WallInstant {
    (flow == .real ? startWall + (real - startReal) : startWall + elapsed(real: real)) + suspended
  }

  private mutating func thaw(real: Nanoseconds) {
    settle(real: real)
    isFrozen = false
  }

  /// Makes `real` the moment that the stored values describe.
  private mutating func settle(real: Nanoseconds) {
    monotonicAtAnchor = monotonic(real: real)
    anchor = real
  }

  private mutating func setWall(_ instant: WallInstant, real: Nanoseconds) {
    wallAtZero = instant + -monotonic(real: real)
  }
}
