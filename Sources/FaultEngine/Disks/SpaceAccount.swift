/// The room that a disk has left.
///
/// It is measured after each call, so that it does not matter which thread writes what at the same
/// time. Calls under way have reserved what they may take: of two that fit one by one, only one
/// gets the room.
package struct SpaceAccount: Sendable, Hashable {
  /// The room at the beginning, in bytes; `nil` for a disk that has none, also not what is freed.
  package let limit: Int64?
  /// The room that has been taken since; negative where more was freed.
  package private(set) var used: Int64 = 0
  /// The room that calls under way may take.
  package private(set) var reserved: Int64 = 0
  /// The most that was taken at any time.
  package private(set) var highest: Int64 = 0

  /// Creates an account.
  package init(limit: Int64?) {
    self.limit = limit
  }

  /// The room that can be taken now.
  package var room: Int64 {
    limit.map { max(0, Self.sum($0, -Self.sum(used, reserved))) } ?? 0
  }

  /// The room that could be taken if every call under way took nothing.
  package var rest: Int64 {
    limit.map { max(0, Self.sum($0, -used)) } ?? 0
  }

  /// A call begins that may take so much.
  package mutating func reserve(_ bytes: Int64) {
    reserved = Self.sum(reserved, max(0, bytes))
  }

  /// Releases the reservation of a call that has ended.
  package mutating func release(_ bytes: Int64) {
    reserved = max(0, Self.sum(reserved, -max(0, bytes)))
  }

  /// Files have grown by so much, or shrunk.
  package mutating func charge(_ bytes: Int64) {
    used = Self.sum(used, bytes)
    highest = max(highest, used)
  }

  /// A sum that stops at the ends of the numbers, of which the lower one can be turned over as well.
  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right > 0 ? Int64.max : -Int64.max) : max(sum, -Int64.max)
  }

  /// Returns the end of the part of a write that fits, where it needs room for `holes`, in order
  /// within `range`: the offset behind the last byte that fits.
  package func end(of range: Range<Int64>, holes: [Range<Int64>]) -> Int64 {
    var rest = room
    for hole in holes {
      let length = hole.upperBound - hole.lowerBound
      guard length <= rest else { return hole.lowerBound + rest }
      rest -= length
    }
    return range.upperBound
  }
}
