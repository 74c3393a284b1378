/// A day named by its distance from the current one, in UTC.
package enum RelativeDay: String, Sendable, Hashable, Codable, CaseIterable {
  /// The day before.
  case yesterday
  /// This day.
  case today
  /// The day behind.
  case tomorrow
  /// The first Monday to come.
  case monday
  /// The first Tuesday to come.
  case tuesday
  /// The first Wednesday to come.
  case wednesday
  /// The first Thursday to come.
  case thursday
  /// The first Friday to come.
  case friday
  /// The first Saturday to come.
  case saturday
  /// The first Sunday to come.
  case sunday

  /// The day's place in the week: 0 is Monday; `nil` for days that are not days of the week.
  private var dayOfWeek: Int64? {
    switch self {
    case .yesterday, .today, .tomorrow: nil
    case .monday: 0
    case .tuesday: 1
    case .wednesday: 2
    case .thursday: 3
    case .friday: 4
    case .saturday: 5
    case .sunday: 6
    }
  }

  /// The instant at a time of that day.
  ///
  /// A day of the week is the first one on which that time is still to come: on a Monday at 10:00,
  /// `monday 11:00` is in an hour and `monday 09:00` in a week less an hour.
  ///
  /// - Parameters:
  ///   - time: the time since midnight.
  ///   - now: the current instant.
  package func instant(at time: Nanoseconds, from now: WallInstant) -> WallInstant {
    let today = now.seconds.floorDivided(by: 86_400)
    var day = today
    switch self {
    case .yesterday: day -= 1
    case .today: break
    case .tomorrow: day += 1
    default:
      // 1970-01-01 was a Thursday.
      let current = (today + 3) - (today + 3).floorDivided(by: 7) * 7
      let distance = (dayOfWeek ?? current) - current
      day += distance < 0 ? distance + 7 : distance
      if WallInstant(seconds: day * 86_400) + time <= now { day += 7 }
    }
    return WallInstant(seconds: day * 86_400) + time
  }
}

extension Int64 {
  /// The quotient, rounded down; the divisor is positive.
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
