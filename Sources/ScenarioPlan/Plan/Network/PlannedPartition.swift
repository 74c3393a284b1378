/// Hosts that do not reach each other.
package struct PlannedPartition: Sendable, Hashable, Codable {
  /// The author's name for it; `nil` where there is none.
  package var name: String?
  /// The names of the targets of each group; whoever is in none reaches all.
  package var groups: [[String]]

  /// Creates a partition.
  package init(name: String?, groups: [[String]]) {
    self.name = name
    self.groups = groups
  }

  /// The groups on one line.
  package var summary: String {
    groups.map { "[\($0.joined(separator: ", "))]" }.joined(separator: " from ")
  }
}
