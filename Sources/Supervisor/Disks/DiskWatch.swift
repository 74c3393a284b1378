internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// The state of a scenario's disks beyond what each call shows: the room that files take, and the
/// changes that were not made durable.
final class DiskWatch {
  /// The needs for which calls are followed that no entry is about.
  let needs: DiskCall.Needs
  /// The changes that were not made durable; `nil` where no entry takes them back.
  let unsynced: WritebackJournal?
  /// The room that files take.
  var spaces = DiskUsage()

  /// The calls that entries about disks decide about, by number.
  private let decided: [Int: DiskCall]
  /// The calls that are followed, by number.
  private let followed: [Int: DiskCall]

  /// Prepares to watch; `nil` if no entry is about a disk.
  init?(_ entries: [PlannedChaos], directory: String?, fileLimit: Int) {
    let crashes = entries.flatMap(\.crashes)
    guard !crashes.isEmpty || entries.contains(where: { $0.target.kind == .disk }) else {
      return nil
    }
    var needs = DiskCall.Needs()
    needs.room = entries.contains(where: \.keepsSpaceAccount)
    needs.unsynced = !crashes.isEmpty
    needs.names = crashes.contains { $0.names == .lost }
    self.needs = needs
    unsynced =
      crashes.isEmpty
      ? nil
      : WritebackJournal(
        globs: DiskGlobs(
          crashes.flatMap(\.files), directory: directory.map { Self.canonical($0) }),
        losses: Set(crashes.map(\.names)), fileLimit: fileLimit)
    let names = Set(entries.filter { $0.target.kind == .disk }.flatMap { $0.calls.map(\.name) })
    decided = DiskCall.calls.filter {
      names.contains(SystemCallTable.current.name(of: $0.key))
    }
    followed = DiskCall.calls.filter { $0.value.matters(to: needs) }
  }

  /// Returns a folder's path without symbolic links, as the kernel gives those of open files
  /// (realpath(3)).
  static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the kind of a call that entries or accounts want to see; `nil` if neither wants to.
  func call(_ number: Int) -> DiskCall? { decided[number] ?? followed[number] }

  /// Returns whether a call is followed up to its exit.
  func follows(_ number: Int) -> Bool { followed[number] != nil }

  /// Returns the rules of the calls that must be seen, by number.
  func filterRules(_ entries: [PlannedChaos]) -> [Int: FilterRule] {
    let refusesOpening = entries.contains { $0.target.kind == .disk && $0.opensMatter }
    var flags = OpenFlags.truncate
    if refusesOpening { flags |= UInt64(O_ACCMODE) | OpenFlags.create | OpenFlags.nameless }
    if needs.names { flags |= OpenFlags.create }
    if needs.room { flags |= OpenFlags.nameless }
    return decided.merging(followed) { old, _ in old }.mapValues { $0.filterRule(openFlags: flags) }
  }
}

extension PlannedChaos {
  /// True if the entry decides about opening files.
  fileprivate var opensMatter: Bool { calls.contains { $0.name == "openat" } }
}

/// A call that is followed up to its exit.
struct DiskPassage {
  /// The operation.
  var touch: DiskOperation
  /// The entries on whose accounts it goes.
  var accounts: [Int] = []
  /// The accounts of what it moves to, or replaces.
  var targetAccounts: [Int] = []
  /// The bytes that it has reserved, and the accounts that have them.
  var reserved: Int64 = 0
  var reservedIn: [Int] = []
  /// True if what is not durable of the file is followed.
  var isShadowed = false
  /// The sync that becomes durable if the call succeeds.
  var sync: WritebackJournal.Sync?
}
