internal import Foundations
internal import MockEngine
internal import MockServer
internal import ScenarioModel
internal import ScenarioPlan
internal import Supervisor

/// The operations of a case on the mock server that its targets talk to, and its queries.
///
/// ``ScenarioMockServer`` in a run; in tests of the case runner a fake without sockets.
protocol CaseMockServer: Sendable {
  /// Kernel identifiers of the threads that answer.
  var threadIdentifiers: [Int32] { get }
  /// Calls to real hosts that are not answered yet.
  var pendingUpstreamCalls: PendingUpstreamCalls { get }
  /// The faults of links; `nil` if no entry is about one.
  var links: LinkFaults? { get }
  /// Leads what hosts send to each other; `nil` where they reach each other directly.
  var hostLinks: (any HostLinks)? { get }
  /// Sends the target's connections here.
  func router(
    loopback: NetworkSettings.Loopback, machine: MachineAddresses, targetNames: [String]
  ) -> any ConnectionRouter

  func cut(_ partition: HostPartition)
  func heal(_ name: String?)
  func respond(step: Int)
  func set(_ changes: [PlannedStateChange]) throws(RunScopeError)
  func resolve(step: Int)
  func applyChaos(_ selection: ChaosSelection, seed: Int64?)
  func revertChaos(_ selection: ChaosSelection)
  func enterStep(_ name: String)
  func leaveStep()
  func catchUp()
  func shutdown()

  func caseState() -> Value
  func stepChanges() -> [(requestCount: Int, change: StateChange)]
  func requests() -> [RecordedRequest]
  func unused() -> [UnusedResponse]
  func pendingWebhooks() -> [PendingWebhook]
  func exchanges() -> [RecordedExchange]
  func unreachable() -> [String: RecordedFault]
  var realConnections: RealConnections { get }
}

extension ScenarioMockServer: CaseMockServer {
  var hostLinks: (any HostLinks)? { MockServerHostLinks(server: self) }

  func router(
    loopback: NetworkSettings.Loopback, machine: MachineAddresses, targetNames: [String]
  ) -> any ConnectionRouter {
    MockServerRouter(
      server: self, loopback: loopback, machine: machine, targetNames: targetNames)
  }
}
