internal import Glibc

extension stat {
  /// True if it is a file with bytes of its own.
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  /// True if it is a folder.
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  /// True if it is a symbolic link.
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

  /// True if each of its bytes has room on the disk, by the kernel's count of blocks.
  var isWithoutHoles: Bool { Int64(st_blocks) * 512 >= Int64(st_size) }
}

extension FileHandle {
  /// The room of a folder, or of a symbolic link with a long text, in bytes.
  static let blockSize: Int64 = 4096
  /// The number of bytes from which on the text of a symbolic link has no room in the inode of
  /// ext4.
  static let longText: Int64 = 60

  /// Opens the file itself; negative if that is not allowed.
  func reopen(_ flags: Int32) -> Int32 {
    open("/proc/self/fd/\(descriptor)", flags | O_CLOEXEC)
  }

  /// Opens the file for writing, also one that only its mode protects.
  func reopenForWriting() -> Int32 {
    let descriptor = reopen(O_WRONLY)
    guard descriptor < 0, errno == EACCES, let status else { return descriptor }
    let path = "/proc/self/fd/\(self.descriptor)"
    guard chmod(path, status.st_mode & 0o7777 | S_IWUSR) == 0 else { return descriptor }
    defer { chmod(path, status.st_mode & 0o7777) }
    return reopen(O_WRONLY)
  }

  /// The room that the file takes, in bytes: its size without holes.
  var takenRoom: Int64 {
    guard let status else { return 0 }
    if status.isFolder { return Self.blockSize }
    if status.isLink { return Int64(status.st_size) >= Self.longText ? Self.blockSize : 0 }
    guard status.isRegular else { return 0 }
    let size = Int64(status.st_size)
    guard !status.isWithoutHoles else { return size }
    return size - holes(in: 0..<size, status).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// The runs of bytes of a range that have no room on the disk yet, in order: those behind its end, and
  /// those in holes (lseek(2): SEEK_DATA, SEEK_HOLE).
  func holes(in range: Range<Int64>, _ status: stat) -> [Range<Int64>] {
    let size = Int64(status.st_size)
    var holes: [Range<Int64>] = []
    let inner = range.clamped(to: 0..<max(0, size))
    if !inner.isEmpty, !status.isWithoutHoles { holes = innerHoles(in: inner) }
    let start = max(range.lowerBound, size)
    if start < range.upperBound { holes.append(start..<range.upperBound) }
    return holes
  }

  private func innerHoles(in range: Range<Int64>) -> [Range<Int64>] {
    let copy = reopen(O_RDONLY)
    guard copy >= 0 else { return [] }
    defer { close(copy) }
    var holes: [Range<Int64>] = []
    var place = range.lowerBound
    while place < range.upperBound {
      let data = lseek(copy, off_t(place), Self.seekData)
      // ENXIO: nothing but a hole up to the end.
      let end = data < 0 ? (errno == ENXIO ? range.upperBound : place) : Int64(data)
      if end > place { holes.append(place..<min(end, range.upperBound)) }
      guard data >= 0, end < range.upperBound else { break }
      let hole = lseek(copy, data, Self.seekHole)
      guard hole > data else { break }
      place = Int64(hole)
    }
    return holes
  }

  /// SEEK_DATA and SEEK_HOLE of `linux/fs.h`.
  private static let seekData: Int32 = 3
  private static let seekHole: Int32 = 4
}
