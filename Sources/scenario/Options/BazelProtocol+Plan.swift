internal import Foundations
internal import Patterns
internal import ScenarioPlan
internal import ScenarioReport

extension BazelProtocol {
  /// Reduces a plan to the cases that `--test_filter` selects.
  ///
  /// - Returns: Whether nothing is left: Bazel hands one filter to all targets, and most have
  ///   nothing of it.
  func apply(to input: inout PlannedInput) throws -> Bool {
    guard let filter else { return false }
    do throws(PatternError) {
      try filter.validate()
    } catch {
      throw Refusal(
        "--test_filter is not a regular expression: \(error.message)", help: error.help
      ).reported(.badArguments)
    }
    let cases = input.plan.cases
    input.keep { filter.isFound(in: cases[$0].identifier) }
    return input.plan.cases.isEmpty
  }

  /// The reports that Bazel collects, by their formats.
  func reports(of part: PlanPart) -> [(format: ReportRequest.Format, path: String)] {
    [(.junit, report), (.jsonl, stream(of: part.shard))].compactMap { format, path in
      path.map { (format, $0) }
    }
  }
}
