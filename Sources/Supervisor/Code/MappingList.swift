internal import Glibc

/// The mappings of a process (proc(5): /proc/PID/maps).
struct MappingList {
  /// One mapping of a file.
  struct Mapping {
    var range: Range<UInt64>
    var isExecutable: Bool
    /// True if others that map the same file see what is written (mmap(2), MAP_SHARED).
    var isShared: Bool
    var offset: UInt64
    /// Empty for memory that is no file's.
    var path: Substring
  }

  /// The mappings in the order of their addresses.
  private(set) var mappings: [Mapping] = []

  /// Reads the lines.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count >= 5 else { continue }
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(fields[2], radix: 16) else {
        continue
      }
      mappings.append(
        Mapping(
          range: ends[0]..<ends[1], isExecutable: fields[1].dropFirst(2).first == "x",
          isShared: fields[1].last == "s", offset: offset,
          path: fields.count > 5 ? fields[5].drop { $0 == " " } : ""))
    }
  }

  /// The executable parts of files, of each file the first.
  var code: [Mapping] {
    var paths: Set<Substring> = []
    return mappings.filter { mapping in
      mapping.isExecutable && mapping.path.hasPrefix("/") && !mapping.path.hasSuffix(" (deleted)")
        && paths.insert(mapping.path).inserted
    }
  }

  /// Returns whether an address is in a file that others may map as well, because it has a name.
  ///
  /// Those of semaphores and shared memory may have one although the kernel says that they have none: the C library gives
  /// them their name once they are complete (sem_open(3)), and takes away the one by which it has opened them. Those of
  /// System V have a number instead (shmget(2)).
  func isInNamedSharedFile(_ address: UInt64) -> Bool {
    mappings.contains { mapping in
      mapping.range.contains(address) && mapping.isShared && mapping.path.hasPrefix("/")
        && (["/dev/shm/", "/SYSV"].contains { mapping.path.hasPrefix($0) }
          || !mapping.path.hasSuffix(" (deleted)"))
    }
  }

  /// Returns the addresses from the first to the last mapping of a file.
  func range(of path: Substring) -> Range<UInt64>? {
    let own = mappings.filter { $0.path == path }
    guard let first = own.first, let last = own.last else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  /// The reach of a displacement of four bytes, less a margin for the size of what is referred to.
  private static let reach: UInt64 = 0x7000_0000
  /// The lowest address that can be mapped (vm.mmap_min_addr).
  private static let lowest: UInt64 = 0x10000

  /// A free place near a range: below it if there is one, as a heap may grow above.
  func gap(of length: UInt64, near range: Range<UInt64>) -> UInt64? {
    var upper = range.lowerBound
    for mapping in mappings.reversed() where mapping.range.lowerBound <= range.lowerBound {
      if mapping.range.upperBound <= upper, upper - mapping.range.upperBound >= length { break }
      upper = min(upper, mapping.range.lowerBound)
    }
    let below = upper &- length
    if upper >= Self.lowest + length, range.upperBound - below < Self.reach { return below }
    var lower = range.upperBound
    for mapping in mappings where mapping.range.upperBound > range.upperBound {
      if mapping.range.lowerBound >= lower, mapping.range.lowerBound - lower >= length { break }
      lower = max(lower, mapping.range.upperBound)
    }
    return lower + length - range.lowerBound < Self.reach ? lower : nil
  }
}
