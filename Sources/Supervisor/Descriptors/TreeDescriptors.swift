internal import Glibc

/// The open descriptors of processes, read at once, where nothing runs.
final class TreeDescriptors {
  /// A descriptor.
  struct Entry {
    /// The process.
    var process: Int32
    /// Its folder of /proc, which has `fd` and `fdinfo`.
    var folder: String
    /// The descriptor's number.
    var number: String
    /// The object that it leads to.
    var target: OpenDescriptor
  }

  private let folders: [(process: Int32, path: String)]

  /// Reads the descriptors of the processes of a tree.
  init(of processes: some Collection<TargetProcess>) {
    folders = processes.sorted { $0.identifier < $1.identifier }.flatMap { process in
      process.descriptorHolders.map { holder in
        (
          process.identifier.number,
          "/proc/\(process.identifier.number)/task/\(holder.number)"
        )
      }
    }
  }

  /// The descriptors of this process.
  static var own: TreeDescriptors { TreeDescriptors(folders: [(getpid(), "/proc/self")]) }

  private init(folders: [(process: Int32, path: String)]) {
    self.folders = folders
  }

  /// Reads the descriptors of all readable processes outside of a tree, without this one: it opens
  /// a file of the target's only to look at it.
  init(outside processes: [ThreadIdentifier: TargetProcess]) {
    folders = SmallFile.names(in: "/proc").compactMap { name in
      guard let number = Int32(name), number != getpid(),
        processes[ThreadIdentifier(number)] == nil
      else {
        return nil
      }
      return (number, "/proc/\(number)")
    }
  }

  private lazy var entries: [Entry] = folders.flatMap { process, folder in
    SmallFile.names(in: "\(folder)/fd").compactMap { number in
      SmallFile.link("\(folder)/fd/\(number)").map { link in
        Entry(
          process: process, folder: folder, number: number, target: OpenDescriptor(link: link))
      }
    }
  }

  /// The last part of a path, as links of /proc/PID/fd give it.
  static func name(in path: String) -> Substring? {
    // Behind the path of a file without a name stands " (deleted)".
    path.split(separator: "/").last?.split(separator: " ").first
  }

  /// The processes that have a pipe or a socket open, in the order of their numbers.
  func holders(of target: OpenDescriptor) -> [Int32] {
    Set(entries.filter { $0.target == target }.map(\.process)).sorted()
  }

  /// Returns whether any of them has the counter with this number (eventfd(2)), as `eventfd-id` of fdinfo gives it.
  func hasCounter(_ identifier: Int64) -> Bool {
    entries.contains { entry in
      entry.target == .anonymous("[eventfd]")
        && DescriptorInformation.number(
          "eventfd-id", in: SmallFile.read("\(entry.folder)/fdinfo/\(entry.number)") ?? "")
          == identifier
    }
  }

  /// Returns whether any of them has a file open.
  ///
  /// - Parameter name: the file's name, where other files need not be looked at: to look at a file of a
  ///   process that has nothing to do with this one may take for ever.
  func holds(_ file: FileIdentity, named name: Substring?) -> Bool {
    entries.contains { isEntry($0, file, name) }
  }

  /// The locks on a file that any of them can give back.
  func locks(
    on file: FileIdentity, named name: Substring? = nil
  ) -> [(entry: Entry, lock: FileLock)] {
    entries.filter { isEntry($0, file, name) }.flatMap { entry in
      FileLock.held(in: SmallFile.read("\(entry.folder)/fdinfo/\(entry.number)") ?? "")
        .map { (entry, $0) }
    }
  }

  private func isEntry(_ entry: Entry, _ file: FileIdentity, _ name: Substring?) -> Bool {
    guard case .path(let path) = entry.target,
      name == nil || name == TreeDescriptors.name(in: path)
    else { return false }
    return FileIdentity(path: "\(entry.folder)/fd/\(entry.number)") == file
  }
}
