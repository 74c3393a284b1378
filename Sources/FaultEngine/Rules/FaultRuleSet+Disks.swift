internal import Patterns
package import ScenarioModel
internal import ScenarioPlan

/// Entries that are about a disk: they are met by calls that want something of it, and fire where it has not
/// what they want.
extension FaultRuleSet {
  /// Returns the disks' decision about a call that is about to be made; `nil` if each of them has
  /// what it needs.
  ///
  /// Where several have less, the strictest answers. Entries about calls are evaluated before.
  ///
  /// `index` is the call's place in `systemCallNames`.
  package mutating func decideDisks(
    call index: Int, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    guard callers.indices.contains(index) else { return nil }
    var decision: ChaosDecision?
    for caller in callers[index] where progress[caller.entry].isApplied {
      guard let globs = targets[caller.entry].globs,
        let made = meetDisk(caller.entry, globs, call: index, &facts)
      else { continue }
      if let known = decision, made.action.deed.mildness >= known.action.deed.mildness { continue }
      decision = made
    }
    return decision
  }

  /// Returns the decision of an entry with a disk about a call; `nil` if the entry leaves it alone.
  private mutating func meetDisk(
    _ entry: Int, _ globs: DiskGlobs, call index: Int, _ facts: inout some ChaosFacts
  ) -> ChaosDecision? {
    guard var use = facts.diskUse() else { return nil }
    let fault = entries[entry].diskFault
    if let move = use.move, let fault, fault != .readOnly {
      use.entry = move.need(on: globs) { facts.movedRooms() }
    }
    guard fault?.concerns(use) ?? use.isChange else { return nil }
    let process = facts.processOrdinal
    counts[entry].seen += 1
    countsByProcess[entry][process, default: Counts()].seen += 1
    let isCovered = covers(use, globs)
    guard isCovered, conditions[entry].hold(for: &facts, traits[index]) else {
      // Files on the disk are not reported: there only the caller did not match.
      let subject = isCovered ? nil : use.paths.first
      if !use.isQuestion { recordMiss(entry, call: index, subject: subject) }
      return nil
    }
    counts[entry].matched += 1
    countsByProcess[entry][process, default: Counts()].matched += 1
    guard isInWindow(entry, &facts) else {
      progress[entry].outside += 1
      return nil
    }
    var answer: DiskAnswer?
    if let fault {
      // Only what the disk would refuse counts for `after`, `nth` and the like.
      answer = fault.answer(use, spaces[entry])
      if answer == nil { return nil }
    }
    progress[entry].matched += 1
    guard isDue(entry, at: progress[entry].matched) else { return nil }
    progress[entry].taken += 1
    var made = decide(
      entry, call: systemCallNames[index], traits[index], at: progress[entry].matched, &facts)
    if let answer { made.action.deed = .disk(answer) }
    counts[entry].fired += 1
    countsByProcess[entry][process, default: Counts()].fired += 1
    return made
  }

  private func covers(_ use: DiskUse, _ globs: DiskGlobs) -> Bool {
    use.paths.contains { path in
      if use.isQuestion { return globs.mayStand(in: path) }
      return globs.cover(path) && !(use.makesFolder && globs.areMounted(at: path))
    }
  }

  // MARK: - Accounts

  /// The entries on whose accounts a call goes that takes room or gives some back.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - makesFolder: whether the call makes or removes a folder there.
  ///   - call: the kernel's name of the call.
  package func accounts(
    ofPath path: String, makesFolder: Bool, call: String, _ facts: inout some ChaosFacts
  ) -> [Int] {
    let traits = SystemCallTraits.of(call)
    return entries.indices.filter { entry in
      guard spaces[entry]?.limit != nil, progress[entry].isApplied,
        let globs = targets[entry].globs, globs.cover(path),
        !(makesFolder && globs.areMounted(at: path))
      else { return false }
      return conditions[entry].hold(for: &facts, traits) && isInWindow(entry, &facts)
    }
  }

  /// A call begins that may take so much.
  package mutating func reserve(_ bytes: Int64, in accounts: [Int]) {
    for entry in accounts { spaces[entry]?.reserve(bytes) }
  }

  /// Releases the reservations of a call that has ended.
  package mutating func release(_ bytes: Int64, in accounts: [Int]) {
    for entry in accounts { spaces[entry]?.release(bytes) }
  }

  /// Returns whether an account that applies has less room than this.
  ///
  /// - Parameter unseen: the room that may have been taken since the last measurement.
  package func isShort(of bytes: Int64, unseen: Int64 = 0) -> Bool {
    let need = bytes.addingReportingOverflow(unseen)
    return entries.indices.contains { entry in
      guard progress[entry].isApplied, let space = spaces[entry], space.limit != nil else {
        return false
      }
      return need.overflow || need.partialValue > space.room
    }
  }

  /// Returns the quotas that a selection names and that apply, with their globs: existing files
  /// already count.
  package func quotas(_ selection: ChaosSelection) -> [(entry: Int, globs: DiskGlobs)] {
    entries.indices.compactMap { entry in
      guard case .quota? = entries[entry].diskFault, progress[entry].isApplied,
        selection.contains(entries[entry].name), let globs = targets[entry].globs
      else { return nil }
      return (entry, globs)
    }
  }

  /// Files have grown by so much, or shrunk.
  package mutating func charge(_ bytes: Int64, in accounts: [Int]) {
    for entry in accounts { spaces[entry]?.charge(bytes) }
  }
}

extension PlannedChaos {
  /// True if what is taken and given back must be known.
  package var keepsSpaceAccount: Bool {
    switch diskFault {
    case .free, .quota: true
    case .full, .readOnly, nil: false
    }
  }

  /// Returns the reasons why a disk has refused nothing.
  func explanation(_ counts: FaultRuleSet.Counts, _ account: SpaceAccount?) -> [String]? {
    guard case .disk(let disk, _) = target else { return nil }
    let files = disk.files.map { "\"\($0.text)\"" }.joined(separator: ", ")
    guard counts.seen > 0 else { return ["no call used space on a disk"] }
    guard counts.matched > 0 else { return nil }
    guard let account, let limit = account.limit else { return nil }
    let calls = counts.matched == 1 ? "1 call" : "\(counts.matched) calls"
    return ["\(calls) used at most \(account.highest) of \(limit) bytes on \(files)"]
  }
}

extension ChaosAction.Deed {
  /// The part of what a call needs that it still gets of a disk, for ordering, the strictest answer
  /// first.
  fileprivate var mildness: Int64 {
    switch self {
    case .disk(.fail), .disk(.readOnly): -1
    case .disk(.cut(let length)): length
    case .disk(.room(let bytes)): bytes
    default: -2
    }
  }
}
