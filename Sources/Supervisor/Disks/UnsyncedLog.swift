internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// What the target has changed on the disk and not made durable: what a crash of the machine takes back.
///
/// Before bytes are changed they are read; where the file is synced they are forgotten.
final class UnsyncedLog {
  /// A file with changes.
  private struct File {
    var pin: PinnedFile
    var path: String
    var content: UnsyncedFile
    /// The last bytes that were written, and when, counted over all files.
    var lastWrite: (range: Range<Int64>, number: Int)?
    /// Changes at a descriptor's own place that are under way.
    var underWay: Int64 = 0
  }

  /// A call under way that makes something durable.
  struct Sync {
    fileprivate var files: [(FileIdentity, Int)] = []
    /// Which names.
    fileprivate var names: NameLog.Extent?
    fileprivate var mark = 0
    /// How many writes there had been.
    fileprivate var writes = 0
  }

  /// Bytes that are kept at most, over all files.
  private static let byteLimit = 1 << 28

  /// Which files are followed.
  let globs: DiskGlobs
  /// Whether names are.
  let keepsNames: Bool
  /// How many files are followed at most.
  private let fileLimit: Int

  private var files: [FileIdentity: File] = [:]
  private var names = NameLog()
  private var writes = 0
  private var keptBytes = 0
  /// Why not everything could be followed; told once.
  private(set) var shortcoming: String?

  init(globs: DiskGlobs, keepsNames: Bool, fileLimit: Int) {
    self.globs = globs
    self.keepsNames = keepsNames
    self.fileLimit = fileLimit
  }

  /// Whether a change to what a path names is followed.
  func follows(_ path: String) -> Bool { globs.cover(path) }

  // MARK: - Changes

  /// A call is about to change bytes of a file.
  ///
  /// - Parameters:
  ///   - pin: the file.
  ///   - status: its status.
  ///   - path: its path.
  ///   - range: the bytes that it may change.
  ///   - byPosition: whether others that write at the same descriptor may move them on.
  func prepare(
    _ pin: PinnedFile, _ status: stat, path: String, range: Range<Int64>, byPosition: Bool
  ) {
    let identity = FileIdentity(status)
    // Taken out, as what has two owners is copied when it changes.
    var known = files.removeValue(forKey: identity)
    if known == nil {
      if files.count >= fileLimit { dropDurableFiles() }
      guard files.count < fileLimit else {
        shortcoming = "more than \(fileLimit) files"
        return
      }
      known = File(pin: pin, path: path, content: UnsyncedFile(size: Int64(status.st_size)))
    }
    guard var file = known.take() else { return }
    var range = range
    if byPosition {
      let end = range.upperBound.addingReportingOverflow(file.underWay)
      let length = range.upperBound - range.lowerBound
      range = range.lowerBound..<(end.overflow ? Int64.max : end.partialValue)
      file.underWay = file.underWay.addingReportingOverflow(length).partialValue
    }
    save(&file, range)
    files[identity] = file
  }

