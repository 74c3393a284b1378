public import ScenarioModel

/// A wait that the target asked for.
public struct RecordedWait: Sendable, Hashable {
  /// How long it was to last, from the moment at which it was asked for.
  public var length: Nanoseconds
  /// Who asked.
  public var owner: WaitDescription
}

/// The waits that the target has asked for, in order: the first so many, and how many came behind.
public struct WaitLedger: Sendable, Hashable {
  /// How many waits are kept.
  public static let limit = 100_000

  /// The first waits.
  public private(set) var waits: [RecordedWait] = []
  /// How many more there were.
  public private(set) var omitted = 0

  /// Creates an empty ledger.
  public init() {}

  /// Notes a wait; one for ever, or for no time, is none.
  mutating func add(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    guard length > .zero, length < .forever else { return }
    guard waits.count < Self.limit else {
      omitted += 1
      return
    }
    waits.append(RecordedWait(length: length, owner: owner()))
  }
}

extension SupervisorLoop {
  /// Notes that the target asked for a wait; one that goes on after a signal has been noted already.
  ///
  /// - Parameters:
  ///   - length: how long it is to last, from now; for ever and no time at all are no waits.
  ///   - owner: who asked.
  func recordWait(_ length: Nanoseconds, by owner: @autoclosure () -> WaitDescription) {
    control.waits += 1
    waitLedger.add(length, by: owner())
  }
}
