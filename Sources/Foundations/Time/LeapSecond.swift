/// A second that UTC has and clocks that count 86,400 seconds a day have not: they count the last one of the day twice.
///
/// Such a clock is seen beside one that goes on: International Atomic Time, less the seconds by which it is ahead of UTC
/// before the second comes.
package struct LeapSecond: Hashable, Sendable {
  /// The first second of the day behind it.
  package let nextDay: Int64

  /// The one at the end of a day.
  package init(endOf day: CivilDate) {
    nextDay = Int64(day.daysSinceEpoch + 1) * 86_400
  }

  /// Returns whether the second has begun.
  ///
  /// - Parameter atomic: the clock that goes on.
  package func hasBegun(at atomic: WallInstant) -> Bool { atomic.seconds >= nextDay }

  /// What the clock shows.
  ///
  /// - Parameter atomic: the clock that goes on.
  package func shown(at atomic: WallInstant) -> WallInstant {
    hasBegun(at: atomic) ? atomic + .seconds(-1) : atomic
  }

  /// What the clock that goes on shows when this one shows an instant.
  ///
  /// - Parameter now: the clock that goes on, as of now; of the two seconds that are shown alike the second one is meant
  ///   only while it is shown, since whoever comes back from later meets the first one.
  package func atomic(whenShown instant: WallInstant, now: WallInstant) -> WallInstant {
    let isBehind =
      instant.seconds >= nextDay || instant.seconds == nextDay - 1 && now.seconds == nextDay
    return isBehind ? instant + .seconds(1) : instant
  }
}

// MARK: - Text

extension LeapSecond: CustomStringConvertible, Codable {
  /// The form that is written, for the help of an error.
  package static let form = "write the day at whose end it is, such as 2026-12-31"

  /// Reads a day such as `2026-12-31`.
  package init(text: String) throws(ValueGrammarError) {
    let isDay =
      text.utf8.count == 10
      && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    guard isDay else { throw ValueGrammarError("\"\(text)\" is not a day", help: Self.form) }
    let instant = try InstantExpression.fixed(text: text)
    guard instant.seconds % 86_400 == 0 else {
      throw ValueGrammarError("\"\(text)\" is not a day", help: Self.form)
    }
    self.init(endOf: CivilDate(daysSinceEpoch: Int(instant.seconds / 86_400)))
  }

  /// The day as scenario files write it: `2026-12-31`.
  package var description: String {
    String(WallInstant(seconds: nextDay - 86_400).description.prefix(10))
  }

  /// Reads the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try LeapSecond(text: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Writes the text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
