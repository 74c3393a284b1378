package import ScenarioPlan

/// The results of earlier explorations that hold for the points of a new one.
///
/// Points come in another order where processes race: a point is recognized by its call, its
/// program, its place in the code and its subject, and by its number among those that are alike in
/// all this.
package struct KnownResults: Sendable {
  /// The results that still hold, for the trials of the new exploration.
  package private(set) var results: [ExplorationResult] = []
  /// The trials without a verdict, of the new exploration, whose runs were cut off.
  package private(set) var cutOff: [CutOffTrial] = []
  /// The number of results whose points have not come again.
  package private(set) var lost = 0

  /// Finds the results that still hold.
  ///
  /// - Parameters:
  ///   - results: the earlier results.
  ///   - cutOff: the earlier trials whose runs were cut off.
  ///   - old: all points of the run that they are from.
  ///   - trials: the trials that are to be run now.
  ///   - points: all points of the run that these are of.
  package init(
    _ results: [ExplorationResult], cutOff: [CutOffTrial] = [], of old: [FaultPoint],
    for trials: [ExplorationTrial],
    of points: [FaultPoint]
  ) {
    let oldKeys = Self.keys(of: old)
    let keys = Self.keys(of: points)
    var now: [Known: ExplorationTrial] = [:]
    for trial in trials {
      guard let key = keys[trial.point] else { continue }
      now[Known(key: key, fault: trial.fault)] = trial
    }
    for var result in results where result.judgement.verdict.isLasting {
      guard let key = oldKeys[result.trial.point],
        let trial = now.removeValue(forKey: Known(key: key, fault: result.trial.fault))
      else {
        lost += 1
        continue
      }
      result.trial = trial
      self.results.append(result)
    }
    for var interrupted in cutOff {
      guard let key = oldKeys[interrupted.trial.point],
        let trial = now.removeValue(forKey: Known(key: key, fault: interrupted.trial.fault))
      else { continue }
      interrupted.trial = trial
      self.cutOff.append(interrupted)
    }
  }

  private struct Known: Hashable {
    var key: Key
    var fault: ExploredFault
  }

  private struct Key: Hashable {
    var entry: Int
    var call: String
    var subject: String?
    var program: String
    var site: String?
    var rank = 0
  }

  private static func keys(of points: [FaultPoint]) -> [FaultPoint: Key] {
    var counts: [Key: Int] = [:]
    var keys: [FaultPoint: Key] = [:]
    for point in points {
      var key = Key(
        entry: point.entry, call: point.call, subject: point.lastingSubject, program: point.program,
        site: point.site)
      let rank = counts[key, default: 0]
      counts[key] = rank + 1
      key.rank = rank
      keys[point] = key
    }
    return keys
  }
}
