/// Hosts were cut off from each other, or reach each other again.
package struct PartitionDescription: Sendable, Hashable, Codable {
  /// The partition's name; `nil` where it has none, or all are healed.
  package var name: String?
  /// The groups of hosts that do not reach each other; `nil` where they do again.
  package var groups: [[String]]?

  /// Creates a description.
  package init(name: String?, groups: [[String]]?) {
    self.name = name
    self.groups = groups
  }

  /// The partition in words: `n1 | n2 n3`.
  package var text: String {
    guard let groups else { return name.map { "\($0) is healed" } ?? "all partitions are healed" }
    let parts = groups.map { $0.joined(separator: " ") }.joined(separator: " | ")
    return name.map { "\($0): \(parts)" } ?? parts
  }
}
