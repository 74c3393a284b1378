internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// Moves the accounts of disks when names come and go.
///
/// Around a disk there is no other file system: stat(2) gives one device on both sides, and no
/// mount is listed. So a name may come from outside, and its file takes room: where there is not
/// enough, the call fails with what rename(2) and link(2) name for that, ENOSPC and EDQUOT. EXDEV,
/// as between two mounts or between the project quotas of XFS and ext4, would fail those as well
/// for which there is room.
extension DiskFollower {
  /// Returns the room that the two ends of a move take.
  static func spaces(of touch: DiskOperation) -> DiskMoveSpace {
    var spaces = DiskMoveSpace()
    if let file = touch.file { spaces.moved = room(of: file) }
    if case .move(exchanges: true) = touch.action, let met = touch.target?.file {
      spaces.met = room(of: met)
    }
    return spaces
  }

  private static func room(of file: FileHandle) -> Int64 {
    file.status?.isFolder ?? false ? TreeUsage(of: file).total : file.takenRoom
  }

  // MARK: - Moves

  func endMove(_ pendingFault: DiskPassage, exchanges: Bool) {
    let touch = pendingFault.touch
    guard let file = touch.file, !touch.isOfOneFile else { return }
    if let met = touch.target?.file {
      if exchanges {
        transfer(met, from: pendingFault.entered, to: pendingFault.left)
      } else {
        loseName(of: met, on: pendingFault.targetAccounts)
      }
    }
    transfer(file, from: pendingFault.left, to: pendingFault.entered)
  }

  /// Transfers the room of a file that moves from one disk to another.
  private func transfer(_ file: FileHandle, from left: [Int], to entered: [Int]) {
    guard !left.isEmpty || !entered.isEmpty, let status = file.status else { return }
    let identity = FileIdentity(status)
    guard !status.isFolder else {
      let tree = TreeUsage(of: file)
      // What was known of them may be old: outside nobody counted.
      for (identity, room) in tree.spaces {
        watch.spaces.set(room, of: identity)
        watch.spaces.moveUnseen(identity, out: left, into: entered)
      }
      rules.table.charge(-tree.total, in: left)
      return rules.table.charge(tree.total, in: entered)
    }
    let room = file.takenRoom
    watch.spaces.set(room, of: identity)
    guard status.st_nlink > 1 else {
      watch.spaces.moveUnseen(identity, out: left, into: entered)
      rules.table.charge(-room, in: left)
      return rules.table.charge(room, in: entered)
    }
    for entry in left where watch.spaces.removeName(of: identity, on: entry) {
      rules.table.charge(-room, in: [entry])
    }
    for entry in entered where watch.spaces.addName(of: identity, on: entry, others: 0) {
      rules.table.charge(room, in: [entry])
    }
  }

  func endLink(_ pendingFault: DiskPassage) {
    guard let file = pendingFault.touch.file, let before = pendingFault.touch.status
    else {
      return
    }
    let identity = FileIdentity(before)
    let room = file.takenRoom
    watch.spaces.set(room, of: identity)
    if before.st_nlink == 0 {
      // A file that had no name gets its first (open(2): O_TMPFILE), and keeps its room where it stood.
      let known = watch.spaces.orphans[identity]?.accounts ?? pendingFault.accounts
      watch.spaces.removeOrphan(identity)
      rules.table.charge(-room, in: known.filter { !pendingFault.targetAccounts.contains($0) })
      rules.table.charge(room, in: pendingFault.targetAccounts.filter { !known.contains($0) })
      return
    }
    for entry in pendingFault.left { watch.spaces.recordName(of: identity, on: entry) }
    for entry in pendingFault.targetAccounts {
      let others = pendingFault.accounts.contains(entry) ? 1 : 0
      if watch.spaces.addName(of: identity, on: entry, others: others) {
        rules.table.charge(room, in: [entry])
      }
    }
  }

  // MARK: - Ends

  /// Records that a name of a file is gone: with the last one its room is freed, once no process
  /// has it open any more.
  func loseName(of file: FileHandle, on accounts: [Int]) {
    guard let status = file.status else { return }
    let identity = FileIdentity(status)
    guard status.isFolder || status.st_nlink == 0 else {
      for entry in accounts where watch.spaces.removeName(of: identity, on: entry) {
        rules.table.charge(-file.takenRoom, in: [entry])
      }
      return
    }
    if status.isRegular, !heldFiles(among: [identity: file]).isEmpty {
      watch.spaces.addOrphan(file, identity, accounts: accounts)
      return sweepCrowd()
    }
    rules.table.charge(-watch.spaces.take(file, identity), in: accounts)
  }

