internal import ScenarioModel

/// The result of one trial.
package struct ExplorationResult: Sendable, Hashable, Codable {
  /// The trial.
  package var trial: ExplorationTrial
  /// The judgement.
  package var judgement: FaultJudgement
  /// The engine: `rerun` or `fork`.
  package var engine: String

  /// Creates a result.
  package init(trial: ExplorationTrial, judgement: FaultJudgement, engine: String) {
    self.trial = trial
    self.judgement = judgement
    self.engine = engine
  }
}

/// A mistake of the target, however many points show it.
package struct ExploredFinding: Sendable, Hashable, Codable {
  /// The trial that shows it: the first, one call before all behind it.
  package var result: ExplorationResult
  /// The number of trials that show it.
  package var count: Int

  /// The distinct findings among results: one for each call, place of the code, error and verdict.
  package static func distinct(in results: [ExplorationResult]) -> [ExploredFinding] {
    var findings: [ExploredFinding] = []
    var places: [Key: Int] = [:]
    for result in results.sorted(by: { $0.trial.number < $1.trial.number })
    where result.judgement.verdict.isFinding {
      let key = Key(result)
      guard let index = places[key] else {
        places[key] = findings.count
        findings.append(ExploredFinding(result: result, count: 1))
        continue
      }
      findings[index].count += 1
      if findings[index].result.trial.fault.mode == .onwards, result.trial.fault.mode == .once {
        findings[index].result = result
      }
    }
    return findings
  }

  /// The key that groups results into one mistake.
  package var key: Key { Key(result) }

  /// The call, the place of the code, the error and the verdict of a mistake.
  package struct Key: Sendable, Hashable {
    private let place: CodeSite
    private let error: String
    private let verdict: FaultVerdict

    fileprivate init(_ result: ExplorationResult) {
      place = CodeSite(result.trial.point)
      error = result.trial.fault.word
      verdict = result.judgement.verdict
    }
  }
}
