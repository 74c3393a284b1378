extension ExecutionPlan {
  /// The plan with each case as often as that, each time a case of its own: all of them once, then all of them
  /// again.
  ///
  /// All repetitions have the case's own seed: what differs between them is not what the seed decides.
  package func repeated(_ count: Int) -> ExecutionPlan {
    guard count > 1 else { return self }
    var plan = self
    for number in 2...count { plan.cases += repetition(number) }
    return plan
  }

  /// The cases as they are run for that time, counted from 1.
  package func repetition(_ number: Int) -> [PlannedCase] {
    guard number > 1 else { return cases }
    // A scenario may have this name.
    var mark = "#"
    while cases.contains(where: { RepetitionName($0.identifier)?.mark == mark }) { mark += "#" }
    return cases.map { plannedCase in
      var repeated = plannedCase
      repeated.identifier += " \(mark)\(number)"
      repeated.name += " \(mark)\(number)"
      repeated.repetition = number
      return repeated
    }
  }
}

extension PlannedCase {
  /// The identifier of the case that a repetition repeats; the same for any other.
  package static func original(of identifier: String) -> String {
    RepetitionName(identifier)?.original ?? identifier
  }
}

/// A name that ends as that of a repetition does: `NAME #2`.
private struct RepetitionName {
  let original: String
  let mark: String

  init?(_ name: String) {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    let rest = name.dropLast(digits)
    let marks = rest.reversed().prefix { $0 == "#" }.count
    guard digits > 0, marks > 0, rest.dropLast(marks).last == " " else { return nil }
    original = String(rest.dropLast(marks + 1))
    mark = String(repeating: "#", count: marks)
  }
}