  /// Measures what grows or goes without a call that is seen, mapped files and those without a
  /// name, where a call may get another answer by that.
  ///
  /// Runs before the entries are evaluated, whose accounts must not change meanwhile.
  func measure(before registers: Registers, of tracee: Tracee) {
    guard watch.spaces.hasUnseen, watch.call(registers.systemCall) != nil,
      let use = operation(of: tracee, registers)?.use
    else { return }
    // What a move needs depends on the disk; it is seldom.
    let isCertain = use.isQuestion || use.move != nil
    guard isCertain || use.need > 0 else { return }
    if isCertain || rules.table.isShort(of: use.need, unseen: watch.spaces.slack) {
      measureMapped()
    }
    if isCertain || rules.table.isShort(of: use.need) { sweepUnseen() }
  }

  private func measureMapped() {
    for (identity, known) in watch.spaces.mapped {
      rules.table.charge(watch.spaces.growth(of: known.file, identity), in: known.accounts)
    }
  }

  /// Releases files that are followed for their mappings or without a name, where there are many.
  func sweepCrowd() {
    guard watch.spaces.isCrowded else { return }
    measureMapped()
    sweepUnseen()
  }

  /// Releases files that no process holds any more.
  private func sweepUnseen() {
    guard watch.spaces.hasUnseen else { return }
    let held = heldFiles(
      among: watch.spaces.orphans.merging(watch.spaces.mapped) { old, _ in old }.mapValues(\.file))
    for (identity, known) in watch.spaces.orphans where !held.contains(identity) {
      watch.spaces.removeOrphan(identity)
      // linkat(2) can give a file a name that had none.
      guard known.file.status?.st_nlink == 0 else { continue }
      rules.table.charge(-watch.spaces.take(known.file, identity), in: known.accounts)
    }
    for identity in watch.spaces.mapped.keys where !held.contains(identity) {
      watch.spaces.forgetMapping(identity)
    }
    watch.spaces.endSweep()
  }

  /// Returns those of some files that a process of the target has open, or mapped.
  private func heldFiles(among files: [FileIdentity: FileHandle]) -> Set<FileIdentity> {
    var held: Set<FileIdentity> = []
    for holder in kernel.processes.values.flatMap(\.descriptorHolders) {
      let folder = "/proc/\(holder.number)/fd"
      for name in SmallFile.names(in: folder) {
        guard let identity = FileIdentity(path: "\(folder)/\(name)") else { continue }
        if files[identity] != nil { held.insert(identity) }
      }
      guard held.count < files.count else { break }
      let mapped = MappedFiles(of: holder)
      for (identity, file) in files where mapped.contains(file, identity) { held.insert(identity) }
    }
    return held
  }

  // MARK: - What lies there already

  /// Charges quotas with the files that exist when they begin to apply, as those of quotactl(2)
  /// are.
  func chargeQuotas(_ selection: ChaosSelection) {
    for (entry, globs) in rules.table.quotas(selection) {
      var tree = TreeUsage()
      for root in globs.roots {
        let top = open(root, PathFlags.pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard top >= 0 else { continue }
        tree.add(FileHandle(descriptor: top), path: root) { path, isFolder in
          globs.cover(path) && !(isFolder && globs.areMounted(at: path))
            && DiskOperation.isOnDisk(path)
        }
      }
      for (identity, room) in tree.spaces { watch.spaces.set(room, of: identity) }
      for (identity, count) in tree.names {
        watch.spaces.setNames(count, of: identity, on: entry)
      }
      rules.table.charge(tree.total, in: [entry])
      if !tree.isComplete, let process = kernel.processes.values.first {
        kernel.notice(
          "not all files on the disk of \"\(rules.table.entries[entry].name)\" can be counted",
          of: process)
      }
    }
  }
}

extension DiskPassage {
  /// The accounts that what moves leaves, and those that it comes to.
  var left: [Int] { accounts.filter { !targetAccounts.contains($0) } }
  var entered: [Int] { targetAccounts.filter { !accounts.contains($0) } }
}
