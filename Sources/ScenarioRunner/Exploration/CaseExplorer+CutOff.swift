internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools

extension CaseExplorer {
  /// The number of cut-off trials that are named.
  private static let shownCutOff = 5

  /// Reports the trials that the end of the budget has cut off, and an exploration that has judged none: the next one
  /// would come no further, so that this is no success.
  func reportCutOff(_ trials: [ExplorationTrial], _ scene: Scene) {
    guard !cancellation.isCancelled, !trials.isEmpty else { return }
    let isWhole = results.count >= trials.count
    if let limit = exploration.timeLimit, !isWhole, ledger.judgedCount == 0 {
      isUndecided = true
      return emit(.failed(unjudged(in: limit, scene)))
    }
    if isWhole, !results.contains(where: \.judgement.verdict.isLasting) {
      isUndecided = true
      return emit(.failed(unjudged()))
    }
    guard let first = ledger.cutOff.first else { return }
    let more = ledger.cutOff.count > 1 ? "; so were \(ledger.cutOff.count - 1) more" : ""
    emit(
      .warning(
        "not judged, will be tried first next time: \(first.text)\(more)", range: exploration.range)
    )
  }

  /// Returns the failure of an exploration whose budget was over before any trial was.
  private func unjudged(in limit: Nanoseconds, _ scene: Scene) -> Failure {
    var details = ledger.cutOff.prefix(Self.shownCutOff).map(\.text)
    if ledger.cutOff.count > Self.shownCutOff {
      details.append("and \(ledger.cutOff.count - Self.shownCutOff) more")
    }
    return Failure(
      category: .error, type: "explore.budget",
      message: "the budget of \(limit) was used up before a fault could be judged",
      range: exploration.range, details: details,
      help: ledger.cutOff.isEmpty
        ? "raise the budget, or reduce the injection points: name calls in `call`, or files in `where`"
        : "raise the budget: detecting a hang takes up to \(wholeSeconds(scene.longestTrial))"
    )
  }

  /// Returns the failure of an exploration in which no fault hit the intended call.
  private func unjudged() -> Failure {
    let counts = Dictionary(grouping: results, by: \.judgement.verdict.rawValue).mapValues(\.count)
    return Failure(
      category: .error, type: "explore.unjudged",
      message: "none of the \(results.count) faults could be judged", range: exploration.range,
      details: counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" },
      help: "make the target's calls deterministic: give the scenario a `clock`, fixed inputs,"
        + " and `order: seeded` where threads race")
  }

  private func wholeSeconds(_ length: Nanoseconds) -> Nanoseconds {
    .seconds(length.count / 1_000_000_000 + 1)
  }
}
