package import FaultEngine
package import Foundations
internal import ScenarioModel
package import ScenarioPlan
import Synchronization

/// Decides about faults of the target's connections, as the chaos entries with `link:` say.
///
/// The supervisor's thread asks about connections before their first byte, the event loop about DNS queries.
package final class LinkFaults: Sendable {
  /// The decision about a connection that is about to be made.
  package enum Opening: Sendable, Hashable {
    /// Refused, as if no process listened.
    case refused
    /// Made; `ticket` is its number if a fault is possible.
    case made(ticket: Int?)
  }

  /// Counts how often connections and queries matched a rule.
  package struct Account: Sendable {
    /// The entry's place in the list.
    package var entry: Int
    /// The number of times that it matched.
    package var counts: FaultRuleSet.Counts
    /// The same by the ordinals of processes.
    package var countsByProcess: [Int: FaultRuleSet.Counts]
    /// The nearest misses of an entry that never fired.
    package var nearMisses: [String]
  }

  /// A connection that is open, or about to be.
  struct Connection {
    var facts: LinkFacts
    var process: Int32?
    var encounter = LinkMatchState()
    var decision: LinkDecision?
    /// True if it has had the fault.
    var hasFired = false
  }

  /// The mutable part.
  struct State {
    var table: FaultRuleSet
    var connections: [Int: Connection] = [:]
    var connectionCount = 0
    var lookups = OpenLookups()
  }

  let state: Mutex<State>
  /// The entries alone, which do not change.
  let entries: FaultRuleSet
  let elapsed: @Sendable () -> Nanoseconds
  let now: @Sendable () -> WallInstant
  private let replies: @Sendable () -> [String: Int]

  /// Creates an engine; `nil` if no entry is about a link.
  ///
  /// - Parameters:
  ///   - entries: all chaos entries of the case, in order.
  ///   - seed: what random values derive from.
  ///   - elapsed: virtual time since the scenario's start.
  ///   - now: the wall clock.
  ///   - replies: how many replies of each entry of `responses:` have gone out.
  package init?(
    entries: [PlannedChaos], seed: Int64, elapsed: @escaping @Sendable () -> Nanoseconds,
    now: @escaping @Sendable () -> WallInstant,
    replies: @escaping @Sendable () -> [String: Int] = { [:] }
  ) {
    let table = FaultRuleSet(entries: entries, seed: seed)
    guard table.hasLinks else { return nil }
    self.entries = table
    self.elapsed = elapsed
    self.now = now
    self.replies = replies
    state = Mutex(State(table: table))
  }

  /// Returns whether connections to a place may have faults.
  func concerns(_ destination: Destination) -> Bool {
    entries.concerns(
      host: destination.host, address: destination.address, port: destination.port)
  }

  /// True if an entry waits for replies.
  var awaitsReplies: Bool { entries.awaitsReplies }

  func refresh(_ table: inout FaultRuleSet) {
    if entries.awaitsReplies { table.replies = replies() }
  }

  // MARK: - Connections

  /// Decides about a connection that is about to be made.
  func open(
    _ destination: Destination, process: Int32, ordinal: Int, program: ProgramNames,
    targetName: String? = nil
  ) -> (opening: Opening, fault: FiredLinkFault?) {
    state.withLock { state in
      refresh(&state.table)
      var facts = LinkFacts(
        name: destination.host, address: destination.address, port: destination.port,
        processOrdinal: ordinal, program: program, time: elapsed(), now: now())
      facts.targetName = targetName
      var connection = Connection(facts: facts, process: process)
      state.connectionCount += 1
      let ticket = state.connectionCount
      connection.decision = state.table.decide(&connection.facts, &connection.encounter)
      guard connection.decision?.faults == [.down] else {
        guard concerns(destination) else { return (.made(ticket: nil), nil) }
        let fault =
          leavesAlone(connection.decision) ? Self.fire(&connection, ticket, &state.table) : nil
        state.connections[ticket] = connection
        return (.made(ticket: ticket), fault)
      }
      return (.refused, Self.fire(&connection, ticket, &state.table, isRefusal: true))
    }
  }

  /// Decides about one direction of a connection between hosts; `nil` where no entry is about such a link.
  func open(_ way: HostWay, port: UInt16, of client: HostClient) -> Int? {
    guard entries.hasHostLinks else { return nil }
    return state.withLock { state in
      refresh(&state.table)
      var facts = LinkFacts(
        name: way.to, address: way.to, port: port, processOrdinal: client.processOrdinal,
        program: client.program, time: elapsed(), now: now())
      facts.way = way
      var connection = Connection(facts: facts, process: client.process)
      state.connectionCount += 1
      let ticket = state.connectionCount
      connection.decision = state.table.decide(&connection.facts, &connection.encounter)
      state.connections[ticket] = connection
      return ticket
    }
  }

  /// Returns whether a decision is that of an entry which gives the original and nothing else.
  func leavesAlone(_ decision: LinkDecision?) -> Bool {
    guard let decision else { return false }
    return decision.faults.isEmpty && entries.entries[decision.entry].provider == .original
  }

  /// The decision about a connection.
  func decision(of ticket: Int) -> LinkDecision? {
    state.withLock { $0.connections[ticket]?.decision }
  }

  /// Records that a connection has had the fault that was decided; `nil` if it had before.
  func recordFired(_ ticket: Int) -> FiredLinkFault? {
    state.withLock { state in
      guard var connection = state.connections[ticket], !connection.hasFired else { return nil }
      defer { state.connections[ticket] = connection }
      return Self.fire(&connection, ticket, &state.table)
    }
  }

  private static func fire(
    _ connection: inout Connection, _ ticket: Int, _ table: inout FaultRuleSet,
    isRefusal: Bool = false
  ) -> FiredLinkFault? {
    guard let decision = connection.decision else { return nil }
    connection.hasFired = true
    table.recordFired(decision.entry, process: connection.facts.processOrdinal)
    return FiredLinkFault(
      entry: decision.name, occurrence: decision.occurrence,
      action: decision.words, subject: connection.facts.subject, isAboutName: false,
      isRefusal: isRefusal, connection: ticket, process: connection.process,
      processOrdinal: connection.facts.processOrdinal, program: connection.facts.program())
  }

  /// Forgets a connection that is closed, or was never made.
  func close(_ ticket: Int) {
    state.withLock { _ = $0.connections.removeValue(forKey: ticket) }
  }

  // MARK: - Changes

  /// Applies entries from their beginning, with another seed if there is one; connections that are
  /// open are counted first.
  func apply(_ selection: ChaosSelection, seed: Int64?) {
    state.withLock { state in
      state.table.apply(selection, seed: seed)
      for ticket in state.connections.keys {
        guard var connection = state.connections[ticket] else { continue }
        state.table.forget(selection, in: &connection.encounter)
        // What it has had from an entry that begins anew is over.
        if let decision = connection.decision, selection.contains(decision.name) {
          connection.decision = nil
        }
        state.connections[ticket] = connection
      }
    }
  }

  /// Reverts entries.
  func revert(_ selection: ChaosSelection) {
    state.withLock { $0.table.revert(selection) }
  }

  /// Enters a step; steps may be nested.
  func enterStep(_ name: String) {
    state.withLock { $0.table.activeSteps.append(name) }
  }

  /// Ends the step that was entered last.
  func leaveStep() {
    state.withLock { state in
      if !state.table.activeSteps.isEmpty { state.table.activeSteps.removeLast() }
    }
  }

  /// Decides anew about open connections, in the order in which they were made, and answers those for which another
  /// decision holds now.
  func reconsider() -> [(ticket: Int, decision: LinkDecision?)] {
    state.withLock { state in
      refresh(&state.table)
      var changes: [(ticket: Int, decision: LinkDecision?)] = []
      for ticket in state.connections.keys.sorted() {
        guard var connection = state.connections[ticket] else { continue }
        connection.facts = connection.facts.at(elapsed(), now())
        let before = connection.decision
        if let before, !state.table.holds(before, &connection.facts) { connection.decision = nil }
        let fresh = state.table.decide(
          &connection.facts, &connection.encounter, current: connection.decision)
        if let fresh { connection.decision = fresh }
        if connection.decision != before {
          connection.hasFired = false
          changes.append((ticket, connection.decision))
        }
        state.connections[ticket] = connection
      }
      return changes
    }
  }

  /// Virtual time until the clock alone changes the decision about a connection; `nil` for never.
  func nextWindow(of ticket: Int) -> Nanoseconds? {
    state.withLock { state in
      guard let connection = state.connections[ticket] else { return nil }
      var facts = connection.facts.at(elapsed(), now())
      return state.table.nextWindow(for: connection.encounter, &facts)
    }
  }

  // MARK: - The account

  /// Counts how often each link rule matched.
  package func account() -> [Account] {
    state.withLock { state in
      let table = state.table
      let unfired = Dictionary(uniqueKeysWithValues: table.unfired().map { ($0.entry, $0) })
      return table.entries.indices.filter { table.entries[$0].target.kind == .link }.map { index in
        Account(
          entry: index, counts: table.counts[index],
          countsByProcess: table.countsByProcess[index],
          nearMisses: unfired[index]?.explanation ?? [])
      }
    }
  }
}
