internal import CSupervisor
internal import Glibc

/// A file whose name is gone, and gets it back.
extension FileHandle {
  /// Gives it a name: itself where it has another one, else a copy with the same stat(2) and
  /// listxattr(2) results, but for its number.
  func putBack(in folder: FileHandle, _ name: UnsafePointer<CChar>) {
    guard let status else { return }
    let own = "/proc/self/fd/\(descriptor)"
    if !status.isFolder, status.st_nlink > 0 {
      // The descriptor of a symbolic link is the link itself.
      _ =
        linkat(descriptor, "", folder.descriptor, name, PathFlags.emptyPath) == 0
        || linkat(AT_FDCWD, own, folder.descriptor, name, Int32(AT_SYMLINK_FOLLOW)) == 0
      return
    }
    guard make(in: folder, name, status) else { return }
    let made = openat(folder.descriptor, name, PathFlags.pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard made >= 0 else { return }
    FileHandle(descriptor: made).takeAttributes(of: self, status)
  }

  private func make(
    in folder: FileHandle, _ name: UnsafePointer<CChar>, _ status: stat
  ) -> Bool {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return mkdirat(folder.descriptor, name, 0o700) == 0
    case S_IFREG: return copy(to: folder, name)
    case S_IFLNK:
      var text = [CChar](repeating: 0, count: 4097)
      // readlinkat(2): an empty path means the link itself.
      guard readlinkat(descriptor, "", &text, 4096) > 0 else { return false }
      return symlinkat(text, folder.descriptor, name) == 0
    default:
      return mknodat(folder.descriptor, name, status.st_mode, status.st_rdev) == 0
    }
  }

  private func copy(to folder: FileHandle, _ name: UnsafePointer<CChar>) -> Bool {
    let source = reopenForReading()
    guard source >= 0 else { return false }
    defer { close(source) }
    let target = openat(folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { return false }
    defer { close(target) }
    while sendfile(target, source, nil, 1 << 20) > 0 {}
    return true
  }

  /// Opens the file for reading, also one that only its mode protects.
  private func reopenForReading() -> Int32 {
    let copy = reopen(O_RDONLY)
    guard copy < 0, errno == EACCES, let status else { return copy }
    let own = "/proc/self/fd/\(descriptor)"
    guard chmod(own, status.st_mode & 0o7777 | S_IRUSR) == 0 else { return copy }
    defer { chmod(own, status.st_mode & 0o7777) }
    return reopen(O_RDONLY)
  }

  /// Owner, extended attributes, mode and times, in an order in which none undoes another: a new owner takes
  /// bits of the mode away (chown(2)), and each change of content sets a time.
  private func takeAttributes(of other: FileHandle, _ status: stat) {
    _ = fchownat(descriptor, "", status.st_uid, status.st_gid, PathFlags.emptyPath)
    let own = "/proc/self/fd/\(descriptor)"
    if !status.isLink {
      copyExtendedAttributes(from: "/proc/self/fd/\(other.descriptor)", to: own)
      chmod(own, status.st_mode & 0o7777)
    }
    var times = [status.st_atim, status.st_mtim]
    if utimensat(descriptor, "", &times, PathFlags.emptyPath) != 0, !status.isLink {
      // Kernels before 5.8 know no empty path here.
      utimensat(AT_FDCWD, own, &times, 0)
    }
  }

  private func copyExtendedAttributes(from source: String, to target: String) {
    let names = Self.attribute { listxattr(source, $0?.assumingMemoryBound(to: CChar.self), $1) }
    for name in names.split(separator: 0) {
      let name = String(decoding: name, as: UTF8.self)
      let value = Self.attribute { getxattr(source, name, $0, $1) }
      _ = value.withUnsafeBytes { setxattr(target, name, $0.baseAddress, $0.count, 0) }
    }
  }

  /// Returns the result of a call that takes a buffer and its length, and returns the length that
  /// it needs (xattr(7): 64 KiB at most).
  private static func attribute(
    _ call: (UnsafeMutableRawPointer?, Int) -> Int
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, call(buffer.baseAddress.map { UnsafeMutableRawPointer($0) }, buffer.count))
    }
  }
}