  private func save(_ file: inout File, _ range: Range<Int64>) {
    let runs = file.content.unsaved(in: range)
    guard !runs.isEmpty else { return }
    let copy = file.pin.reopen(O_RDONLY)
    guard copy >= 0 else {
      shortcoming = "a file that cannot be read"
      return
    }
    defer { close(copy) }
    for run in runs {
      guard keptBytes < Self.byteLimit else {
        shortcoming = "more than \(Self.byteLimit) bytes"
        return
      }
      let length = Int(min(run.upperBound - run.lowerBound, Int64(Self.byteLimit)))
      if length < run.upperBound - run.lowerBound {
        shortcoming = "more than \(Self.byteLimit) bytes"
      }
      let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        while count < length {
          let part = pread(
            copy, buffer.baseAddress.map { $0 + count }, length - count,
            off_t(run.lowerBound) + off_t(count))
          guard part > 0 else { break }
          count += part
        }
      }
      keptBytes += bytes.count
      file.content.save(bytes, at: run.lowerBound)
    }
  }

  /// A write is over.
  ///
  /// - Parameters:
  ///   - status: the file's status at its entry.
  ///   - range: what it was to write.
  ///   - result: how many bytes it has written; negative for none.
  ///   - byPosition: as it was prepared.
  ///   - isDurable: whether they are durable.
  func finish(
    _ status: stat, range: Range<Int64>, result: Int, byPosition: Bool, isDurable: Bool
  ) {
    let identity = FileIdentity(status)
    guard files[identity] != nil else { return }
    if byPosition {
      files[identity]?.underWay -= range.upperBound - range.lowerBound
    }
    guard result > 0 else { return }
    let end = min(range.upperBound, range.lowerBound.addingReportingOverflow(Int64(result)).0)
    let written = range.lowerBound..<max(range.lowerBound, end)
    if isDurable {
      let before = files[identity]?.content.keptBytes ?? 0
      files[identity]?.content.makeDurable(written)
      keptBytes -= before - (files[identity]?.content.keptBytes ?? 0)
    } else {
      writes += 1
      files[identity]?.lastWrite = (written, writes)
    }
  }

  private func dropDurableFiles() {
    files = files.filter { _, file in
      guard let status = file.pin.status else { return false }
      if status.st_nlink == 0, !keepsNames { return false }
      return !file.content.isDurable(size: Int64(status.st_size)) || file.underWay > 0
    }
    keptBytes = files.values.reduce(0) { $0 + $1.content.keptBytes }
  }

  // MARK: - Names

  func note(
    _ change: NameLog.Entry.Change, in folder: PinnedFile, _ name: [UInt8], paths: [String]
  ) {
    guard keepsNames else { return }
    guard names.entries.count < fileLimit else {
      shortcoming = "more than \(fileLimit) names"
      return
    }
    names.add(change, in: folder, name, paths: paths)
  }

  // MARK: - Durability

  /// A call begins that makes files durable: one, all of a device, or all.
  func beginSync(of status: stat?, wholeDevice: Bool = false) -> Sync {
    var sync = Sync()
    sync.mark = names.mark
    sync.writes = writes
    if let status, !wholeDevice {
      let identity = FileIdentity(status)
      if status.isFolder { sync.names = .folder(identity) }
      begin(identity, &sync)
    } else {
      sync.names = status.map { .device($0.st_dev) } ?? .all
      for identity in files.keys where status.map({ $0.st_dev == identity.device }) ?? true {
        begin(identity, &sync)
      }
    }
    return sync
  }

  /// A call begins that makes some files durable.
  func beginSync(of identities: [FileIdentity]) -> Sync {
    var sync = Sync()
    sync.writes = writes
    for identity in identities { begin(identity, &sync) }
    return sync
  }

  private func begin(_ identity: FileIdentity, _ sync: inout Sync) {
    guard let file = files[identity], let status = file.pin.status,
      let number = files[identity]?.content.beginSync(size: Int64(status.st_size))
    else { return }
    sync.files.append((identity, number))
  }

  /// It has ended well.
  func endSync(_ sync: Sync) {
    for (identity, number) in sync.files {
      let before = files[identity]?.content.keptBytes ?? 0
      files[identity]?.content.endSync(number)
      if files[identity]?.lastWrite?.number ?? 0 <= sync.writes { files[identity]?.lastWrite = nil }
      keptBytes -= before - (files[identity]?.content.keptBytes ?? 0)
    }
    if let extent = sync.names { names.endSync(of: extent, mark: sync.mark) }
    if files.count > fileLimit / 2 { dropDurableFiles() }
  }

  // MARK: - The crash

  /// The files that lose something, and how many bytes of them change or go.
  func loss(_ globs: DiskGlobs) -> (files: Int, names: Int) {
    let lost = files.values.filter { file in
      guard let status = file.pin.status, status.st_nlink > 0 || keepsNames else { return false }
      return globs.cover(file.path) && !file.content.isDurable(size: Int64(status.st_size))
    }
    return (lost.count, names.entries.count { $0.paths.contains(where: globs.cover) })
  }

  /// Puts files into the state that a crash of the machine would have left; nobody may write any more.
  func crash(_ crash: PlannedCrash, _ globs: DiskGlobs) {
    let torn = crash.torn.flatMap { tornWrite(of: $0, globs) }
    for file in files.values where globs.cover(file.path) || globs.cover(currentPath(of: file)) {
      // What is as it should be keeps its times.
      if let size = file.pin.status?.st_size, file.content.isDurable(size: Int64(size)) { continue }
      let copy = file.pin.reopenForWriting()
      guard copy >= 0 else {
        shortcoming = "a file that cannot be written"
        continue
      }
      for piece in file.content.restoration { Self.write(piece, to: copy) }
      ftruncate(copy, off_t(file.content.durableSize))
      close(copy)
    }
    if let torn {
      let copy = torn.file.reopenForWriting()
      if copy >= 0 {
        Self.write(torn.piece, to: copy)
        close(copy)
      }
    }
    if crash.names == .lost { names.undo { globs.cover($0) } }
    forget()
  }

  private func currentPath(of file: File) -> String { file.pin.plainPath(file.pin.status) }

  /// What is left is durable.
  func forget() {
    files = [:]
    names.removeAll()
    keptBytes = 0
  }

  /// The beginning of the write that came last, as it stands in the file.
  private func tornWrite(
    of count: Int, _ globs: DiskGlobs
  ) -> (file: PinnedFile, piece: UnsyncedFile.Piece)? {
    let last = files.values.filter { $0.lastWrite != nil && globs.cover($0.path) }
      .max { ($0.lastWrite?.number ?? 0) < ($1.lastWrite?.number ?? 0) }
    guard let last, let range = last.lastWrite?.range else { return nil }
    let length = min(Int64(count), range.upperBound - range.lowerBound)
    let copy = last.pin.reopen(O_RDONLY)
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    guard length > 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, done in
      done = max(0, pread(copy, buffer.baseAddress, Int(length), off_t(range.lowerBound)))
    }
    return (last.pin, UnsyncedFile.Piece(offset: range.lowerBound, bytes: bytes))
  }

  private static func write(_ piece: UnsyncedFile.Piece, to descriptor: Int32) {
    piece.bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let part = pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(piece.offset) + off_t(done))
        guard part > 0 else { return }
        done += part
      }
    }
  }
}
