internal import Foundations
internal import ScenarioModel
internal import ScenarioPlan

extension ChaosSchedule {
  /// True if the entry applies to processes that live at some instant, and not to those that begin
  /// later.
  var isInstant: Bool { isMoment || during != nil }

  /// The instant of an entry that applies once, to all processes that live then; `nil` for any
  /// other.
  var loneMoment: InstantExpression? {
    var moment = ChaosSchedule()
    moment.from = from
    return self == moment ? from : nil
  }

  /// Returns whether nothing is left of what `other` would take, where both count the same calls and this one is asked
  /// first.
  ///
  /// A call that the first takes does not count for the `times` of the second.
  func covers(_ other: ChaosSchedule) -> Bool {
    guard probability == nil || probability == 1 else { return false }
    guard hasSameWindow(as: other) else {
      return !hasWindow && after == 0 && (every ?? 1) == 1 && places.isEmpty && times == nil
    }
    if !other.places.isEmpty {
      return other.places.allSatisfy { takes($0.addingReportingOverflow(other.after).partialValue) }
    }
    guard places.isEmpty, times == nil else { return false }
    let step = max(1, every ?? 1)
    let otherStep = max(1, other.every ?? 1)
    let (first, overflows) = other.after.addingReportingOverflow(otherStep)
    return !overflows && first > after && otherStep.isMultiple(of: step)
      && (other.after - after).isMultiple(of: step)
  }

  /// Returns whether the call is taken with a number among those that match, if none before was taken by others.
  private func takes(_ matched: Int) -> Bool {
    let place = matched - after
    guard place > 0 else { return false }
    let rank: Int
    if places.isEmpty {
      let step = max(1, every ?? 1)
      guard place.isMultiple(of: step) else { return false }
      rank = place / step
    } else {
      guard let index = places.firstIndex(of: place) else { return false }
      rank = index + 1
    }
    return times.map { rank <= $0 } ?? true
  }

  private func hasSameWindow(as other: ChaosSchedule) -> Bool {
    from == other.from && until == other.until && during == other.during && event == other.event
  }
}

extension InstantExpression {
  /// Returns whether it comes before another instant, or with it; `nil` where that is unknown.
  func isBefore(_ other: InstantExpression) -> Bool? {
    switch (self, other) {
    case (.shift(let first), .shift(let last)): first <= last
    case (.absolute(let first), .absolute(let last)): first <= last
    default: nil
    }
  }
}
