internal import Cryptography
internal import Foundations
internal import ScenarioCompiler
internal import ScenarioPlan

/// The name of a plan's content.
enum PlanDigest {
  /// SHA-256 of the plan's JSON text, in hexadecimal.
  static func of(_ plan: ExecutionPlan) throws(InternalError) -> String {
    do {
      return SecureDigest.sha256(try plan.jsonText().utf8)
    } catch {
      throw InternalError(message: "cannot write the plan as JSON: \(error)")
    }
  }

  /// SHA-256 of what a saved plan would hold: the cases, and the files that they were made from.
  static func of(_ saved: SavedPlan) throws(InternalError) -> String {
    do {
      var digest = SecureDigest()
      try saved.digestedText { digest.update($0.utf8) }
      return digest.text
    } catch {
      throw InternalError(message: "cannot write the plan as JSON: \(error)")
    }
  }

  /// The same, of what is about to be run.
  static func of(_ input: PlannedInput) throws(InternalError) -> String {
    try of(input.unnamed)
  }
}

extension PlannedInput {
  /// The plan as it would be saved, without its name.
  var unnamed: SavedPlan {
    SavedPlan(
      runner: Version.text, wishes: wishes, inputs: inputs, shards: assignment, cases: plan.cases,
      secrets: plan.secrets)
  }

  /// The plan as it is saved.
  func saved() throws(InternalError) -> SavedPlan {
    var saved = unnamed
    saved.digest = try PlanDigest.of(saved)
    return saved
  }

  /// Removes cases by their indexes.
  mutating func keep(_ isKept: (Int) -> Bool) {
    let places = plan.cases.indices.filter(isKept)
    plan.cases = places.map { plan.cases[$0] }
    if let old = assignment {
      assignment = ShardAssignment(
        strategy: old.strategy, count: old.count, shards: places.map { old.shards[$0] })
    }
  }
}
