internal import Foundations
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioTools

/// Runs a case again that has failed with changed data, with fewer and fewer of the changes.
struct MutationTrial {
  /// The case as it has failed.
  let plannedCase: PlannedCase
  /// The failures of the case.
  let failures: [Failure]
  /// Real time that the case took.
  let duration: Nanoseconds
  let folder: RunFolder
  let number: Int
  let options: RunOptions
  let cancellation: RunCancellation
  let runStart: Nanoseconds

  /// Returns the report on the changes that make the case fail; `nil` if there are none, or if the
  /// case cannot be planned anew.
  func run() -> Failure? {
    guard let mutations = plannedCase.mutations, let replan = options.replan,
      let first = failures.first, !cancellation.isCancelled,
      // Real hosts are not asked again and again, and recordings are written once.
      !(plannedCase.network?.mayGoLive ?? false)
    else { return nil }
    // A case that hangs takes its whole timeout each time.
    let end = RealTime.monotonic() + max(.seconds(60), duration)
    let result = MutationSearch.run(mutations.count) { kept in
      guard !cancellation.isCancelled, RealTime.monotonic() < end,
        let reduced = replan(plannedCase.identifier, kept)
      else { return nil }
      return failures(of: reduced).contains { $0.type == first.type && $0.range == first.range }
    }
    // A single change is not blamed before the case has passed without it.
    guard !cancellation.isCancelled, result.isMinimal || result.needed.count > 1 else { return nil }
    return describe(result, mutations, first)
  }

  private func failures(of reduced: PlannedCase) -> [Failure] {
    var failures: [Failure] = []
    let log = CaseLog(scenario: reduced.identifier, runStart: runStart) { event in
      if case .failed(let failure) = event.kind { failures.append(failure) }
    }
    CaseRunner(
      plannedCase: reduced, number: number, folder: folder, options: options,
      cancellation: cancellation, log: log
    ).run()
    return failures
  }

  private func describe(
    _ result: MutationSearch.Result, _ mutations: [PlannedMutation], _ first: Failure
  ) -> Failure? {
    let needed = result.needed.map { mutations[$0] }
    let total = mutations.count == 1 ? "the one change" : "\(mutations.count) changes"
    let runs = "found in \(result.runs) run\(result.runs == 1 ? "" : "s")"
    guard let one = needed.first else {
      return Failure(
        category: first.category, type: "mutation",
        message: "the case also fails without \(total) of \"$mutate\"",
        range: mutations.first?.range, help: "make it pass with the unchanged data first")
    }
    let message: String
    if needed.count == 1 {
      let only = mutations.count == 1 ? "the change makes" : "a single one of \(total) makes"
      message = "\(only) the case fail: \(one.text)"
    } else {
      let limit = result.isMinimal ? "" : ", or some of them,"
      message = "\(needed.count) of \(total)\(limit) together make the case fail"
    }
    return Failure(
      category: first.category, type: "mutation", message: message, range: one.range,
      details: (needed.count == 1 ? [] : needed.map(\.text)) + [runs],
      help: "the seed \(plannedCase.seed) makes the same changes again")
  }
}
