/// The source of the target's random numbers.
package enum EntropySource: Sendable, Hashable {
  /// The kernel.
  case real
  /// A seed: the same numbers in each run.
  case seeded(Int64)

  /// True if the supervisor makes them.
  var isSeeded: Bool { self != .real }

  /// The numbers of a process; `nil` where they are the kernel's.
  func stream(processOrdinal: Int) -> EntropyStream? {
    switch self {
    case .real: nil
    case .seeded(let seed): EntropyStream(seed: seed, processOrdinal: processOrdinal)
    }
  }
}
