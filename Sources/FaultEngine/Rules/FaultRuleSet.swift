internal import Foundations
internal import Patterns
package import ScenarioModel
package import ScenarioPlan

/// The fault rules of a case: its chaos entries and the numbers of times that each has matched and
/// fired.
///
/// Counts run over the whole process tree. Every entry counts each call that its conditions match;
/// of those whose schedule takes it, the first in order decides.
package struct FaultRuleSet: Sendable {
  /// The number of times that an entry was evaluated, and its results.
  package struct Counts: Sendable, Hashable {
    /// Calls of the entry's families.
    package var seen = 0
    /// Calls for which the conditions held as well.
    package var matched = 0
    /// Calls that the entry changed.
    package var fired = 0

    /// Adds a call of the entry's families.
    mutating func add(matched isMatch: Bool) {
      seen += 1
      if isMatch { matched += 1 }
    }
  }

  /// The entries in order.
  package let entries: [PlannedChaos]
  /// The kernel names of the calls that any entry wants to see, sorted; `decide(call:…)` takes indexes
  /// into this list.
  package let systemCallNames: [String]
  /// The counts of each entry, since the start.
  package internal(set) var counts: [Counts]
  /// The counts of each entry by the ordinals of processes.
  package internal(set) var countsByProcess: [[Int: Counts]]
  /// The steps that are being performed, outer ones first.
  package var activeSteps: [String] = []

  let directory: String?
  let traits: [SystemCallTraits]
  /// The entries that want to see each call.
  let callers: [[Caller]]
  /// True for each call whose number alone decides which entries match.
  private let isPlain: [Bool]
  /// True, by call, if an entry about that call also names functions.
  let joining: [Bool]
  let conditions: [CompiledConditions]
  let providers: [CompiledProvider]
  var progress: [Progress]
  var misses: [PassedOverCalls]
  /// The targets of the entries.
  let targets: [CompiledTarget]
  /// The room on the disk of each entry that is about one, where it has a limit.
  package internal(set) var spaces: [SpaceAccount?]
  /// The number of replies of each entry of `responses:` that were delivered.
  package var replies: [String: Int] = [:]
  /// True if decisions that change nothing are reported as well.
  package var reportsOriginals = false
  /// True if decisions are reported that leave a call as it is because their entry gives the
  /// original and nothing else.
  package var notesOriginals = false
  /// The number of times that each program began to run, by the text of its names.
  var startedPrograms: [String: Int] = [:]
  /// True if an entry waits for replies.
  package let awaitsReplies: Bool

  /// An entry that wants to see a call.
  struct Caller: Sendable {
    var entry: Int
    /// The calls of that name, one of which must match; empty is any.
    var alternatives: [PlannedCall]

    /// The end of a transfer that the entry is about; `nil` for both.
    var end: TransferEnd? {
      guard let first = alternatives.first?.end else { return nil }
      return alternatives.allSatisfy { $0.end == first } ? first : nil
    }

    /// Returns whether a call is meant, of which what follows is then asked.
    func holds(for facts: inout some ChaosFacts) -> Bool {
      let isMeant = alternatives.isEmpty || alternatives.contains { $0.holds(for: &facts) }
      facts.attend(to: end)
      return isMeant
    }
  }

  /// The progress of an entry since it was applied.
  struct Progress: Sendable {
    var isApplied: Bool
    /// True if it was applied before, and has been reverted.
    var wasApplied = false
    /// Calls that matched within the window.
    var matched = 0
    /// Calls among these of the thread with which the entry begins, before it has.
    var leading = 0
    /// Calls that the schedule let through to the provider, without those that it had no effect on.
    var taken = 0
    /// Calls that are being made, and whose effect decides whether they count as taken.
    var awaited = 0
    /// Calls that the provider had no effect on.
    var withoutEffect = 0
    /// The number of times that the entry was applied again.
    var round = 0
    /// The number of draws from each sequence.
    var counters: [Int]
    /// The beginning of its streams of random numbers.
    var key: StreamKey
    /// The number of calls of its functions, and the number before it was applied.
    var calls = 0
    var callsBefore = 0
    /// Calls that matched but came outside the window, or were not taken.
    var outside = 0
    /// Calls that were due, and about which an earlier entry had decided.
    var preempted = 0
    /// The first of these entries.
    var preemptor: Int?
    /// Calls that the schedule let through and the provider left as they are.
    var left = 0
    /// The progress with processes.
    var processes = ProcessProgress()
  }

  /// Creates a table with empty counts.
  ///
  /// - Parameters:
  ///   - entries: the entries in order.
  ///   - directory: the case's own, from which a pattern counts that begins neither with `/` nor with
  ///     `**`.
  ///   - seed: what random values derive from.
  ///   - diskDirectory: the same without symbolic links, as the kernel names it; `directory` unless said.
  package init(
    entries: [PlannedChaos], directory: String? = nil, seed: Int64 = 0,
    diskDirectory: String? = nil
  ) {
    self.entries = entries
    let directory = directory.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.directory = directory
    let names = Set(entries.flatMap { $0.calls.map(\.name) }).sorted()
    systemCallNames = names
    awaitsReplies = entries.contains { $0.schedule.event != nil }
    traits = names.map { SystemCallTraits.of($0) }
    counts = [Counts](repeating: Counts(), count: entries.count)
    countsByProcess = [[Int: Counts]](repeating: [:], count: entries.count)
    misses = [PassedOverCalls](repeating: PassedOverCalls(), count: entries.count)
    targets = entries.map { CompiledTarget($0.target, directory: diskDirectory ?? directory) }
    spaces = entries.map { $0.diskFault?.account }
    conditions = entries.map { CompiledConditions($0.conditions, directory: directory) }
    var providers: [CompiledProvider] = []
    var progress: [Progress] = []
    for entry in entries {
      var counters = 0
      providers.append(
        CompiledProvider(entry.provider, directory: directory, counters: &counters))
      progress.append(
        Progress(
          isApplied: entry.isApplied, counters: [Int](repeating: 0, count: counters),
          key: StreamKey(seed: seed, entry: entry.name)))
    }
    self.providers = providers
    self.progress = progress
    let callers = names.map { name in
      entries.indices.compactMap { index -> Caller? in
        let calls = entries[index].calls.filter { $0.name == name }
        guard !calls.isEmpty else { return nil }
        let takesAny = calls.contains(PlannedCall(name: name))
        return Caller(entry: index, alternatives: takesAny ? [] : calls)
      }
    }
    self.callers = callers
    joining = callers.map { list in list.contains { entries[$0.entry].functions != nil } }
    isPlain = callers.map { list in
      list.allSatisfy { caller in
        guard case .calls(_, with: nil) = entries[caller.entry].target else { return false }
        return caller.alternatives.isEmpty && entries[caller.entry].conditions.isEmpty
          && !entries[caller.entry].schedule.hasWindow && entries[caller.entry].beginning == nil
      }
    }
  }

  // MARK: - Steps and events

  /// Applies entries again: their schedules and sequences restart, with another seed if there is one.
  package mutating func apply(_ selection: ChaosSelection, seed: Int64?) {
    for index in entries.indices where selection.contains(entries[index].name) {
      progress[index].isApplied = true
      progress[index].matched = 0
      progress[index].leading = 0
      progress[index].callsBefore = progress[index].calls
      progress[index].taken = 0
      progress[index].awaited = 0
      progress[index].round += 1
      spaces[index] = entries[index].diskFault?.account
      progress[index].processes = ProcessProgress()
      for counter in progress[index].counters.indices { progress[index].counters[counter] = 0 }
      if let seed { progress[index].key = StreamKey(seed: seed, entry: entries[index].name) }
    }
  }

  /// Reverts entries: their calls are made as they are.
  package mutating func revert(_ selection: ChaosSelection) {
    for index in entries.indices where selection.contains(entries[index].name) {
      if progress[index].isApplied { progress[index].wasApplied = true }
      progress[index].isApplied = false
    }
  }

  /// Returns whether an entry holds.
  package func isApplied(_ entry: Int) -> Bool {
    progress.indices.contains(entry) && progress[entry].isApplied
  }

  /// Returns whether an entry has ever held.
  package func wasApplied(_ entry: Int) -> Bool {
    progress.indices.contains(entry) && (progress[entry].isApplied || progress[entry].wasApplied)
  }

  // MARK: - Decisions

  /// Returns whether the number of a call alone decides which entries match.
  ///
  /// `index` is the call's place in `systemCallNames`.
  package func isPlain(call index: Int) -> Bool {
    isPlain.indices.contains(index) && isPlain[index]
  }

  /// Counts one call that is made as it is, where its number alone shows that; false, and nothing
  /// is counted, where it does not.
  ///
  /// `index` is the call's place in `systemCallNames`.
  package mutating func passes(call index: Int, process: Int) -> Bool {
    guard callers.indices.contains(index), isPlain[index] else { return false }
    for caller in callers[index] where progress[caller.entry].isApplied {
      if isDue(caller.entry, at: progress[caller.entry].matched + 1) { return false }
    }
    for caller in callers[index] where progress[caller.entry].isApplied {
      counts[caller.entry].add(matched: true)
      countsByProcess[caller.entry][process, default: Counts()].add(matched: true)
      progress[caller.entry].matched += 1
    }
    return true
  }

  /// Counts one call and decides about it; `nil` if it is made as it is.
  ///
  /// `index` is the call's place in `systemCallNames`.
  package mutating func decide(
    call index: Int, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    guard callers.indices.contains(index) else { return nil }
    var decision: ChaosDecision?
    for caller in callers[index] where progress[caller.entry].isApplied {
      let entry = caller.entry
      // A disk is met by calls that are made.
      if case .disk = targets[entry] { continue }
      let process = facts.processOrdinal
      guard caller.holds(for: &facts), joinsFunctions(of: entry, &facts) else { continue }
      let isMatch = conditions[entry].hold(for: &facts, traits[index])
      counts[entry].add(matched: isMatch)
      countsByProcess[entry][process, default: Counts()].add(matched: isMatch)
      guard isMatch else {
        recordMiss(entry, call: index, &facts)
        continue
      }
      guard isInWindow(entry, &facts) else {
        progress[entry].outside += 1
        continue
      }
      progress[entry].matched += 1
      guard hasBegun(entry, facts), isDue(entry, at: progress[entry].matched) else { continue }
      guard decision == nil else {
        recordPreempted(entry, by: decision?.entry)
        continue
      }
      var made = decide(
        entry, call: systemCallNames[index], traits[index], at: progress[entry].matched, &facts)
      recordTaken(&made, process: process)
      decision = made
    }
    guard let decision, reportsOriginals || isTold(decision) else { return nil }
    return decision
  }

  /// The end of a transfer that an entry is about; `nil` for both.
  ///
  /// `index` is the call's place in `systemCallNames`.
  package func end(of entry: Int, call index: Int) -> TransferEnd? {
    guard callers.indices.contains(index) else { return nil }
    return callers[index].first { $0.entry == entry }?.end
  }

  /// Returns the decision of an entry's provider for a call, by its number among those that match.
  package mutating func decide(
    _ entry: Int, call: String, _ traits: SystemCallTraits, at matched: Int,
    _ facts: inout some ChaosFacts
  ) -> ChaosDecision {
    var action = ChaosAction()
    action.random = SplitMix64(seed: key(of: entry, at: matched).value)
    providers[entry].provide(
      for: &facts, call: call, traits, counters: &progress[entry].counters, into: &action)
    return ChaosDecision(entry: entry, occurrence: matched, action: action)
  }

  /// The key of what chance decides about a call.
  private func key(of entry: Int, at matched: Int) -> StreamKey {
    var key = progress[entry].key
    key.add(decimal: Int64(matched))
    return key
  }

  /// Returns whether an entry takes calls from this one on: it begins with a call of one thread, and holds for all
  /// from there.
  private mutating func hasBegun(_ entry: Int, _ facts: some ChaosFacts) -> Bool {
    guard let beginning = entries[entry].beginning,
      progress[entry].leading < beginning.rank
    else { return true }
    if facts.lineage == beginning.lineage { progress[entry].leading += 1 }
    return progress[entry].leading >= beginning.rank
  }

  func isInWindow(_ entry: Int, _ facts: inout some ChaosFacts) -> Bool {
    let schedule = entries[entry].schedule
    if let from = schedule.from, !hasCome(from, &facts) { return false }
    if let until = schedule.until, hasCome(until, &facts) { return false }
    if let step = schedule.during, !activeSteps.contains(step) { return false }
    if let event = schedule.event, replies[event.reply, default: 0] < event.number { return false }
    return true
  }

  private func hasCome(_ instant: InstantExpression, _ facts: inout some ChaosFacts) -> Bool {
    switch instant {
    case .shift(let length): facts.elapsed() >= length
    case .absolute(let instant): facts.wall() >= instant
    // The planner lets none of these through: they depend on when they are read.
    case .day: false
    }
  }

  /// Returns whether the schedule takes the call with a number among those that match.
  func isDue(_ entry: Int, at matched: Int) -> Bool {
    let schedule = entries[entry].schedule
    let place = matched - schedule.after
    guard place > 0 else { return false }
    if let every = schedule.every, place % max(1, every) != 0 { return false }
    if !schedule.places.isEmpty, !schedule.places.contains(place) { return false }
    if let probability = schedule.probability {
      // A stream of its own, so that it moves nothing that the provider draws.
      var key = key(of: entry, at: matched)
      key.add(0)
      var stream = SplitMix64(seed: key.value)
      guard stream.nextPart() < probability else { return false }
    }
    return schedule.times.map { progress[entry].taken + progress[entry].awaited < $0 } ?? true
  }

  // MARK: - Near misses

  private mutating func recordMiss(_ entry: Int, call index: Int, _ facts: inout some ChaosFacts) {
    guard counts[entry].fired == 0 else { return }
    // What a call is about costs more to find out than all else.
    guard misses[entry].wantsSubjects else {
      return misses[entry].add(call: index, nil, wanted: "")
    }
    let subject: String?
    if conditions[entry].isAboutHosts {
      let port = facts.port().map { ":\($0)" } ?? ""
      subject = facts.host().map { $0 + port }
    } else {
      subject = facts.paths().first
    }
    let failing = conditions[entry].failing(for: &facts, traits[index])
    let miss = PassedOverCalls.Miss(
      subject: subject ?? "", failing: failing.map { "the \($0.key) \($0.met)" },
      keys: Set(failing.map(\.key)))
    misses[entry].add(call: index, miss, wanted: conditions[entry].wanted ?? "")
  }

  /// Records a call whose subject is known.
  mutating func recordMiss(_ entry: Int, call index: Int, subject: String?) {
    guard counts[entry].fired == 0 else { return }
    misses[entry].add(
      call: index, subject.map { PassedOverCalls.Miss(subject: $0, failing: [], keys: []) },
      wanted: wanted(by: entry) ?? "")
  }

  /// Returns the text that near misses of an entry are compared with: of a disk its glob, unless
  /// only the callers did not match.
  private func wanted(by entry: Int) -> String? {
    let own = conditions[entry].wanted
    switch entries[entry].target {
    case .disk(let disk, _):
      let glob = disk.files.first?.text
      return misses[entry].misses.isEmpty ? own ?? glob : glob ?? own
    case .link(let link): return own ?? link.text
    case .calls, .functions, .processes: return own
    }
  }

  /// The entries that never fired, in order, with what came nearest.
  package func unfired() -> [UnfiredRule] {
    entries.indices.filter { counts[$0].fired == 0 }.map { index in
      UnfiredRule(
        entry: index, entries[index], counts[index], misses[index], names: systemCallNames,
        wanted: wanted(by: index), wasApplied: wasApplied(index), shortfall(of: index),
        room: spaces[index], processes: explainProcesses(index))
    }
  }

  /// Returns the counts of the calls that an entry matched, by what they came to.
  private func shortfall(of entry: Int) -> UnfiredRule.Shortfall {
    let progress = progress[entry]
    var shortfall = UnfiredRule.Shortfall(
      matched: counts[entry].matched, outside: progress.outside, taken: progress.taken,
      left: progress.left, withoutEffect: progress.withoutEffect, awaited: progress.awaited,
      preempted: progress.preempted,
      preemptor: progress.preemptor.map { entries[$0].name })
    if case .disk = targets[entry] { shortfall.refused = progress.matched }
    return shortfall
  }
}

extension ChaosSelection {
  /// Returns whether an entry by that name is meant.
  package func contains(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .entry(let own): own == name
    }
  }
}
