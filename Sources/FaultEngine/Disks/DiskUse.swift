internal import ScenarioModel
package import ScenarioPlan

/// What a call wants of a disk.
package struct DiskUse: Sendable, Hashable {
  /// The absolute paths of what the call changes, without symbolic links; of the folder or file whose disk it
  /// asks about.
  package var paths: [String]
  /// The bytes of the file that it writes.
  package var range: Range<Int64> = 0..<0
  /// Those runs of them that have no room on the disk yet, in order.
  package var holes: [Range<Int64>] = []
  /// True if a part of them is enough for the call to go well.
  package var canBeCut = false
  /// Room that it needs for an entry of a folder.
  package var entry: Int64 = 0
  /// True if that entry is a folder.
  package var makesFolder = false
  /// What gets another name by it.
  package var move: DiskMove?
  /// True if the call asks how much room there is (statfs(2)).
  package var isQuestion = false
  /// True if a disk that cannot be changed refuses it.
  package var isRefusedReadOnly = false
  /// True if it changes anything.
  package var isChange = false

  /// Creates a use.
  package init(paths: [String]) {
    self.paths = paths
  }

  /// How much room it needs.
  package var need: Int64 {
    holes.reduce(entry) { sum, hole in
      let (total, overflow) = sum.addingReportingOverflow(hole.upperBound - hole.lowerBound)
      return overflow ? Int64.max : total
    }
  }
}

/// A file or a folder that gets another name, which may stand on another disk.
package struct DiskMove: Sendable, Hashable {
  /// The absolute path of its name.
  package var from: String
  /// That of the new one.
  package var to: String
  /// True if what stands there gets the other's name (RENAME_EXCHANGE of renameat2(2)).
  package var exchanges: Bool

  /// Creates a move.
  package init(from: String, to: String, exchanges: Bool = false) {
    self.from = from
    self.to = to
    self.exchanges = exchanges
  }

  /// How much more room a disk needs for it.
  ///
  /// - Parameters:
  ///   - globs: what stands on the disk.
  ///   - rooms: how much what moves takes, and what stands where it goes; asked where it crosses the disk's edge.
  func need(on globs: DiskGlobs, spaces: () -> DiskMoveSpace) -> Int64 {
    let enters = globs.cover(to)
    guard enters != globs.cover(from), enters || exchanges else { return 0 }
    let spaces = spaces()
    // What is replaced keeps its room until the move is done.
    guard exchanges else { return max(0, spaces.moved) }
    return max(0, enters ? spaces.moved - spaces.met : spaces.met - spaces.moved)
  }
}

/// How much room the two ends of a move take, folders with all that stands in them.
package struct DiskMoveSpace: Sendable, Hashable {
  /// What moves.
  package var moved: Int64
  /// What stands at its new name.
  package var met: Int64

  /// Creates rooms.
  package init(moved: Int64 = 0, met: Int64 = 0) {
    self.moved = moved
    self.met = met
  }
}

/// What a call gets of a disk that has not what it wants.
package enum DiskAnswer: Sendable, Hashable {
  /// It is not made, and fails.
  case fail(ErrorNumber)
  /// It is made for so many bytes.
  case cut(Int64)
  /// It is told that there is so much room.
  case room(Int64)
  /// It is told that nothing can be changed.
  case readOnly
}

extension DiskFault {
  /// The account of a disk that has just been set up; `nil` for one without a limit.
  var account: SpaceAccount? {
    switch self {
    case .full: SpaceAccount(limit: nil)
    case .free(let bytes), .quota(let bytes): SpaceAccount(limit: bytes)
    case .readOnly: nil
    }
  }

  /// ENOSPC, EDQUOT or EROFS of errno(3).
  var error: ErrorNumber {
    switch self {
    case .full, .free: ErrorNumber(name: "ENOSPC", code: 28)
    case .quota: ErrorNumber(name: "EDQUOT", code: 122)
    case .readOnly: ErrorNumber(name: "EROFS", code: 30)
    }
  }

  /// Returns whether a call wants what such a disk may not have.
  func concerns(_ use: DiskUse) -> Bool {
    switch self {
    case .full, .free, .quota: use.need > 0 || use.isQuestion
    case .readOnly: use.isRefusedReadOnly || use.isQuestion
    }
  }

  /// What a call gets; `nil` if what it wants.
  func answer(_ use: DiskUse, _ account: SpaceAccount?) -> DiskAnswer? {
    guard let account else {
      return use.isQuestion ? .readOnly : use.isRefusedReadOnly ? .fail(error) : nil
    }
    if use.isQuestion { return .room(account.rest) }
    guard use.need > account.room else { return nil }
    guard use.canBeCut else { return .fail(error) }
    let length = account.end(of: use.range, holes: use.holes) - use.range.lowerBound
    return length > 0 ? .cut(length) : .fail(error)
  }
}
