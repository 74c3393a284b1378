internal import ScenarioModel
internal import ScenarioPlan

extension UnfiredRule {
  /// The counts of calls, connections or processes that an entry matched, of which it changed none.
  struct Shortfall: Sendable, Hashable {
    /// The number that matched.
    var matched: Int
    /// The number of them outside of the time for which the entry applies.
    var outside: Int
    /// The number of them that its schedule took.
    var taken: Int
    /// The number of these that its provider left as they are.
    var left: Int
    /// The number that the provider had no effect on.
    var withoutEffect = 0
    /// The number of calls that had not returned at the end.
    var awaited = 0
    /// The number that were due, and about which an earlier entry had decided.
    var preempted: Int
    /// The first such entry, where it is known.
    var preemptor: String?
    /// The number that the entry's disk would have refused, which alone count for its schedule;
    /// `nil` of an entry that is about no disk.
    var refused: Int?

    /// Returns the reasons why none of them was changed.
    ///
    /// - Parameter text: the words that say how many have matched.
    func reason(_ text: String, _ schedule: ChaosSchedule) -> [String] {
      if matched > 0, outside == matched {
        return ["\(text), but outside of the time in \"when\""]
      }
      if preempted > 0 {
        let entry = preemptor.map { ", \"\($0)\"," } ?? ""
        let which = preempted == 1 ? "the one that was due" : "the \(preempted) that were due"
        return ["\(text), but an earlier entry\(entry) applied to \(which)"]
      }
      if left > 0 {
        let which = left == matched ? "" : " for \(left) of them"
        return ["\(text), but the entry provided the original\(which)"]
      }
      if awaited > 0 {
        let which = awaited == 1 ? "the call with the fault" : "\(awaited) calls with the fault"
        return [
          "\(text), but \(which) did not return; until then none of the others takes its place"
        ]
      }
      if withoutEffect > 0 {
        let which = withoutEffect == matched ? "" : " on \(withoutEffect) of them"
        return [
          "\(text), but the fault had no effect\(which): no result, argument or byte was changed, and nothing cut off"
        ]
      }
      guard let place = place(in: schedule) else {
        return ["\(text), but an earlier entry applied to each"]
      }
      guard let refused else { return ["\(text), \(place)"] }
      let calls = refused == 1 ? "1 call" : "\(refused) calls"
      return [text, "\(calls) needed more than the disk has; only these count, \(place)"]
    }

    /// Returns the words that say which of them the schedule would have taken.
    private func place(in schedule: ChaosSchedule) -> String? {
      if (refused ?? matched - outside) <= schedule.after {
        return "but the first \(schedule.after) are skipped"
      }
      if let every = schedule.every { return "but only one in \(every) is chosen" }
      if let place = schedule.places.first { return "but only number \(place) is chosen" }
      if let probability = schedule.probability {
        return "but the probability (\(probability)) chose none of them"
      }
      return nil
    }
  }
}

/// Formats lists in messages, which show so many and give the number of the others.
package enum BoundedList {
  /// The number of items that are shown.
  package static let limit = 8

  /// Returns the items that are shown, with commas between them, and the number of the others.
  package static func text(_ words: [String]) -> String {
    let more = words.count - limit
    let shown = words.prefix(limit).joined(separator: ", ")
    return more > 0 ? "\(shown) and \(more) more" : shown
  }
}
