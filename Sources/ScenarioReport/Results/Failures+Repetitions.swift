internal import ScenarioEvents

extension [Failure] {
  /// The minimum length, in bytes, of a value that is not reported twice.
  private static var leastLength: Int { 24 }

  /// The failures, where what was there instead is reported once if several conditions on it do not hold.
  var withoutRepetitions: [Failure] {
    var reported: Set<[String]> = []
    return map { failure in
      guard let actual = failure.actual, actual.utf8.count >= Self.leastLength,
        !reported.insert([failure.type, actual]).inserted
      else { return failure }
      var failure = failure
      failure.actual = "the same"
      return failure
    }
  }
}
