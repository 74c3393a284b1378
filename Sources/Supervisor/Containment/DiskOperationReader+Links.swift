internal import Glibc

extension DiskOperationReader {
  /// The largest number of symbolic links that are followed (path_resolution(7)).
  private static let linkLimit = 40

  /// Returns the creation by an open behind a symbolic link that leads to nothing yet; `nil` if it
  /// makes nothing there.
  func creationBehindLink(_ call: DiskCall) -> DiskOperation? {
    guard let (argument, flags) = opening(call), flags & OpenFlags.create != 0,
      flags & UInt64(O_NOFOLLOW) == 0, flags & OpenFlags.createOnly != OpenFlags.createOnly,
      var place = place(argument)
    else { return nil }
    for _ in 0..<Self.linkLimit {
      guard let file = place.file else {
        return DiskOperation(action: .open(flags: flags), path: place.path, place: place)
      }
      guard file.status?.isLink ?? false, let next = destination(of: file, in: place.folder) else {
        return nil
      }
      place = next
    }
    return nil
  }

  /// Returns whether the way of an open goes through the links of /proc to what the caller has
  /// open: those of this process lead elsewhere, and the file there was checked when it was opened.
  func leadsThroughOwnDescriptors(_ call: DiskCall) -> Bool {
    // Those that the path itself names are looked up as the caller's.
    guard let (argument, _) = opening(call), let path = memory.readPath(argument),
      TargetPaths.ownPath(path, of: thread) == path
    else { return false }
    let paths = TargetPaths(thread: thread)
    let folder =
      path.first == UInt8(ascii: "/") ? nil : try? paths.file(at: [], from: argument.directory)
    let links = LinkWalk.links(through: path, from: folder.map { $0.plainPath($0.status) } ?? "")
    return links.contains { $0 == "/proc/self" || $0 == "/proc/thread-self" }
  }

  private func opening(_ call: DiskCall) -> (PathArgument, flags: UInt64)? {
    switch call {
    case .open(let path, let directory, let flags):
      (argument(path, directory), registers[argument: flags])
    case .openWithStructure:
      (argument(1, 0), memory.read(UInt64.self, at: registers[argument: 2]) ?? 0)
    case .create: (argument(0, nil), UInt64(O_CREAT | O_WRONLY | O_TRUNC))
    default: nil
    }
  }

  /// The place that a symbolic link leads to; `nil` if its folder is missing.
  private func destination(of link: FileHandle, in folder: FileHandle) -> DiskOperation.Place? {
    let text = link.linkText
    guard !text.isEmpty else { return nil }
    let isAbsolute = text.first == UInt8(ascii: "/")
    let path = isAbsolute ? text : Array((folder.plainPath(folder.status) + "/").utf8) + text
    let paths = TargetPaths(thread: thread)
    guard let entry = EntryPath(path),
      let parent = try? paths.file(at: entry.folder, from: AT_FDCWD, flags: O_DIRECTORY)
    else { return nil }
    let parentPath = parent.plainPath(parent.status)
    let name = String(decoding: entry.name, as: UTF8.self)
    return DiskOperation.Place(
      folder: parent, name: entry.name,
      file: try? paths.file(at: path, from: AT_FDCWD, flags: O_NOFOLLOW),
      path: parentPath == "/" ? "/\(name)" : "\(parentPath)/\(name)")
  }
}

extension FileHandle {
  /// The text of a symbolic link; empty for anything else.
  fileprivate var linkText: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      // readlinkat(2): the empty path means the link that was opened with O_PATH and O_NOFOLLOW.
      count = buffer.baseAddress.map { max(0, readlinkat(descriptor, "", $0, 4096)) } ?? 0
    }
  }
}
