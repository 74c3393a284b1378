package import Foundations
package import ScenarioModel
internal import ScenarioPlan

/// Entries that name links.
///
/// A connection is counted once by each entry, when it is made, or when the entry begins to hold while the
/// connection is open. What an entry decides about it lasts until the entry is taken back or its time is over.
extension FaultRuleSet {
  /// True if any entry is about a link.
  package var hasLinks: Bool { entries.contains { $0.target.kind == .link } }

  /// Returns whether an entry may ever have to do with connections to a place.
  package func concerns(host: String?, address: String, port: UInt16) -> Bool {
    targets.contains { target in
      guard case .link(let link) = target, !link.planned.isAboutNames, link.planned.ends == nil
      else { return false }
      return link.matches(host: host, address: address, port: port)
    }
  }

  /// True if any entry is about a link between hosts.
  package var hasHostLinks: Bool {
    targets.contains { if case .link(let link) = $0 { link.planned.ends != nil } else { false } }
  }

  /// Returns whether an entry is about both ways of a link between hosts.
  package func isTwoWay(_ entry: Int) -> Bool {
    if case .link(let link) = targets[entry] { link.planned.ends?.isTwoWay ?? false } else { false }
  }

  /// Returns whether an entry may ever have to do with questions for a name.
  package func concerns(name: String) -> Bool {
    targets.contains { target in
      guard case .link(let link) = target, link.planned.isAboutNames else { return false }
      return link.matches(host: name, address: "")
    }
  }

  /// Decides about a connection, or a lookup of a name; `nil` if no entry that was not asked before
  /// takes it.
  ///
  /// - Parameters:
  ///   - encounter: the entries that the connection has met.
  ///   - current: the decision so far; only an entry in front of that one's may decide otherwise.
  package mutating func decide(
    _ facts: inout LinkFacts, _ encounter: inout LinkMatchState, current: LinkDecision? = nil
  ) -> LinkDecision? {
    var decision: LinkDecision?
    for entry in entries.indices {
      guard case .link(let link) = targets[entry], progress[entry].isApplied,
        link.planned.isAboutNames == (facts.place == nil),
        (link.planned.ends == nil) == (facts.way == nil)
      else { continue }
      guard meets(entry, link, &facts, &encounter) else { continue }
      guard isInWindow(entry, &facts) else {
        // It is asked again when it holds again.
        encounter.offered.remove(entry)
        continue
      }
      guard encounter.offered.insert(entry).inserted else { continue }
      progress[entry].matched += 1
      let matched = progress[entry].matched
      guard isDue(entry, at: matched) else { continue }
      guard decision == nil, current.map({ entry < $0.entry }) ?? true else {
        recordPreempted(entry, by: decision?.entry ?? current?.entry)
        continue
      }
      progress[entry].taken += 1
      let made = decide(entry, call: "connect", SystemCallTraits(), at: matched, &facts)
      var faults: [LinkFault] = []
      if case .link(let given) = made.action.deed { faults = given }
      decision = LinkDecision(
        entry: entry, name: entries[entry].name, occurrence: matched, faults: faults,
        random: made.action.random)
      if faults.isEmpty, entries[entry].provider != .original { progress[entry].left += 1 }
    }
    return decision
  }

  /// Returns whether an entry is about a connection; counts the connection if the entry had not met it.
  private mutating func meets(
    _ entry: Int, _ link: CompiledLink, _ facts: inout LinkFacts,
    _ encounter: inout LinkMatchState
  ) -> Bool {
    if let known = encounter.matches[entry] { return known }
    let process = facts.processOrdinal
    counts[entry].seen += 1
    countsByProcess[entry][process, default: Counts()].seen += 1
    let isMeant =
      facts.way.map { link.matches($0) }
      ?? facts.place.map {
        link.matches(host: facts.name, address: facts.address, port: $0)
          && link.matches(targetName: facts.targetName)
      }
      ?? link.matches(host: facts.name, address: facts.address)
    let matches = isMeant && conditions[entry].hold(for: &facts, SystemCallTraits())
    encounter.matches[entry] = matches
    guard matches else {
      if misses[entry].wantsSubjects {
        misses[entry].add(
          call: 0, PassedOverCalls.Miss(subject: facts.subject, failing: [], keys: []),
          wanted: link.planned.text)
      }
      return false
    }
    counts[entry].matched += 1
    countsByProcess[entry][process, default: Counts()].matched += 1
    if !isInWindow(entry, &facts) { progress[entry].outside += 1 }
    return true
  }

