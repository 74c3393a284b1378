internal import ScenarioModel
internal import ScenarioPlan

/// Entries that name functions.
///
/// A target counts the calls of functions by itself, and stops only at one that is due: an entry without
/// conditions and without a window knows from the call's number which one that is. All others are asked
/// about each call. System calls of the same entry, as `@alloc` has them, are counted among those of its
/// functions.
extension FaultRuleSet {
  /// The entries that name functions, in order.
  package var functionEntries: [Int] {
    entries.indices.filter { entries[$0].functions != nil }
  }

  /// Returns whether the entry must be asked about each call.
  package func asksEachCall(_ entry: Int) -> Bool {
    !entries[entry].conditions.isEmpty || entries[entry].schedule.hasWindow
  }

  /// Records the number of calls of an entry's functions over all processes.
  package mutating func recordCalls(_ total: Int, of entry: Int) {
    let fresh = total - progress[entry].calls
    guard fresh > 0 else { return }
    progress[entry].calls = total
    guard progress[entry].isApplied, !asksEachCall(entry) else { return }
    counts[entry].seen += fresh
    counts[entry].matched += fresh
    progress[entry].matched += fresh
  }

  /// Counts a system call among those of its entry's functions; false if it is part of one of these, and no
  /// call of its own.
  mutating func joinsFunctions(of entry: Int, _ facts: inout some ChaosFacts) -> Bool {
    guard let functions = entries[entry].functions else { return true }
    if facts.isPart(of: functions) { return false }
    guard !asksEachCall(entry), let number = facts.count(amongFunctionsOf: entry) else {
      return true
    }
    recordCalls(number - 1, of: entry)
    progress[entry].calls = max(progress[entry].calls, number)
    return true
  }

  /// Returns whether a system call is counted among calls of functions.
  package func joinsFunctions(call index: Int) -> Bool { joining[index] }

  /// Decides about the call of a function; `nil` if the entry leaves it to others.
  ///
  /// - Parameters:
  ///   - function: the function's name.
  ///   - entry: the entry that is asked.
  ///   - occurrence: the call's number among all calls of the entry's functions, from 1.
  ///   - isSettled: whether an entry that comes first has decided; then the call is counted only.
  package mutating func decide(
    function: String, of entry: Int, occurrence: Int, isSettled: Bool = false,
    _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    recordCalls(occurrence, of: entry)
    guard progress[entry].isApplied else { return nil }
    let traits = SystemCallTraits()
    let process = facts.processOrdinal
    let matched: Int
    if asksEachCall(entry) {
      counts[entry].seen += 1
      countsByProcess[entry][process, default: Counts()].seen += 1
      guard conditions[entry].hold(for: &facts, traits) else { return nil }
      counts[entry].matched += 1
      countsByProcess[entry][process, default: Counts()].matched += 1
      guard isInWindow(entry, &facts) else {
        progress[entry].outside += 1
        return nil
      }
      progress[entry].matched += 1
      matched = progress[entry].matched
    } else {
      matched = occurrence - progress[entry].callsBefore
    }
    guard isDue(entry, at: matched) else { return nil }
    guard !isSettled else {
      recordPreempted(entry, by: nil)
      return nil
    }
    var made = decide(entry, call: function, traits, at: matched, &facts)
    recordFired(by: entry, process) { $0.recordTaken(&made, process: process) }
    return made
  }

  /// Counts a function's call about which was decided, when it is over (`settle`).
  package mutating func settle(
    callOfFunction decision: ChaosDecision, hasEffect: Bool, process: Int
  ) -> Bool {
    recordFired(by: decision.entry, process) {
      $0.settle(decision, hasEffect: hasEffect, process: process)
    }
  }

  /// Counts a call that fires as one that matches, where only the calls that are due are seen.
  private mutating func recordFired<Result>(
    by entry: Int, _ process: Int, _ record: (inout Self) -> Result
  ) -> Result {
    let before = counts[entry].fired
    let result = record(&self)
    if counts[entry].fired > before, !asksEachCall(entry) {
      countsByProcess[entry][process, default: Counts()].matched += 1
    }
    return result
  }

  /// Returns the call of its functions, counted from 1, at which an entry is evaluated next; `nil`
  /// for never.
  package func nextDue(_ entry: Int) -> Int? {
    guard progress[entry].isApplied else { return nil }
    if asksEachCall(entry) { return 1 }
    let before = progress[entry].callsBefore
    return nextMatch(entry, after: progress[entry].calls - before).map { $0 + before }
  }

  /// The number of calls whose chance is drawn in advance.
  private static let foresight = 4096

  private func nextMatch(_ entry: Int, after matched: Int) -> Int? {
    let schedule = entries[entry].schedule
    if let times = schedule.times, progress[entry].taken + progress[entry].awaited >= times {
      return nil
    }
    var place = max(matched - schedule.after, 0) + 1
    if !schedule.places.isEmpty {
      guard let next = schedule.places.first(where: { $0 >= place }) else { return nil }
      place = next
    }
    let step = max(1, schedule.every ?? 1)
    place = (place + step - 1) / step * step
    guard schedule.probability != nil, schedule.places.isEmpty else {
      return place + schedule.after
    }
    for _ in 0..<Self.foresight {
      if isDue(entry, at: place + schedule.after) { break }
      place += step
    }
    return place + schedule.after
  }
}
