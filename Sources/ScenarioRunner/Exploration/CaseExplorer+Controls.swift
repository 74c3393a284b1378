internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools

/// Runs without faults behind the first two: what these have in common by chance is no measure of faults.
extension CaseExplorer {
  /// What runs without a fault have shown.
  struct Control {
    /// True if they differ in more than was known.
    var isNews = false
    /// True if one of them shows what the fault was blamed for.
    var showsSame = false
  }

  /// Makes runs as that of a finding, without its fault, until one says anything; `nil` if there is no time.
  ///
  /// What differs from the first run without faults is compared no more.
  func control(of finding: ExploredFinding, _ scene: inout Scene, _ limit: Int) -> Control? {
    var control = Control()
    let trial = finding.result.trial
    guard
      let entry = exploration.entry(for: trial, isOfThread: scene.isShared(trial.point))
    else { return control }
    for _ in 0..<limit where !control.isNews && !control.showsSame {
      guard let seen = observeControl(entry, scene) else { return nil }
      control.isNews = learn(from: seen, &scene)
      control.showsSame =
        scene.judge.judgeControl(seen, point: trial.point).verdict
        == finding.result.judgement.verdict
    }
    return control
  }

  /// Returns the failure of an exploration whose steps behind the run fail without a fault as well.
  func failureOfChecks(_ scene: Scene) -> Failure? {
    guard !exploration.then.isEmpty, let survey = exploration.surveys.first,
      let seen = observeControl(survey, scene), let failure = seen.checkFailure
    else { return nil }
    isUndecided = true
    return Failure(
      category: .error, type: "explore.baseline",
      message: "the steps of `explore` fail without a fault as well, so they say nothing of faults",
      range: exploration.range, details: [failure],
      help: "change what they expect, or what the scenario leaves to them")
  }

  private func observeControl(_ entry: PlannedChaos, _ scene: Scene) -> RunObservation? {
    var entry = entry
    entry.provider = .original
    runs += 1
    return Self.observe(entry, exploration, scene, at: 1, runsEnd)
  }

  /// Compares a run without faults with the first; true if it differs in more than was known.
  private func learn(from seen: RunObservation, _ scene: inout Scene) -> Bool {
    guard seen.undecided == nil else { return false }
    let known = Set(scene.unstable.summary)
    let parts = UnstableParts(between: scene.baseline.observation, and: seen)
    // A file of which each run changes another line would be news as often as it has lines.
    let isOften = confirmation.surprises >= Self.surpriseLimit
    guard scene.unstable.formUnion(parts, ofWholes: isOften) else { return false }
    confirmation.surprises += 1
    unstable = scene.unstable
    report(notCompared: scene.unstable.summary.filter { !known.contains($0) })
    doubt()
    return true
  }

  /// The number of surprises from which on a file or a stream with another one is not compared at all.
  private static let surpriseLimit = 2

  /// Takes back what was found by comparing: it was compared in too much.
  private func doubt() {
    func isCompared(_ finding: ExploredFinding) -> Bool {
      [.silentDifference, .leak].contains(finding.result.judgement.verdict)
    }
    for described in confirmation.described where isCompared(described.finding) {
      confirmation.judgedAgain.remove(described.finding.result.trial.number)
      guard let path = described.path else { continue }
      confirmation.withdrawn[path] = described.finding.key
      release(path)
    }
    confirmation.described.removeAll { isCompared($0.finding) }
    for finding in ExploredFinding.distinct(in: results) where isCompared(finding) {
      confirmation.doubtful.insert(finding.key)
    }
  }

  /// Replaces the result of a finding's trial: its fault decides nothing.
  func drop(_ finding: ExploredFinding, because reason: String) {
    let trial = finding.result.trial
    let result = ExplorationResult(
      trial: trial, judgement: FaultJudgement(.undecided, [reason]), engine: "rerun")
    confirmation.doubtful.insert(finding.key)
    confirmation.dropped.append(
      "\(trial.name): \(finding.result.judgement.verdict.rawValue) at first, but \(reason)")
    ledger.replace(by: result)
    emit(.faultTried(FaultTrial(result)))
  }

  /// Removes scenarios that were written for findings which have been dropped since.
  func removeWithdrawn() {
    let kept = Set(confirmation.described.compactMap(\.path))
    let open = Set(ExploredFinding.distinct(in: results).map(\.key))
    for (path, key) in confirmation.withdrawn where !kept.contains(path) && !open.contains(key) {
      unlink(path)
    }
  }
}
