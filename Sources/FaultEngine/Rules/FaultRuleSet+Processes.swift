package import Foundations
internal import ScenarioModel
internal import ScenarioPlan

/// Processes: each start of one is asked about once, and each that lives at an entry's moment.
extension FaultRuleSet {
  /// The progress of an entry about processes since it was applied.
  struct ProcessProgress: Sendable {
    /// The processes that matched, by their ordinals.
    var matched: Set<Int> = []
    /// The processes that matched within the window.
    var counted: Set<Int> = []
    /// The processes that began while the entry did not apply.
    var early: Set<Int> = []
    /// The processes that it has started again itself, and leaves alone.
    var spared: Set<Int> = []
    /// True if the entry's moment has come.
    var hadMoment = false
    /// True if one was passed over that is not the target's first.
    var passedOver = false
  }

  /// The entries that name processes, in order.
  package var processEntries: [Int] {
    entries.indices.filter { entries[$0].target.kind == .processes }
  }

  /// Decides about a process that begins to run a program; `nil` if no entry takes it.
  ///
  /// - Parameter isFirst: whether it is the target's first process, which alone may be started
  ///   again.
  package mutating func decideStart(
    isFirst: Bool, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    recordProgram(facts.program())
    var decision: ChaosDecision?
    for entry in processEntries where progress[entry].isApplied {
      counts[entry].seen += 1
      countsByProcess[entry][facts.processOrdinal, default: Counts()].seen += 1
      guard !entries[entry].schedule.isMoment || isInWindow(entry, &facts) else {
        recordEarly(entry, &facts)
        continue
      }
      let made = consider(entry, isFirst: isFirst, by: decision?.entry, &facts)
      decision = decision ?? made
    }
    return decision
  }

  /// Decides about a process that lives at an entry's moment; `nil` if the entry leaves it alone.
  package mutating func decideMoment(
    of entry: Int, isFirst: Bool, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    guard progress.indices.contains(entry), progress[entry].isApplied else { return nil }
    return consider(entry, isFirst: isFirst, by: nil, &facts)
  }

  /// Records that an entry's moment may have come, whichever processes live then.
  package mutating func recordMoment(of entry: Int, elapsed: Nanoseconds, wall: WallInstant) {
    guard progress.indices.contains(entry), progress[entry].isApplied else { return }
    var facts = LinkFacts(
      name: nil, address: "", port: nil, processOrdinal: 0, program: .unknown, time: elapsed,
      now: wall)
    if isInWindow(entry, &facts) { progress[entry].processes.hadMoment = true }
  }

  /// Spares a process that is the target which an entry has started again: within the time for
  /// which the entry applies it would fire at it for ever, where no number bounds it.
  package mutating func spare(_ ordinal: Int, by entry: Int) {
    guard progress.indices.contains(entry) else { return }
    let schedule = entries[entry].schedule
    guard schedule.hasWindow, schedule.times == nil, schedule.places.isEmpty else { return }
    progress[entry].processes.spared.insert(ordinal)
  }

  private mutating func recordProgram(_ program: ProgramNames) {
    let names = program.text
    guard !program.isUnknown,
      startedPrograms[names] != nil || startedPrograms.count < Self.programLimit
    else { return }
    startedPrograms[names, default: 0] += 1
  }

  private mutating func recordEarly(_ entry: Int, _ facts: inout some ChaosFacts) {
    let ordinal = facts.processOrdinal
    guard case .processes(let victims) = targets[entry],
      victims.mean(ordinal: ordinal, program: facts.program())
    else { return }
    progress[entry].processes.early.insert(ordinal)
  }

  /// - Parameter preemptor: the entry that has decided about the process before.
  private mutating func consider(
    _ entry: Int, isFirst: Bool, by preemptor: Int?, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    let ordinal = facts.processOrdinal
    guard case .processes(let victims) = targets[entry],
      victims.mean(ordinal: ordinal, program: facts.program()),
      conditions[entry].hold(for: &facts, SystemCallTraits()),
      !progress[entry].processes.counted.contains(ordinal),
      !progress[entry].processes.spared.contains(ordinal)
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
    progress[entry].processes.hadMoment = true
    progress[entry].processes.counted.insert(ordinal)
    progress[entry].matched += 1
    guard isDue(entry, at: progress[entry].matched) else { return nil }
    guard preemptor == nil else {
      recordPreempted(entry, by: preemptor)
      return nil
    }
    progress[entry].taken += 1
    let made = decide(
      entry, call: "process", SystemCallTraits(), at: progress[entry].matched, &facts)
    recordTaken(made, process: ordinal)
    return isTold(made) ? made : nil
  }

  /// The largest number of programs that are remembered for reports.
  private static var programLimit: Int { 256 }

  // MARK: - Near misses

  /// Returns the reasons why an entry has fired at no process.
  func explainProcesses(_ entry: Int) -> [String]? {
    guard case .processes(let victims) = targets[entry], wasApplied(entry) else { return nil }
    let schedule = entries[entry].schedule
    if schedule.isMoment, !progress[entry].processes.hadMoment {
      return ["its time never came: the scenario ended earlier"] + startedLines
    }
    if counts[entry].matched == 0 {
      if progress[entry].processes.passedOver {
        return ["\"restart\" applies only to the target's first process"] + startedLines
      }
      let early = progress[entry].processes.early.count
      if early > 0 {
        return [
          early == 1
            ? "1 process matched, but did not run while the entry was active"
            : "\(early) processes matched, but none ran while the entry was active"
        ]
      }
      return startedLines + ["none of them matches \"\(victims.summary)\""]
    }
    return nil
  }

  private var startedLines: [String] {
    guard !startedPrograms.isEmpty else { return ["no program was started"] }
    let programs = startedPrograms.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = programs.prefix(8).map { names, count in
      count == 1 ? "\(names) once" : "\(names) \(count) times"
    }
    let more = programs.count > 8 ? ", …" : ""
    return ["these programs started: \(shown.joined(separator: ", "))\(more)"]
  }
}
