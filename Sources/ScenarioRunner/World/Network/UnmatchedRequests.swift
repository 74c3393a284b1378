internal import Foundations

/// The requests that no entry answered, reported once each however often they came.
struct UnmatchedRequests {
  /// Identifies requests that are the same to a reader.
  struct Key: Hashable {
    private let summary: String
    private let lines: [String]
    private let step: SourceRange
    /// True if an entry has answered such requests, and has no replies left: it does not matter how they differ.
    let isSpent: Bool

    /// - Parameters:
    ///   - summary: the request in words.
    ///   - nearMisses: what came closest.
    ///   - spentEntry: the entry that matches it, and has no replies left; `nil` if there is none.
    ///   - step: the step in which it came.
    init(summary: String, nearMisses: [String], spentEntry: String?, step: SourceRange) {
      isSpent = spentEntry != nil
      self.summary = spentEntry ?? summary
      lines = isSpent ? [] : nearMisses
      self.step = step
    }
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
    if key.isSpent {
      return repetition.count == 1
        ? "one more request matches it, at +\(repetition.last)"
        : "\(repetition.count) more requests match it, the last at +\(repetition.last)"
    }
    return repetition.count == 1
      ? "it was repeated once, at +\(repetition.last)"
      : "it was repeated \(repetition.count) times, last at +\(repetition.last)"
  }
}
