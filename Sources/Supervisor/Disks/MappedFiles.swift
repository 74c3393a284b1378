internal import Glibc

/// The files that a process has mapped (proc(5): /proc/PID/maps).
struct MappedFiles {
  /// A part of a file that is mapped.
  struct Part {
    /// The bytes of the file.
    var range: Range<Int64>
    fileprivate var device: UInt
    fileprivate var number: UInt
    fileprivate var path: Substring

    /// Returns whether it is a part of a file.
    ///
    /// The device of a file of overlayfs differs here from that of stat(2), so its path will do as
    /// well.
    func isOf(_ file: FileHandle, _ identity: FileIdentity) -> Bool {
      number == identity.inode && device == identity.device
        || path == String(decoding: file.path, as: UTF8.self)[...]
    }
  }

  private struct Mapping {
    var addresses: Range<UInt64>
    var isShared: Bool
    var part: Part
  }

  private let mappings: [Mapping]

  init(of process: ThreadIdentifier) {
    let text = SmallFile.read("/proc/\(process.number)/maps") ?? ""
    // start-end perms offset major:minor inode path
    mappings = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard words.count >= 5, let number = UInt(words[4]), number != 0 else { return nil }
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      let device = words[3].split(separator: ":").compactMap { UInt(String($0), radix: 16) }
      guard bounds.count == 2, bounds[0] <= bounds[1], device.count == 2,
        let offset = Int64(words[2], radix: 16)
      else { return nil }
      return Mapping(
        addresses: bounds[0]..<bounds[1], isShared: words[1].hasSuffix("s"),
        part: Part(
          range: offset..<Self.sum(offset, Int64(clamping: bounds[1] - bounds[0])),
          device: Self.device(device[0], device[1]), number: number,
          path: words.count > 5 ? words[5].drop { $0 == " " } : ""))
    }
  }

  /// makedev(3).
  private static func device(_ major: UInt, _ minor: UInt) -> UInt {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }

  /// Returns whether a file is mapped.
  func contains(_ file: FileHandle, _ identity: FileIdentity) -> Bool {
    mappings.contains { $0.part.isOf(file, identity) }
  }

  /// Returns the parts of a range of addresses whose mappings share their files' bytes.
  ///
  /// - Parameter length: the future length of such a part, in bytes; its present one unless given.
  func sharedParts(in addresses: Range<UInt64>, length: Int64? = nil) -> [Part] {
    mappings.filter { $0.isShared && $0.addresses.overlaps(addresses) }.map { mapping in
      var part = mapping.part
      let common = mapping.addresses.clamped(to: addresses)
      let start = Self.sum(
        part.range.lowerBound, Int64(clamping: common.lowerBound - mapping.addresses.lowerBound))
      let own = Int64(clamping: common.upperBound - common.lowerBound)
      part.range = start..<Self.sum(start, max(0, length ?? own))
      return part
    }
  }

  private static func sum(_ place: Int64, _ length: Int64) -> Int64 {
    let (end, overflow) = place.addingReportingOverflow(length)
    return overflow ? Int64.max : end
  }
}
