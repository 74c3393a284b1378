/// How much room a disk has left.
///
/// What is taken is measured behind each call, so that it does not matter who writes what at the same time.
/// Calls under way have reserved what they may take: of two that fit one by one, only one gets the room.
public struct SpaceAccount: Sendable, Hashable {
  /// How much there was at the beginning; `nil` for a disk that has nothing, also not what is given back.
  public let limit: Int64?
  /// How much has been taken since; less than nothing where more was given back.
  public private(set) var used: Int64 = 0
  /// What calls under way may take.
  public private(set) var reserved: Int64 = 0
  /// The most that was taken at any time.
  public private(set) var highest: Int64 = 0

  /// Creates an account.
  public init(limit: Int64?) {
    self.limit = limit
  }

  /// How much can be taken now.
  public var room: Int64 {
    guard let limit else { return 0 }
    let taken = used.addingReportingOverflow(reserved)
    let (rest, overflow) = limit.subtractingReportingOverflow(taken.partialValue)
    return taken.overflow || overflow ? 0 : max(0, rest)
  }

  /// How much could be taken if every call under way took nothing.
  public var rest: Int64 {
    guard let limit else { return 0 }
    let (rest, overflow) = limit.subtractingReportingOverflow(used)
    return overflow ? 0 : max(0, rest)
  }

  /// A call begins that may take so much.
  public mutating func reserve(_ bytes: Int64) {
    reserved = reserved.addingReportingOverflow(max(0, bytes)).partialValue
  }

  /// It has ended.
  public mutating func release(_ bytes: Int64) {
    reserved = max(0, reserved - max(0, bytes))
  }

  /// Files have grown by so much, or shrunk.
  public mutating func charge(_ bytes: Int64) {
    used = used.addingReportingOverflow(bytes).partialValue
    highest = max(highest, used)
  }

  /// How far a write gets that needs room for `holes`, which stand in order within `range`: the place
  /// behind the last byte that fits.
  public func end(of range: Range<Int64>, holes: [Range<Int64>]) -> Int64 {
    var rest = room
    for hole in holes {
      let length = hole.upperBound - hole.lowerBound
      guard length <= rest else { return hole.lowerBound + rest }
      rest -= length
    }
    return range.upperBound
  }
}
