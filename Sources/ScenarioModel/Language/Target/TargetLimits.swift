/// `limits:` what the target may have at most; `nil` is what the machine allows.
package struct TargetLimits: Sendable, Hashable, Codable {
  /// `memory:` bytes of private writable mappings that each process may have.
  package var memory: Int?
  /// `files:` descriptors that each process may have: their numbers are lower.
  package var files: Int?
  /// `processes:` processes and threads of the target that may live at once.
  package var processes: Int?

  /// Creates limits.
  package init(memory: Int? = nil, files: Int? = nil, processes: Int? = nil) {
    self.memory = memory
    self.files = files
    self.processes = processes
  }

  /// The fewest bytes that a file may allow: a page.
  package static let leastMemory = 4_096
  /// The fewest descriptors that a file may allow: the three that every program has.
  package static let leastFiles = 3

  /// The limits in a few words.
  package var summary: String {
    let parts = [
      memory.map { "memory \($0) bytes" }, files.map { "files \($0)" },
      processes.map { "processes \($0)" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}
