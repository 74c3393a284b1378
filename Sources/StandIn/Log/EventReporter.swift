/// Reports what happens at the stand-in to its scenario.
struct EventReporter: Sendable {
  /// True if the scenario wants `exchanged`, which copies every body.
  let reportsExchanges: Bool
  private let eventLoop: EventLoopHandle
  private let record: @Sendable (StandInEvent) -> Void

  init(
    _ eventLoop: EventLoopHandle, reportsExchanges: Bool,
    record: @escaping @Sendable (StandInEvent) -> Void
  ) {
    self.eventLoop = eventLoop
    self.reportsExchanges = reportsExchanges
    self.record = record
  }

  /// Reports an event.
  func report(_ event: StandInEvent) {
    record(event)
  }

  /// Reports what a client or a host did, unless `shutdown()` made it do so.
  func reportWhileServing(_ event: StandInEvent) {
    if eventLoop.isPassable { record(event) }
  }
}
