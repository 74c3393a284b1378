internal import ScenarioModel

/// Processes: each start of one is asked about once, and each that lives at an entry's moment.
extension ChaosTable {
  /// What an entry has to do with processes since it was applied.
  struct ProcessProgress: Sendable {
    /// Those that matched, by their ordinals.
    var matched: Set<Int> = []
    /// Those of them that did so within the window.
    var counted: Set<Int> = []
    /// Whether the entry's moment has come.
    var hadMoment = false
    /// Whether one was passed over that is not the target's first.
    var passedOver = false
  }

  /// The entries that name processes, in order.
  public var processEntries: [Int] {
    entries.indices.filter { entries[$0].processes != nil }
  }

  /// Says what becomes of a process that begins to run a program; `nil` if nothing.
  ///
  /// - Parameter isFirst: whether it is the target's first process, which alone may be started again.
  public mutating func decideStart(
    isFirst: Bool, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    let program = facts.program()
    if !program.isEmpty,
      startedPrograms[program] != nil || startedPrograms.count < Self.programLimit
    {
      startedPrograms[program, default: 0] += 1
    }
    var decision: ChaosDecision?
    for entry in processEntries where progress[entry].isApplied {
      counts[entry].seen += 1
      countsByProcess[entry][facts.processOrdinal, default: Counts()].seen += 1
      guard !entries[entry].schedule.isMoment else { continue }
      let made = consider(entry, isFirst: isFirst, isSettled: decision != nil, &facts)
      decision = decision ?? made
    }
    return decision
  }

  /// Says what becomes of a process that lives at an entry's moment; `nil` if nothing.
  public mutating func decideMoment(
    of entry: Int, isFirst: Bool, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    guard progress.indices.contains(entry), progress[entry].isApplied else { return nil }
    progress[entry].processes.hadMoment = true
    return consider(entry, isFirst: isFirst, isSettled: false, &facts)
  }

  private mutating func consider(
    _ entry: Int, isFirst: Bool, isSettled: Bool, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    let ordinal = facts.processOrdinal
    guard let victims = entries[entry].processes,
      victims.mean(ordinal: ordinal, program: facts.program()),
      !progress[entry].processes.counted.contains(ordinal)
    else { return nil }
    guard isFirst || !entries[entry].provider.restarts else {
      progress[entry].processes.passedOver = true
      return nil
    }
    let isNew = progress[entry].processes.matched.insert(ordinal).inserted
    if isNew {
      counts[entry].matched += 1
      countsByProcess[entry][ordinal, default: Counts()].matched += 1
    }
    guard isInWindow(entry, &facts) else {
      if isNew { progress[entry].outside += 1 }
      return nil
    }
    if !isNew { progress[entry].outside -= 1 }
    progress[entry].processes.counted.insert(ordinal)
    progress[entry].matched += 1
    guard !isSettled, isDue(entry, at: progress[entry].matched) else { return nil }
    progress[entry].taken += 1
    let made = decide(
      entry, call: "process", SystemCallTraits(), at: progress[entry].matched, &facts)
    if !made.action.changesNothing || entries[entry].provider == .original {
      counts[entry].fired += 1
      countsByProcess[entry][ordinal, default: Counts()].fired += 1
    }
    return made.action.changesNothing ? nil : made
  }

  /// How many programs are remembered for reports.
  private static var programLimit: Int { 256 }

  // MARK: - Near misses

  /// Why an entry has struck no process.
  func explainProcesses(_ entry: Int) -> [String]? {
    guard let victims = entries[entry].processes, wasApplied(entry) else { return nil }
    let schedule = entries[entry].schedule
    if schedule.isMoment, !progress[entry].processes.hadMoment {
      return ["its moment never came: the scenario ended before"] + startedLines
    }
    if counts[entry].matched == 0 {
      if progress[entry].processes.passedOver {
        return ["\"restart\" is for the target's first process alone"] + startedLines
      }
      return startedLines + ["none of them is \"\(victims.summary)\""]
    }
    return nil
  }

  private var startedLines: [String] {
    guard !startedPrograms.isEmpty else { return ["no program was started"] }
    let programs = startedPrograms.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = programs.prefix(8).map { path, count in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return count == 1 ? "\(name) once" : "\(name) \(count) times"
    }
    let more = programs.count > 8 ? ", …" : ""
    return ["these began to run: \(shown.joined(separator: ", "))\(more)"]
  }
}
