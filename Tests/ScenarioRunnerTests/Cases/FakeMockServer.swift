import Foundations
import MockEngine
import ScenarioModel
import ScenarioPlan
import Supervisor
import Synchronization

@testable import MockServer
@testable import ScenarioRunner

/// What targets talk to, without any socket.
final class FakeMockServer: CaseMockServer {
  struct State {
    /// What was asked of it, in order.
    var calls: [String] = []
    var unused: [UnusedResponse] = []
    /// What goes wrong, once the targets have been started.
    var events: [MockServerEvent] = []
  }

  private let state = Mutex(State())

  /// Says what clients do.
  func plan(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  var calls: [String] { state.withLock { $0.calls } }

  /// Called with each call.
  private let note: @Sendable (String) -> Void

  init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

  private func record(_ call: String) {
    state.withLock { $0.calls.append(call) }
    note(call)
  }

  /// Tells of what goes wrong.
  func report(to findings: NetworkFindings) {
    for event in state.withLock({ $0.events }) { findings.add(event) }
  }

  let threadIdentifiers: [Int32] = []
  let pendingUpstreamCalls = PendingUpstreamCalls()
  let links: LinkFaults? = nil
  let hostLinks: (any HostLinks)? = nil

  func router(
    loopback: NetworkSettings.Loopback, machine: MachineAddresses, targetNames: [String]
  ) -> any ConnectionRouter { LiveRouter(machine: machine) }

  func cut(_ partition: HostPartition) { record("cut \(partition.groups.keys.sorted())") }
  func heal(_ name: String?) { record("heal \(name ?? "all")") }
  func respond(step: Int) { record("respond \(step)") }
  func set(_ changes: [PlannedStateChange]) { record("set \(changes.map(\.name))") }
  func stepChanges() -> [(requestCount: Int, change: StateChange)] { [] }
  func resolve(step: Int) { record("resolve \(step)") }
  func applyChaos(_ selection: ChaosSelection, seed: Int64?) { record("applyChaos") }
  func revertChaos(_ selection: ChaosSelection) { record("revertChaos") }
  func enterStep(_ name: String) { record("enterStep \(name)") }
  func leaveStep() { record("leaveStep") }
  func catchUp() { record("catchUp") }
  func shutdown() { record("shutdown") }
  func caseState() -> Value { .null }
  func requests() -> [RecordedRequest] { [] }
  func unused() -> [UnusedResponse] { state.withLock { $0.unused } }
  func pendingWebhooks() -> [PendingWebhook] { [] }
  func exchanges() -> [RecordedExchange] { [] }
  func unreachable() -> [String: RecordedFault] { [:] }
  let realConnections = RealConnections()
}
