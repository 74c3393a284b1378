internal import Foundations

/// The requests that no entry answered, reported once each however often they came.
struct UnmatchedRequests {
  /// Identifies requests that are the same to a reader.
  struct Key: Hashable {
    var summary: String
    var nearMisses: [String]
    var step: SourceRange
  }

  private struct Repetition {
    var count = 0
    var last = Nanoseconds.zero
  }

  /// The maximum number of different ones that are reported.
  static let limit = 50

  private var repetitions: [Key: Repetition] = [:]
  /// The number of requests beyond those that are reported.
  private(set) var unreported = 0

  /// Records a request, and returns whether it is to be reported.
  mutating func record(_ key: Key, at time: Nanoseconds) -> Bool {
    if repetitions[key] != nil {
      repetitions[key]?.count += 1
      repetitions[key]?.last = time
      return false
    }
    guard repetitions.count < Self.limit else {
      unreported += 1
      return false
    }
    repetitions[key] = Repetition()
    return true
  }

  /// The repetitions of a request, in words; `nil` if it came once.
  func again(_ key: Key) -> String? {
    guard let repetition = repetitions[key], repetition.count > 0 else { return nil }
    return repetition.count == 1
      ? "it was repeated once, at +\(repetition.last)"
      : "it was repeated \(repetition.count) times, last at +\(repetition.last)"
  }
}
