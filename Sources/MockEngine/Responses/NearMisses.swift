internal import Foundations
internal import Patterns
internal import ScenarioPlan

/// The entries that came closest to a request that none answers, and what each of them lacked.
struct NearMisses {
  /// The maximum number of entries that a report shows.
  static let limit = 3
  /// Letters of an address that are compared.
  private static let addressLimit = 200

  /// One entry and how it was assessed.
  struct Candidate {
    var index: Int
    var response: PlannedResponse
    var assessment: RequestAssessment
    var uses: EntryUses
  }

  /// The nearest candidates first: those that match, then by the number of conditions that hold, then by
  /// the likeness of their addresses, then in file order.
  static func ranked(_ candidates: [Candidate], for request: IncomingRequest) -> [Candidate] {
    let address = String("\(request.method) \(request.target.text)".prefix(addressLimit))
    let rough = candidates.sorted { left, right in
      if left.assessment.rank != right.assessment.rank {
        return left.assessment.rank > right.assessment.rank
      }
      let (leftCount, rightCount) = (
        left.assessment.satisfiedCount, right.assessment.satisfiedCount
      )
      return leftCount != rightCount ? leftCount > rightCount : left.index < right.index
    }
    guard rough.count > limit else { return rough }
    // Likeness only decides among those that are level with the last one that would be shown.
    let last = rough[limit - 1].assessment
    let level = rough.prefix(limit * 100).filter { candidate in
      candidate.assessment.rank == last.rank
        && candidate.assessment.satisfiedCount == last.satisfiedCount
    }
    let above = rough.prefix { candidate in
      candidate.assessment.rank > last.rank
        || candidate.assessment.satisfiedCount > last.satisfiedCount
    }
    let distances = level.map {
      ($0, EditDistance.between($0.response.address.prefix(addressLimit), address))
    }
    let ordered = distances.sorted { left, right in
      left.1 != right.1 ? left.1 < right.1 : left.0.index < right.0.index
    }
    return Array((above + ordered.map(\.0)).prefix(limit))
  }

  /// The candidates as lines of a report.
  static func lines(_ candidates: [Candidate]) -> [String] {
    candidates.prefix(limit).flatMap { candidate -> [String] in
      let lines: [String] =
        switch candidate.assessment.rank {
        case 2: candidate.uses.lines
        case 1: []
        default: candidate.assessment.predicates.flatMap(\.lines)
        }
      return [headline(candidate)] + lines.map { "  " + $0 }
    }
  }

  private static func headline(_ candidate: Candidate) -> String {
    let response = candidate.response
    let place = "\"\(response.name)\" (\(response.range.description))"
    if candidate.assessment.isMatch {
      let total = response.replyCount
      let used = total == 1 ? "its one reply is used" : "all \(total) replies are used"
      return "\(place) matches, but its queue is empty: \(used)"
    }
    let missing = candidate.assessment.missingState
    guard missing.isEmpty else {
      let wishes = missing.map { "\"\($0.state ?? "")\" were \($0.expected)" }
      let actual = missing.map { "it is \($0.actual ?? "")" }
      return "\(place) would answer if \(wishes.joined(separator: " and ")); "
        + actual.joined(separator: " and ")
    }
    let total = candidate.assessment.predicates.count
    return "\(place): \(candidate.assessment.satisfiedCount) of \(total) conditions are met"
  }
}

extension PlannedResponse {
  /// Method and URL, as far as the entry names them.
  fileprivate var address: String {
    switch match {
    case .http(let request):
      [request.methods?.joined(separator: "|"), request.url?.text].compactMap { $0 }.joined(
        separator: " ")
    case .graphQL(let match): match.url?.text ?? ""
    }
  }
}
