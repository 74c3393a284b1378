internal import CSupervisor

/// A second filter, which a process gets once calls must be seen that are too frequent to be shown
/// without need.
///
/// A filter cannot be removed or changed (seccomp(2)), but one can be added, and holds for all
/// threads of the process, for its children and for later programs, as descriptors do.
struct LateFilter: Hashable {
  /// The name that distinguishes it from other filters.
  private let name: String
  /// The instructions.
  let program: FilterProgram

  /// - Parameters:
  ///   - name: the name that distinguishes it from other filters.
  ///   - program: its instructions.
  init(_ name: String, _ program: FilterProgram) {
    self.name = name
    self.program = program
  }

  static func == (one: LateFilter, other: LateFilter) -> Bool { one.name == other.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// `SECCOMP_SET_MODE_FILTER` of seccomp(2).
  static let setFilter: UInt64 = 1
  /// `SECCOMP_FILTER_FLAG_TSYNC`, as threads share descriptors, and `…_SPEC_ALLOW`.
  static let flags: UInt64 = 1 | 4

  /// Writes `struct sock_fprog` and the filter behind it; false if that cannot be done.
  func write(to memory: TargetMemory, at address: UInt64) -> Bool {
    let instructions = program.instructions
    let header: (length: UInt64, filter: UInt64) = (UInt64(instructions.count), address &+ 16)
    return memory.write(header, at: address)
      && instructions.withUnsafeBytes { memory.write($0, at: address &+ 16) }
  }
}
