internal import CSupervisor

/// The calls that read from descriptors, and the filter that shows them to the supervisor.
///
/// Reads are too many to be looked at without need. So the filter that every target gets lets them pass, and a
/// process gets a second one when it is about to open a file of random numbers: a filter holds for children
/// and later programs as descriptors do.
enum RandomReads {
  /// Reads into memory: which argument says where, and whether it is a list of places.
  static let places: [Int: (argument: Int, isList: Bool)] = [
    SystemCallNumber.read: (1, false), SystemCallNumber.pread64: (1, false),
    SystemCallNumber.readv: (1, true), SystemCallNumber.preadv: (1, true),
    SystemCallNumber.preadv2: (1, true),
  ]

  /// Calls that move bytes past the process's memory: which argument they come from.
  static let transfers: [Int: Int] = [
    SystemCallNumber.sendfile: 1, SystemCallNumber.splice: 0,
  ]

  /// The second filter.
  static let filter = FilterProgram(
    rules: Dictionary(
      uniqueKeysWithValues: (Array(places.keys) + transfers.keys).map { ($0, FilterRule.trace) }))

  /// `SECCOMP_SET_MODE_FILTER` of seccomp(2).
  static let setFilter: UInt64 = 1
  /// `SECCOMP_FILTER_FLAG_TSYNC`, as threads share descriptors, and `…_SPEC_ALLOW`.
  static let filterFlags: UInt64 = 1 | 4

  /// Writes `struct sock_fprog` and the filter behind it; false if that cannot be done.
  static func writeFilter(to memory: TargetMemory, at address: UInt64) -> Bool {
    let header: (length: UInt64, filter: UInt64) = (
      UInt64(filter.instructions.count), address &+ 16
    )
    return memory.write(header, at: address)
      && filter.instructions.withUnsafeBytes { memory.write($0, at: address &+ 16) }
  }
}
