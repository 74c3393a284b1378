/// In what order the threads of the targets run.
package enum ThreadOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// As the kernel has them run: side by side, and otherwise in each run.
  case real
  /// One at a time, in an order that follows from the seed.
  case seeded
}
