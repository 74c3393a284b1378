package import Foundations

/// The order in which the cases of a plan are begun.
package enum CaseOrder: Sendable, Hashable {
  /// In the order of the plan.
  case file
  /// Mixed, the same way for the same seed.
  case random(seed: UInt64)
  /// The slowest of earlier runs first.
  case slowest
  /// The cases first that failed when they last ran, by their identifiers.
  case failed(Set<String>)

  /// The order in words; `nil` where there is nothing to say.
  package var text: String? {
    switch self {
    case .file: nil
    case .random(let seed): "random, with seed \(seed)"
    case .slowest: "slowest first"
    case .failed(let identifiers): identifiers.isEmpty ? nil : "failed first"
    }
  }

  /// The places of the cases, in the order in which they are begun.
  ///
  /// - Parameters:
  ///   - identifiers: the cases as the plan has them.
  ///   - earlier: how long a case took before; `nil` where that is not known, which counts as the
  ///     median of what is.
  package func places(
    of identifiers: [String], earlier: (String) -> Nanoseconds?
  ) -> [Int] {
    var places = Array(identifiers.indices)
    switch self {
    case .file: break
    case .random(let seed):
      // Fisher and Yates; the remainder favours no place by more than one part in 2^40.
      var generator = SplitMix64(seed: seed)
      for place in places.indices.dropFirst().reversed() {
        places.swapAt(place, Int(generator.next() % UInt64(place + 1)))
      }
    case .slowest:
      let known = identifiers.map(earlier)
      let sorted = known.compactMap { $0 }.sorted()
      guard !sorted.isEmpty else { break }
      let median = sorted[sorted.count / 2]
      places.sort { left, right in
        let (one, other) = (known[left] ?? median, known[right] ?? median)
        return one == other ? left < right : one > other
      }
    case .failed(let failed):
      places =
        places.filter { failed.contains(identifiers[$0]) }
        + places.filter { !failed.contains(identifiers[$0]) }
    }
    return places
  }
}
