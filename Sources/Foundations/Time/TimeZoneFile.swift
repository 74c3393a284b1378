/// A file of the time zone database (tzfile(5), RFC 9636): when the offset from UTC changes.
package struct TimeZoneFile: Sendable {
  /// The changes that the file lists, in order, as seconds since the epoch.
  private let changes: [Int64]
  /// The rule behind the last of them; `nil` where nothing changes any more.
  private let rule: TimeZoneRule?

  /// Reads a file; `nil` if it is none.
  package init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes[...]), first.version >= UInt8(ascii: "2") else { return nil }
    // The first block counts with 32 bits; the second one says the same with 64.
    let start = Header.size + first.length(ofTimes: 4)
    guard start <= bytes.count, let header = Header(bytes[start...]) else { return nil }
    let times = start + Header.size
    let end = times + header.length(ofTimes: 8)
    let count = Int(header.timeCount)
    guard end <= bytes.count else { return nil }
    let types = times + count * 8
    let records = types + count
    func offset(_ change: Int) -> Int32? {
      let record = records + Int(bytes[types + change]) * 6
      guard record + 4 <= end else { return nil }
      return Int32(truncatingIfNeeded: Self.number(bytes[record..<record + 4]))
    }
    changes = (0..<count).compactMap { change in
      let place = times + change * 8
      // A change of the name alone changes no clock.
      let isSilent = change > 0 && offset(change) == offset(change - 1)
      return isSilent
        ? nil : Int64(bitPattern: Self.number(bytes[place..<place + 8]))
    }
    let footer = bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    rule = TimeZoneRule(String(decoding: footer, as: UTF8.self))
  }

  /// The changes within a range, its ends included.
  package func changes(from first: WallInstant, to last: WallInstant) -> [WallInstant] {
    let listed = changes.map { WallInstant(seconds: $0) }
    let end = listed.last ?? WallInstant(seconds: .min / 2)
    let later = rule?.changes(from: max(first, end + .seconds(1)), to: last) ?? []
    return listed.filter { first <= $0 && $0 <= last } + later
  }

  /// A number in the order of bytes of the network.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private struct Header {
    static let size = 44
    let version: UInt8
    let timeCount: UInt32
    private let lengths: (indicators: UInt64, leaps: UInt64, types: UInt64, characters: UInt64)

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= Self.size, bytes.starts(with: "TZif".utf8) else { return nil }
      let start = bytes.startIndex
      func field(_ index: Int) -> UInt64 {
        TimeZoneFile.number(bytes[start + 20 + index * 4..<start + 24 + index * 4])
      }
      version = bytes[start + 4]
      timeCount = UInt32(field(3))
      lengths = (field(0) + field(1), field(2), field(4), field(5))
    }

    /// Returns the number of bytes behind it, where an instant takes so many.
    func length(ofTimes size: Int) -> Int {
      Int(timeCount) * (size + 1) + Int(lengths.types) * 6 + Int(lengths.characters)
        + Int(lengths.leaps) * (size + 4) + Int(lengths.indicators)
    }
  }
}
