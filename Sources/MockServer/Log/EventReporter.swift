/// Reports what happens at the mock server to its scenario.
struct EventReporter: Sendable {
  /// True if the scenario wants `exchanged`, which copies every body.
  let reportsExchanges: Bool
  private let eventLoop: EventLoopHandle
  private let record: @Sendable (MockServerEvent) -> Void

  init(
    _ eventLoop: EventLoopHandle, reportsExchanges: Bool,
    record: @escaping @Sendable (MockServerEvent) -> Void
  ) {
    self.eventLoop = eventLoop
    self.reportsExchanges = reportsExchanges
    self.record = record
  }

  /// Reports an event.
  func report(_ event: MockServerEvent) {
    record(event)
  }

  /// Reports what a client or a host did, unless `shutdown()` made it do so.
  func reportWhileServing(_ event: MockServerEvent) {
    if eventLoop.isPassable { record(event) }
  }
}
