/// The search for the few changes that make a case fail, among the many that were made.
///
/// Delta debugging: parts of what is left are taken away as long as the case fails without them, first
/// halves, then smaller parts, at last single changes.
package struct MutationSearch {
  /// The result of a search.
  package struct Result: Sendable, Hashable {
    /// The numbers of the changes that are needed, in order; none if the case fails without any.
    package var needed: [Int]
    /// The number of runs that were made.
    package var runs: Int
    /// True if the case passes as soon as any one of them is taken away.
    package var isMinimal: Bool
  }

  /// The most runs of one search.
  package static let runLimit = 50

  private let stillFails: (Set<Int>) -> Bool?
  private var runs = 0
  private var isStopped = false

  private init(_ stillFails: @escaping (Set<Int>) -> Bool?) {
    self.stillFails = stillFails
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - count: how many changes were made; they are numbered from 0.
  ///   - stillFails: runs the case with some of them; `nil` stops the search.
  package static func run(
    _ count: Int, stillFails: @escaping (Set<Int>) -> Bool?
  ) -> Result {
    var search = MutationSearch(stillFails)
    return search.run(Array(0..<count))
  }

  private mutating func run(_ all: [Int]) -> Result {
    if fails([]) { return Result(needed: [], runs: runs, isMinimal: true) }
    var needed = all
    var size = max(1, needed.count / 2)
    while needed.count > 1, !isStopped {
      var isSmaller = false
      var start = 0
      while start < needed.count, needed.count > 1, !isStopped {
        let part = needed[start..<min(start + size, needed.count)]
        let rest = needed.filter { !part.contains($0) }
        if !rest.isEmpty, fails(rest) {
          needed = rest
          isSmaller = true
        } else {
          start += size
        }
      }
      guard !isSmaller else { continue }
      guard size > 1 else { break }
      size = max(1, size / 2)
    }
    return Result(needed: needed, runs: runs, isMinimal: !isStopped)
  }

  private mutating func fails(_ kept: [Int]) -> Bool {
    guard !isStopped, runs < Self.runLimit else {
      isStopped = true
      return false
    }
    runs += 1
    guard let answer = stillFails(Set(kept)) else {
      isStopped = true
      return false
    }
    return answer
  }
}
