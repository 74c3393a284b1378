internal import ScenarioModel
package import ScenarioPlan

/// The use that a call makes of a disk.
package struct DiskUse: Sendable, Hashable {
  /// The absolute paths of what the call changes, without symbolic links; of the folder or file whose disk it
  /// asks about.
  package var paths: [String]
  /// The bytes of the file that it writes.
  package var range: Range<Int64> = 0..<0
  /// The runs of them that have no room on the disk yet, in order.
  package var holes: [Range<Int64>] = []
  /// True if a part of them is enough for the call to go well.
  package var canBeCut = false
  /// Room that it needs for an entry of a folder.
  package var entry: Int64 = 0
  /// True if that entry is a folder.
  package var makesFolder = false
  /// The file that gets another name by it.
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

  /// The room that it needs, in bytes.
  package var need: Int64 {
    holes.reduce(entry) { sum, hole in
      let (total, overflow) = sum.addingReportingOverflow(hole.upperBound - hole.lowerBound)
      return overflow ? Int64.max : total
    }
  }
}

/// A file or a folder that gets another name, which may be on another disk.
package struct DiskMove: Sendable, Hashable {
  /// The absolute path of its name.
  package var from: String
  /// The new path.
  package var to: String
  /// True if the file there gets the other's name (RENAME_EXCHANGE of renameat2(2)).
  package var exchanges: Bool

  /// Creates a move.
  package init(from: String, to: String, exchanges: Bool = false) {
    self.from = from
    self.to = to
    self.exchanges = exchanges
  }

  /// Returns the additional room that a disk needs for it.
  ///
  /// - Parameters:
  ///   - globs: the patterns of the disk's files.
  ///   - spaces: returns the room of what moves, and of what is at its new name; called where the
  ///     move crosses the disk's edge.
  func need(on globs: DiskGlobs, spaces: () -> DiskMoveSpace) -> Int64 {
    let enters = globs.cover(to)
    guard enters != globs.cover(from), enters || exchanges else { return 0 }
    let spaces = spaces()
    // What is replaced keeps its room until the move is done.
    guard exchanges else { return max(0, spaces.moved) }
    return max(0, enters ? spaces.moved - spaces.met : spaces.met - spaces.moved)
  }
}

/// The room of the two ends of a move, folders with all that is in them.
package struct DiskMoveSpace: Sendable, Hashable {
  /// The room of what moves.
  package var moved: Int64
  /// The room of what is at its new name.
  package var met: Int64

  /// Creates rooms.
  package init(moved: Int64 = 0, met: Int64 = 0) {
    self.moved = moved
    self.met = met
  }
}

/// The answer of a disk that has less than a call needs.
package enum DiskAnswer: Sendable, Hashable {
  /// The call is skipped, and fails.
  case fail(ErrorNumber)
  /// The call is made for so many bytes.
  case cut(Int64)
  /// The call reports so much free room.
  case room(Int64)
  /// The call reports that the disk is read-only.
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

  /// Returns the answer to a call; `nil` if it gets what it needs.
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
