/// A point on the wall clock, written out or seen from the current virtual time.
package enum InstantExpression: Hashable, Sendable, Codable {
  /// RFC 3339, a date, `@UNIX`, `November 12, 1955 06:38`
  case absolute(WallInstant)
  /// `+14d`
  case shift(Nanoseconds)
  /// `tomorrow 09:00`: a day seen from the current one, and the time since its midnight, in UTC.
  case day(RelativeDay, at: Nanoseconds)
}
