/// The calls that read from descriptors, and the filter that shows them to the supervisor: a ``LateFilter``, which a
/// process gets when it is about to open a file of random numbers.
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

  /// The filter.
  static let filter = FilterProgram(
    rules: Dictionary(
      uniqueKeysWithValues: (Array(places.keys) + transfers.keys).map { ($0, FilterRule.trace) }))
}

extension LateFilter {
  /// Calls that read, of a process that has opened a file of random numbers.
  static let randomReads = LateFilter("random reads", RandomReads.filter)
}
