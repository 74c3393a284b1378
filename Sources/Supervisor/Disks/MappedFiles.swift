internal import Glibc

/// The files that a process has mapped (proc(5): /proc/PID/maps).
struct MappedFiles {
  private struct Mapping {
    var addresses: Range<UInt64>
    var device: UInt
    var number: UInt
    var path: Substring
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
      guard bounds.count == 2, bounds[0] <= bounds[1], device.count == 2 else { return nil }
      return Mapping(
        addresses: bounds[0]..<bounds[1], device: Self.device(device[0], device[1]),
        number: number, path: words.count > 5 ? words[5].drop { $0 == " " } : "")
    }
  }

  /// makedev(3).
  private static func device(_ major: UInt, _ minor: UInt) -> UInt {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }

  /// Whether a file is mapped.
  ///
  /// The device of a file of overlayfs is another here than stat(2) tells, so its path will do as well.
  func contains(_ file: PinnedFile, _ identity: FileIdentity) -> Bool {
    let path = String(decoding: file.path, as: UTF8.self)
    return mappings.contains {
      $0.number == identity.inode && $0.device == identity.device || $0.path == path[...]
    }
  }

  /// The files that are mapped somewhere in a range.
  func files(in addresses: Range<UInt64>) -> [FileIdentity] {
    mappings.filter { $0.addresses.overlaps(addresses) }.map {
      FileIdentity(device: dev_t($0.device), inode: ino_t($0.number))
    }
  }
}
