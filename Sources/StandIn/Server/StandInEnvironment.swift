public import ScenarioModel

/// What the stand-in asks of the scenario that owns it.
///
/// The closures are called on the stand-in's own thread and must not block.
public struct StandInEnvironment: Sendable {
  /// The scenario's wall clock; replies carry it as their `date`.
  public var now: @Sendable () -> WallInstant
  /// Virtual time since the scenario's start.
  public var elapsed: @Sendable () -> Nanoseconds
  /// Calls back, on any thread, when that much virtual time has passed.
  public var schedule: @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void
  /// Takes what happened, in order.
  public var record: @Sendable (StandInEvent) -> Void
  /// Whether `exchanged` is wanted, which copies every body.
  public var recordsExchanges = false
  /// The value of `${{ dir }}`.
  public var directory: String

  /// Creates an environment.
  public init(
    now: @escaping @Sendable () -> WallInstant,
    elapsed: @escaping @Sendable () -> Nanoseconds,
    schedule: @escaping @Sendable (Nanoseconds, @escaping @Sendable () -> Void) -> Void,
    record: @escaping @Sendable (StandInEvent) -> Void,
    directory: String
  ) {
    self.now = now
    self.elapsed = elapsed
    self.schedule = schedule
    self.record = record
    self.directory = directory
  }
}