  /// Returns whether what an entry has decided about a connection still holds.
  package func holds(_ decision: LinkDecision, _ facts: inout LinkFacts) -> Bool {
    progress[decision.entry].isApplied && isInWindow(decision.entry, &facts)
  }

  /// Makes entries count a connection again that they have already counted.
  package func forget(_ selection: ChaosSelection, in encounter: inout LinkMatchState) {
    for entry in entries.indices where selection.contains(entries[entry].name) {
      encounter.offered.remove(entry)
    }
  }

  /// Records a fault that an entry has injected into a connection.
  package mutating func recordFired(_ entry: Int, process: Int) {
    counts[entry].fired += 1
    countsByProcess[entry][process, default: Counts()].fired += 1
  }

  /// Returns the earliest time at which an entry about a connection begins or ends to apply by the
  /// clock alone; `nil` for never.
  package func nextWindow(for encounter: LinkMatchState, _ facts: inout LinkFacts) -> Nanoseconds? {
    let elapsed = facts.elapsed()
    let wall = facts.wall()
    return encounter.matches.compactMap { entry, matches -> Nanoseconds? in
      guard matches, progress[entry].isApplied else { return nil }
      let schedule = entries[entry].schedule
      return [schedule.from, schedule.until].compactMap { instant -> Nanoseconds? in
        switch instant {
        case .shift(let length)?: length > elapsed ? length - elapsed : nil
        case .absolute(let instant)?: instant > wall ? instant - wall : nil
        case .day?, nil: nil
        }
      }.min()
    }.min()
  }
}

extension UnfiredRule {
  /// Returns the reasons why no fault was injected into a link.
  static func explain(
    _ link: PlannedLink, _ planned: PlannedChaos, _ counts: FaultRuleSet.Counts,
    _ closest: [String], _ shortfall: Shortfall
  ) -> [String] {
    let what = link.isAboutNames ? "name" : "connection"
    guard counts.seen > 0 else {
      return [
        link.isAboutNames ? "the target looked up no name" : "the target made no connection"
      ]
    }
    guard counts.matched > 0 else {
      let done = link.isAboutNames ? "were looked up" : "were made"
      let seen =
        counts.seen == 1
        ? "1 \(what) \(link.isAboutNames ? "was looked up" : "was made")"
        : "\(counts.seen) \(what)s \(done)"
      var line = seen
      if !closest.isEmpty {
        line += (link.isAboutNames ? ": " : ", to ") + closest.joined(separator: ", ")
      }
      let conditions = planned.conditions.summary
      let wanted =
        "none of them matches \"link: \(link.text)\""
        + (conditions.isEmpty ? "" : " with \(conditions.joined(separator: " and "))")
      return [line, wanted]
    }
    let matched = counts.matched == 1 ? "1 \(what) matched" : "\(counts.matched) \(what)s matched"
    guard shortfall.taken == shortfall.left else {
      let faults = planned.provider.linkFaults
      let isAboutHandshakes = !faults.isEmpty && faults.allSatisfy(\.isAboutHandshake)
      let missing =
        isAboutHandshakes
        ? "no TLS handshake began on \(counts.matched == 1 ? "it" : "them")"
        : "no data or end of stream came for the fault"
      return ["\(matched), but no fault was injected: \(missing)"]
    }
    return shortfall.reason(matched, planned.schedule)
  }
}

extension LinkFault {
  /// True if it concerns only connections with TLS.
  fileprivate var isAboutHandshake: Bool {
    if case .tls = self { true } else { false }
  }
}
