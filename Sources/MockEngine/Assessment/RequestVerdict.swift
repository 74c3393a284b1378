package import ScenarioPlan

/// The verdict on whether a request that was made is a wanted one.
package struct RequestVerdict {
  /// True if it is.
  package let holds: Bool
  /// The conditions that do not hold, a line each.
  package let objections: [String]

  /// Compares a request with a pattern.
  package init(_ wanted: PlannedRequest, _ request: IncomingRequest, scope: some RunScope) {
    var assessment = RequestAssessment(isTold: true)
    assessment.assessMethod(wanted, request)
    if let url = wanted.url { assessment.assess(url, request.target) }
    assessment.assess(wanted, request, scope)
    holds = assessment.isMatch
    objections = assessment.predicates.flatMap(\.lines)
  }
}
