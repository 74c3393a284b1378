internal import Glibc

/// The room that files take, where accounts of disks are kept.
struct DiskUsage {
  /// A file whose room changes without a call that is seen.
  struct Unseen {
    var file: FileHandle
    /// The entries on whose accounts it goes.
    var accounts: [Int]
    /// The room that it can take unseen: what a mapping may fill of its holes.
    var slack: Int64 = 0
  }

  /// The room of files at their last reading, in bytes.
  private var spaces: [FileIdentity: Int64] = [:]
  /// Files that have no name any more, and are open.
  private(set) var orphans: [FileIdentity: Unseen] = [:]
  /// Files that are mapped, so that they may grow.
  private(set) var mapped: [FileIdentity: Unseen] = [:]
  /// The room that all of these can take.
  private(set) var slack: Int64 = 0
  /// The number of names of a file on the disk of an entry, as far as it is known.
  private var names: [FileIdentity: [Int: Int]] = [:]
  /// The number of files above from which on they are searched for those that no process holds any
  /// more.
  private var crowd = Self.smallCrowd

  private static let smallCrowd = 64

  // MARK: - Sizes

  /// Records the room of a file at the entry of a call.
  mutating func record(_ file: FileHandle, _ identity: FileIdentity) {
    if spaces[identity] == nil { spaces[identity] = file.takenRoom }
  }

  /// Records the room of a file, as just measured.
  mutating func set(_ room: Int64, of identity: FileIdentity) { spaces[identity] = room }

  /// Returns the growth of a file since the last call of this.
  mutating func growth(of file: FileHandle, _ identity: FileIdentity) -> Int64 {
    let now = file.takenRoom
    let before = spaces.updateValue(now, forKey: identity) ?? now
    if let known = mapped[identity] {
      let slack = file.freeHoles(now)
      self.slack += slack - known.slack
      mapped[identity]?.slack = slack
    }
    return now - before
  }

  /// A file is gone, and gives back what it took.
  mutating func take(_ file: FileHandle, _ identity: FileIdentity) -> Int64 {
    forgetMapping(identity)
    names[identity] = nil
    return spaces.removeValue(forKey: identity) ?? file.takenRoom
  }

  /// Forgets the counts of these entries: what is taken counts from now on.
  mutating func forget(_ entries: Set<Int>) {
    spaces = [:]
    orphans = Self.without(entries, orphans)
    mapped = Self.without(entries, mapped)
    slack = mapped.values.reduce(0) { $0 + $1.slack }
    for (identity, counts) in names {
      let rest = counts.filter { !entries.contains($0.key) }
      names[identity] = rest.isEmpty ? nil : rest
    }
  }

  private static func without(
    _ entries: Set<Int>, _ files: [FileIdentity: Unseen]
  ) -> [FileIdentity: Unseen] {
    files.compactMapValues { known in
      var rest = known
      rest.accounts.removeAll(where: entries.contains)
      return rest.accounts.isEmpty ? nil : rest
    }
  }

  // MARK: - Files that change unseen

  /// True if room may be taken or given back by no call that is seen.
  var hasUnseen: Bool { !orphans.isEmpty || !mapped.isEmpty }

  /// True if so many files are followed that some may have been released.
  var isCrowded: Bool { orphans.count + mapped.count >= crowd }

  /// Ends a sweep: twice as many files as are left are a crowd again.
  mutating func endSweep() { crowd = max(Self.smallCrowd, 2 * (orphans.count + mapped.count)) }

  mutating func addOrphan(_ file: FileHandle, _ identity: FileIdentity, accounts: [Int]) {
    orphans[identity] = Unseen(file: file, accounts: accounts)
  }

  mutating func removeOrphan(_ identity: FileIdentity) { orphans[identity] = nil }

  mutating func addMapping(_ file: FileHandle, _ identity: FileIdentity, accounts: [Int]) {
    let known = mapped[identity]
    let slack = file.freeHoles(spaces[identity] ?? file.takenRoom)
    self.slack += slack - (known?.slack ?? 0)
    let all = Set(accounts).union(known?.accounts ?? [])
    mapped[identity] = Unseen(
      file: known?.file ?? file, accounts: all.sorted(), slack: slack)
  }

  mutating func forgetMapping(_ identity: FileIdentity) {
    if let known = mapped.removeValue(forKey: identity) { slack -= known.slack }
  }

  /// Moves a file's usage to other accounts.
  mutating func moveUnseen(_ identity: FileIdentity, out left: [Int], into entered: [Int]) {
    for path in [\DiskUsage.orphans, \DiskUsage.mapped] {
      guard var known = self[keyPath: path][identity] else { continue }
      known.accounts.removeAll(where: left.contains)
      known.accounts += entered
      if path == \DiskUsage.mapped { mapped[identity] = known } else { orphans[identity] = known }
    }
  }

  // MARK: - Names

  /// A file of which so many names were met on the disk of an entry.
  mutating func setNames(_ count: Int, of identity: FileIdentity, on entry: Int) {
    names[identity, default: [:]][entry] = count
  }

  /// A file that gets another name elsewhere has one on the disk of an entry.
  mutating func recordName(of identity: FileIdentity, on entry: Int) {
    if names[identity]?[entry] == nil { names[identity, default: [:]][entry] = 1 }
  }

  /// A file gets another name on the disk of an entry; whether it had none there.
  ///
  /// - Parameter others: how many it has there where that is not known yet.
  mutating func addName(of identity: FileIdentity, on entry: Int, others: Int) -> Bool {
    let count = names[identity]?[entry] ?? others
    names[identity, default: [:]][entry] = count + 1
    return count == 0
  }

  /// A file that has others loses a name on the disk of an entry; whether that was its last one there.
  mutating func removeName(of identity: FileIdentity, on entry: Int) -> Bool {
    // Of files that had several names before anybody counted, those elsewhere are not known.
    guard let count = names[identity]?[entry], count > 0 else { return false }
    names[identity]?[entry] = count - 1
    return count == 1
  }
}

extension FileHandle {
  /// Returns the room that a mapping can add to a file: its holes.
  fileprivate func freeHoles(_ room: Int64) -> Int64 {
    max(0, Int64(status?.st_size ?? 0) - room)
  }
}
