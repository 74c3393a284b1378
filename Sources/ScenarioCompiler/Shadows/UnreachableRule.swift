internal import FaultEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// The reason why an entry of `chaos:` can change nothing beside the others: another one leaves
/// nothing to it.
struct UnreachableRule: Sendable, Hashable {
  /// The kind of remainder for the entry.
  enum Kind: Sendable, Hashable {
    /// An earlier entry takes all that it would take.
    case taken
    /// An earlier entry takes all that its `when` would take.
    case samePlaces
    /// Another entry lets no connection be made.
    case noConnection
    /// Another entry lets none of its calls be made, and a disk is asked by those that are made.
    case noCall
    /// Another entry lets nothing be written.
    case noWrite
    /// Another disk with the same files is as strict.
    case milderDisk
    /// Another entry has ended the processes before.
    case endedBefore
  }

  /// The kind of remainder.
  var kind: Kind
  /// The other entry's place.
  var other: Int
}

extension PlannedChaos {
  /// Returns what this entry leaves to another one; `nil` where something may be left.
  ///
  /// - Parameter isEarlier: whether this one precedes the other.
  func shadow(on other: PlannedChaos, isEarlier: Bool) -> UnreachableRule.Kind? {
    switch (target, other.target) {
    case (.processes(let own), .processes(let others)):
      return shadow(of: own, on: others, of: other, isEarlier: isEarlier)
    case (.link, .link): return takes(all: other, isEarlier: isEarlier)
    case (_, .link(let link)): return forbidsConnections(to: link) ? .noConnection : nil
    case (.disk(let own, _), .disk(let others, _)):
      return shadow(of: own, on: others, of: other, isEarlier: isEarlier)
    case (_, .disk(let disk, let calls)): return forbids(calls, on: disk, other.diskFault)
    case (.calls, .calls), (.calls, .functions), (.functions, .calls), (.functions, .functions):
      return takes(all: other, isEarlier: isEarlier)
    case (.processes, _), (_, .processes), (.link, _), (.disk, _): return nil
    }
  }

  /// Entries of one kind: the first one that is due decides.
  private func takes(all other: PlannedChaos, isEarlier: Bool) -> UnreachableRule.Kind? {
    guard isEarlier, conditions.include(other.conditions), hasVictims(of: other) else { return nil }
    if schedule.takesAll { return .taken }
    // They count the same calls only if each matches what the other matches.
    guard conditions == other.conditions, other.hasVictims(of: self) else { return nil }
    return schedule.covers(other.schedule) ? .samePlaces : nil
  }

  private func hasVictims(of other: PlannedChaos) -> Bool {
    if case .link(let own) = target, case .link(let others) = other.target {
      return own.contains(others)
    }
    return other.calls.allSatisfy { call in
      calls.contains { $0 == PlannedCall(name: call.name) || $0 == call }
    }
      && other.functions.map { own in functions?.contain(own) ?? false } ?? true
  }

  // MARK: - Connections

  /// Returns whether no connection to the other's link is ever made: connect(2) is asked first.
  private func forbidsConnections(to link: PlannedLink) -> Bool {
    guard !link.isAboutNames, schedule.takesAll, provider.replacesCall,
      calls.contains(PlannedCall(name: "connect"))
    else { return false }
    var rest = conditions
    rest[.host] = nil
    rest[.port] = nil
    guard rest.isEmpty else { return false }
    let meansHost =
      conditions.pattern(.host).map { $0 == link.host || $0 == "*" } ?? true
    guard case .number(let port)? = conditions[.port] else { return meansHost }
    return meansHost && link.port.map { port.holds(for: Int64($0)) } ?? false
  }

  // MARK: - Disks

  /// A disk is asked by calls that are made.
  private func forbids(
    _ others: [PlannedCall], on disk: PlannedDisk, _ fault: DiskFault?
  ) -> UnreachableRule.Kind? {
    guard schedule.takesAll, provider.replacesCall, meansFiles(of: disk) else { return nil }
    func forbids(_ name: String) -> Bool { calls.contains(PlannedCall(name: name)) }
    if others.allSatisfy({ forbids($0.name) }) { return .noCall }
    switch fault {
    case .full?, .free?, .quota?: return Self.writes.allSatisfy(forbids) ? .noWrite : nil
    case .readOnly?, nil: return nil
    }
  }

  static let writes = ["write", "pwrite64", "writev", "pwritev", "pwritev2"]

  private func meansFiles(of disk: PlannedDisk) -> Bool {
    if conditions.isEmpty { return true }
    var rest = conditions
    rest[.path] = nil
    return rest.isEmpty && conditions.pattern(.path).map { [GlobPattern($0)] } == disk.files
  }

  /// Returns what a disk leaves to another one: where several refuse a call, the strictest answers,
  /// and the first of those that are alike.
  private func shadow(
    of disk: PlannedDisk, on otherDisk: PlannedDisk, of other: PlannedChaos, isEarlier: Bool
  ) -> UnreachableRule.Kind? {
    guard let own = diskFault, let others = other.diskFault, schedule.takesAll,
      conditions.include(other.conditions), disk.hasFiles(of: otherDisk)
    else { return nil }
    return own.leavesNothing(to: others, isEarlier: isEarlier) ? .milderDisk : nil
  }

  // MARK: - Processes

  private func shadow(
    of own: PlannedProcesses, on others: PlannedProcesses, of other: PlannedChaos, isEarlier: Bool
  ) -> UnreachableRule.Kind? {
    guard own.contain(others) else { return nil }
    if !schedule.isInstant, !other.schedule.isInstant {
      guard isEarlier else { return nil }
      if schedule.takesAll { return .taken }
      return own == others && schedule.covers(other.schedule) ? .samePlaces : nil
    }
    guard provider.endsProcess else { return nil }
    if !schedule.isInstant { return schedule.takesAll ? .endedBefore : nil }
    guard let moment = schedule.loneMoment, let later = other.schedule.from,
      let isBefore = moment.isBefore(later)
    else { return nil }
    if moment == later { return isEarlier ? .endedBefore : nil }
    // Others of the same name may turn up in between, but never one of the same number.
    return isBefore && others.programs.isEmpty ? .endedBefore : nil
  }
}

extension DiskFault {
  /// Returns whether nothing is left for another fault of the same files to refuse.
  fileprivate func leavesNothing(to other: DiskFault, isEarlier: Bool) -> Bool {
    switch (self, other) {
    case (.readOnly, _), (.full, .full): isEarlier
    case (.full, .free), (.full, .quota): true
    case (.full, .readOnly): false
    default:
      if let room, let others = other.room {
        room < others || room == others && isEarlier
      } else {
        false
      }
    }
  }

  private var room: Int64? {
    switch self {
    case .free(let bytes), .quota(let bytes): bytes
    case .full, .readOnly: nil
    }
  }
}

extension PlannedDisk {
  /// Returns whether all files that `other` is about are among these.
  fileprivate func hasFiles(of other: PlannedDisk) -> Bool {
    other.files.allSatisfy { file in
      files.contains { $0 == file || $0.text == "." && !file.text.hasPrefix("/") }
    }
  }
}

extension PlannedProcesses {
  /// Returns whether every process that `other` means is meant.
  fileprivate func contain(_ other: PlannedProcesses) -> Bool {
    other.programs.allSatisfy { programs.contains($0) || programs.contains(GlobPattern("*")) }
      && other.ordinals.allSatisfy {
        ordinals.contains($0) || programs.contains(GlobPattern("*"))
      }
  }
}
