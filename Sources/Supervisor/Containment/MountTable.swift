internal import Glibc

/// The mounts that a process sees (proc(5): /proc/PID/mountinfo).
struct MountTable {
  /// A mount.
  struct Row: Equatable {
    var number: Int
    /// The number of its disk, as the file has it.
    var device: String
    /// The folder of the disk that is mounted.
    var root: [UInt8]
    /// The path that it is mounted at.
    var place: [UInt8]
  }

  let rows: [Row]

  /// - Parameter process: a number, or `self`.
  init(of process: String) {
    self.init(text: SmallFile.read("/proc/\(process)/mountinfo") ?? "")
  }

  /// - Parameter text: the file.
  init(text: String) {
    rows = text.split(separator: "\n").compactMap { line in
      // Number, number of the mount that it stands on, device, root, place, and more.
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count > 4, let number = Int(fields[0]) else { return nil }
      return Row(
        number: number, device: String(fields[2]), root: Self.plain(fields[3]),
        place: Self.plain(fields[4]))
    }
  }

  /// Returns the number of the mount that an open file of this process is on; `nil` if it cannot be
  /// read.
  static func number(of file: FileHandle) -> Int? {
    SmallFile.read("/proc/self/fdinfo/\(file.descriptor)")?.split(separator: "\n")
      .first { $0.hasPrefix("mnt_id:") }
      .flatMap { Int($0.dropFirst("mnt_id:".count).filter(\.isNumber)) }
  }

  subscript(number: Int) -> Row? { rows.first { $0.number == number } }

  /// Returns whether a mount of another namespace is a copy of one of this namespace's mounts: the same folder of the same
  /// disk at the same place (mount_namespaces(7)).
  ///
  /// - Parameter numbers: the mounts of this namespace that are asked about.
  func hasCopy(_ mount: Row, among numbers: Set<Int>) -> Bool {
    rows.contains {
      numbers.contains($0.number) && $0.device == mount.device && $0.root == mount.root
        && $0.place == mount.place
    }
  }

  /// The paths at which a file stands by other mounts than the one through which it was found, those first of which
  /// the mounts show least else.
  ///
  /// - Parameters:
  ///   - path: absolute, and without symbolic links.
  ///   - mount: the mount in which it stands.
  func otherPaths(of path: [UInt8], in mount: Row) -> [[UInt8]] {
    guard let rest = Self.rest(of: path, behind: mount.place) else { return [] }
    let onDisk = Self.joined(mount.root, rest)
    let narrowest = rows.sorted { $0.root.count > $1.root.count }
    return narrowest.compactMap { row in
      guard row.number != mount.number, row.device == mount.device,
        let rest = Self.rest(of: onDisk, behind: row.root)
      else { return nil }
      return Self.joined(row.place, rest)
    }
  }

  /// Returns the part of a path behind a folder, with a slash in front; `nil` if the folder does
  /// not lead to it.
  private static func rest(of path: [UInt8], behind folder: [UInt8]) -> ArraySlice<UInt8>? {
    guard folder != [slash] else { return path == folder ? [] : path[...] }
    guard path.starts(with: folder) else { return nil }
    let rest = path.dropFirst(folder.count)
    return rest.isEmpty || rest.first == slash ? rest : nil
  }

  private static func joined(_ folder: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8] {
    if rest.isEmpty { return folder }
    return (folder == [slash] ? [] : folder) + rest
  }

  private static let slash = UInt8(ascii: "/")

  /// A path of the file, in which blanks, line ends and backslashes are written as octal numbers.
  private static func plain(_ text: Substring) -> [UInt8] {
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\\"), offset + 3 < bytes.count,
        let value = UInt8(String(decoding: bytes[offset + 1...offset + 3], as: UTF8.self), radix: 8)
      {
        plain.append(value)
        offset += 4
      } else {
        plain.append(bytes[offset])
        offset += 1
      }
    }
    return plain
  }
}
