/// The order in which the threads of the targets run.
package enum ThreadOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// The order of the kernel: side by side, and different in each run.
  case real
  /// One at a time, in an order that follows from the seed.
  case seeded
}
