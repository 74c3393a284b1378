/// The source of the target's random numbers.
package enum EntropyMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// The machine's own source: other numbers in each run.
  case real
  /// The scenario's seed: the same numbers in each run.
  case seeded
}
