internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// The target's changes on the disk that it has not made durable: a crash of the machine takes them
/// back.
///
/// Before bytes are changed they are read; where the file is synced they are forgotten. What is
/// mapped for writing may change at any time, and so it is read when it is mapped, and again at
/// each sync.
final class WritebackJournal {
  /// A file with changes.
  struct File {
    var pin: FileHandle
    var path: String
    /// The content after each kind of crash that may come.
    var contents: [NameLoss: UnsyncedFile]
    /// The last bytes that were written, and when, counted over all files.
    var lastWrite: (range: Range<Int64>, number: Int)?
    /// Changes at a descriptor's own place that are under way.
    var underWay: Int64 = 0
    /// The bytes that may change without a call.
    var mapped = ByteRanges()

    var keptBytes: Int { contents.values.reduce(0) { $0 + $1.keptBytes } }

    mutating func change(_ body: (inout UnsyncedFile) -> Void) {
      for key in contents.keys {
        guard var content = contents.removeValue(forKey: key) else { continue }
        body(&content)
        contents[key] = content
      }
    }
  }

  /// A call under way that makes something durable.
  struct Sync {
    fileprivate var files: [(FileIdentity, [NameLoss: Int])] = []
    /// The same of parts of files.
    fileprivate var parts: [(FileIdentity, Range<Int64>)] = []
    /// The names that it makes durable.
    fileprivate var names: RenameJournal.Extent?
    fileprivate var mark = 0
    /// The number of writes before it.
    fileprivate var writes = 0
  }

  /// Bytes that are kept at most, over all files.
  private static let byteLimit = 1 << 28

  /// The patterns of the files that are followed.
  let globs: DiskGlobs
  /// The kinds of crashes that may come.
  private let losses: Set<NameLoss>
  /// True if names are followed.
  var keepsNames: Bool { losses.contains(.lost) }
  /// The maximum number of files that are followed.
  let fileLimit: Int

  private(set) var files: [FileIdentity: File] = [:]
  /// Files that are mapped for reading, by descriptors that would let them be mapped for writing.
  private var candidates: [FileIdentity: (pin: FileHandle, path: String)] = [:]
  var names = RenameJournal()
  private var writes = 0
  private var keptBytes = 0
  /// The reason, in a sentence, why not every change could be followed.
  private(set) var shortcoming: String?
  private var untracked = UntrackedFiles()
  /// The files that commands outside of the environment may be writing.
  var outsideWrites = OutsideWrites()

  init(globs: DiskGlobs, losses: Set<NameLoss>, fileLimit: Int) {
    self.globs = globs
    self.losses = losses
    self.fileLimit = fileLimit
  }

  /// Returns whether a crash takes back a change to what a path names.
  func follows(_ path: String) -> Bool { globs.cover(path) }

  /// Returns whether patterns match a file: by the path at which it was met, or where it stands now.
  func isMeant(_ file: File, by globs: DiskGlobs) -> Bool {
    globs.cover(file.path) || globs.cover(file.pin.plainPath(file.pin.status))
  }

  /// Returns whether a crash takes back a change to a file that is met at a path.
  func follows(_ status: stat, at path: String) -> Bool {
    globs.cover(path) || files[FileIdentity(status)].map { isMeant($0, by: globs) } ?? false
  }

  /// Records that writes or syncs may have been missed.
  ///
  /// - Parameter reason: a sentence.
  func recordBlindness(_ reason: String) { shortcoming = reason }

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
    _ pin: FileHandle, _ status: stat, path: String, range: Range<Int64>, byPosition: Bool
  ) {
    changeFile(pin, status, path) { file in
      var range = range
      if byPosition {
        let end = range.upperBound.addingReportingOverflow(file.underWay)
        let length = range.upperBound - range.lowerBound
        range = range.lowerBound..<(end.overflow ? Int64.max : end.partialValue)
        file.underWay = file.underWay.addingReportingOverflow(length).partialValue
      }
      save(&file, range)
    }
  }

  private func changeFile(
    _ pin: FileHandle, _ status: stat, _ path: String, _ body: (inout File) -> Void
  ) {
    let identity = FileIdentity(status)
    // Taken out, as what has two owners is copied when it changes.
    var known = files.removeValue(forKey: identity)
    if known == nil {
      // What the patterns match comes first.
      guard globs.cover(path) || files.count < fileLimit / 2 else { return disregard(status) }
      if files.count >= fileLimit { dropDurableFiles() }
      if files.count >= fileLimit { dropUnmeantFiles() }
      guard files.count < fileLimit else {
        shortcoming = "more than \(fileLimit) files have changes that are not durable"
        return
      }
      let size = Int64(status.st_size)
      let contents = losses.map { ($0, UnsyncedFile(size: size, keepsLengths: $0 == .kept)) }
      known = File(pin: pin, path: path, contents: Dictionary(uniqueKeysWithValues: contents))
    }
    guard var file = known.take() else { return }
    body(&file)
    files[identity] = file
  }

  private func save(_ file: inout File, _ range: Range<Int64>) {
    guard file.contents.values.contains(where: { !$0.unsaved(in: range).isEmpty }) else { return }
    let copy = file.pin.reopen(O_RDONLY)
    guard copy >= 0 else {
      return recordBlindness(of: file, "\(file.path) was changed and cannot be read")
    }
    defer { close(copy) }
    let status = file.pin.status
    let end = Int64(status?.st_size ?? 0)
    var holes = ByteRanges()
    // A mapping may be far larger than what is in it.
    for hole in status.map({ file.pin.holes(in: range, $0) }) ?? [] {
      holes.insert(hole.clamped(to: 0..<max(0, end)))
    }
    var isCut = false
    file.change { content in
      for run in content.unsaved(in: range) {
        for hole in holes.within(run) { content.saveHole(hole) }
        for data in holes.missing(in: run) {
          guard let bytes = read(data, of: copy, &isCut) else { return }
          keptBytes += bytes.count
          content.save(bytes, at: data.lowerBound)
        }
      }
    }
    guard isCut else { return }
    recordBlindness(of: file, "more than \(Self.byteLimit) changed bytes are not durable")
  }

  private func read(_ run: Range<Int64>, of descriptor: Int32, _ isCut: inout Bool) -> [UInt8]? {
    let rest = max(0, Self.byteLimit - keptBytes)
    let length = Int(min(run.upperBound - run.lowerBound, Int64(rest)))
    if Int64(length) < run.upperBound - run.lowerBound { isCut = true }
    guard length > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        let part = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, length - count,
          off_t(run.lowerBound) + off_t(count))
        guard part > 0 else { break }
        count += part
      }
    }
  }

  /// Records the end of a write.
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
    if !isDurable {
      writes += 1
      files[identity]?.lastWrite = (written, writes)
    }
    let size = isDurable ? Int64(files[identity]?.pin.status?.st_size ?? .max) : 0
    changeContents(of: identity) { content in
      content.recordWrite(written)
      if isDurable { content.makeDurable(written, size: size) }
    }
    if isDurable { saveMapped(of: identity, in: written) }
  }

  /// A call has changed a file's length, or moved or cleared what is in it.
  func recordChange(of status: stat, _ body: (inout UnsyncedFile) -> Void) {
    changeContents(of: FileIdentity(status), body)
  }

  func changeContents(of identity: FileIdentity, _ body: (inout UnsyncedFile) -> Void) {
    guard var file = files.removeValue(forKey: identity) else { return }
    let before = file.keptBytes
    file.change(body)
    keptBytes += file.keptBytes - before
    files[identity] = file
  }

  private func dropDurableFiles() {
    files = files.filter { _, file in
      guard let status = file.pin.status else { return false }
      if status.st_nlink == 0, !keepsNames { return false }
      return file.underWay > 0 || file.contents.values.contains { !isDurable(file, $0, status) }
    }
    keptBytes = files.values.reduce(0) { $0 + $1.keptBytes }
  }

  /// Returns whether a crash would leave a file as it is.
  func isDurable(_ file: File, _ content: UnsyncedFile, _ status: stat) -> Bool {
    if content.isDurable(size: Int64(status.st_size)) { return true }
    guard !file.mapped.isEmpty, content.durableSize == Int64(status.st_size) else { return false }
    // What is mapped was read, whether it has changed or not.
    let copy = file.pin.reopen(O_RDONLY)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    return content.restoration.allSatisfy { Self.stands($0, in: copy) }
  }

  private static func stands(_ piece: UnsyncedFile.Piece, in descriptor: Int32) -> Bool {
    guard case .bytes(let bytes) = piece.content else {
      // lseek(2): SEEK_DATA of `linux/fs.h`; ENXIO is a hole up to the end.
      let data = lseek(descriptor, off_t(piece.offset), 3)
      return data < 0 ? errno == ENXIO : Int64(data) >= piece.end
    }
    var place = 0
    while place < bytes.count {
      let length = min(bytes.count - place, 1 << 16)
      let met = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        count = max(
          0, pread(descriptor, buffer.baseAddress, length, off_t(piece.offset) + off_t(place)))
      }
      guard met.count > 0, met[...] == bytes[place..<place + met.count] else { return false }
      place += met.count
    }
    return true
  }

  // MARK: - Files from elsewhere

  /// A file that the patterns do not match is changed in a way that is not followed.
  func disregard(_ status: stat) { untracked.insert(FileIdentity(status)) }

  /// Changes of a file are unknown: so is its state after a crash, if that takes them back.
  private func recordBlindness(of file: File, _ reason: String) {
    if isMeant(file, by: globs) { return recordBlindness(reason) }
    if let status = file.pin.status { disregard(status) }
  }

  private func dropUnmeantFiles() {
    for (identity, file) in files where !isMeant(file, by: globs) {
      if let status = file.pin.status { disregard(status) }
      files[identity] = nil
    }
    keptBytes = files.values.reduce(0) { $0 + $1.keptBytes }
  }

  /// A file or folder gets a name that the patterns match from one that they do not: what was changed of it before is
  /// taken back as well.
  ///
  /// - Parameters:
  ///   - status: its status.
  ///   - path: its new path.
  func recordArrival(of status: stat, at path: String) {
    let identity = FileIdentity(status)
    files[identity]?.path = path
    guard untracked.mayHold(identity, isFolder: status.isFolder) else { return }
    recordBlindness(
      "\(path) comes from another folder, and what was changed of it there is not known")
  }

  // MARK: - Mappings

  /// A file gets mapped in such a way that its bytes may change without a call.
  func map(_ pin: FileHandle, _ status: stat, path: String, _ range: Range<Int64>) {
    changeFile(pin, status, path) { file in
      file.mapped.insert(range)
      save(&file, range)
    }
  }

  /// A file gets mapped for reading; mprotect(2) may make that a mapping for writing.
  func recordCandidate(_ pin: FileHandle, _ status: stat, path: String) {
    guard candidates.count < fileLimit else {
      shortcoming = "more than \(fileLimit) files are mapped"
      return
    }
    candidates[FileIdentity(status)] = (pin, path)
  }

  /// A call lets mappings be written to, or makes them longer.
  func recordProtection(of mappings: [MappedFiles.Part]) {
    for mapping in mappings {
      for (identity, known) in candidates where mapping.isOf(known.pin, identity) {
        guard let status = known.pin.status else { continue }
        map(known.pin, status, path: known.path, mapping.range)
      }
      for (identity, file) in files where mapping.isOf(file.pin, identity) {
        guard !file.mapped.isEmpty, let status = file.pin.status else { continue }
        map(file.pin, status, path: file.path, mapping.range)
      }
    }
  }

  /// True if any file is mapped, so that its mappings are worth being looked up.
  var hasMappings: Bool {
    !candidates.isEmpty || files.values.contains { !$0.mapped.isEmpty }
  }

  /// Saves the mapped bytes of a file as they are now.
  private func saveMapped(of identity: FileIdentity, in range: Range<Int64> = 0..<Int64.max) {
    guard let mapped = files[identity]?.mapped, !mapped.isEmpty,
      var file = files.removeValue(forKey: identity)
    else { return }
    for part in mapped.within(range) { save(&file, part) }
    files[identity] = file
  }

  // MARK: - Names

  func record(
    _ change: RenameJournal.Entry.Change, in folder: FileHandle, _ name: [UInt8], paths: [String]
  ) {
    guard keepsNames else { return }
    guard names.entries.count < fileLimit else {
      shortcoming = "more than \(fileLimit) changed names are not durable"
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

  /// A call begins that makes parts of mapped files durable.
  func beginSync(of mappings: [MappedFiles.Part]) -> Sync {
    var sync = Sync()
    for mapping in mappings {
      for (identity, file) in files where mapping.isOf(file.pin, identity) {
        sync.parts.append((identity, mapping.range))
      }
    }
    return sync
  }

  private func begin(_ identity: FileIdentity, _ sync: inout Sync) {
    guard let status = files[identity]?.pin.status, var file = files.removeValue(forKey: identity)
    else { return }
    var numbers: [NameLoss: Int] = [:]
    for key in file.contents.keys {
      numbers[key] = file.contents[key]?.beginSync(size: Int64(status.st_size))
    }
    files[identity] = file
    saveMapped(of: identity)
    sync.files.append((identity, numbers))
  }

  /// Ends a sync that succeeded.
  func endSync(_ sync: Sync) {
    for (identity, numbers) in sync.files {
      guard var file = files.removeValue(forKey: identity) else { continue }
      let before = file.keptBytes
      for (key, number) in numbers { file.contents[key]?.endSync(number) }
      keptBytes += file.keptBytes - before
      if file.lastWrite?.number ?? 0 <= sync.writes { file.lastWrite = nil }
      files[identity] = file
    }
    for (identity, range) in sync.parts {
      let size = Int64(files[identity]?.pin.status?.st_size ?? 0)
      let range = range.clamped(to: 0..<max(0, size))
      changeContents(of: identity) { $0.makeDurable(range, size: size) }
      saveMapped(of: identity, in: range)
    }
    if let extent = sync.names { names.endSync(of: extent, mark: sync.mark) }
    if files.count > fileLimit / 2 { dropDurableFiles() }
  }

  /// A call that was to make something durable has failed: a later one finds nothing left to write.
  func failSync(_ sync: Sync) {
    for identity in sync.files.map(\.0) + sync.parts.map(\.0) {
      guard let file = files[identity], let status = file.pin.status else { continue }
      guard file.mapped.isEmpty else {
        recordBlindness(of: file, "a sync of \(file.path) failed, which is mapped for writing")
        continue
      }
      changeContents(of: identity) { $0.failSync(size: Int64(status.st_size)) }
    }
  }

  /// What is left is durable.
  func forget() {
    files = [:]
    candidates = [:]
    untracked = UntrackedFiles()
    names.removeAll()
    keptBytes = 0
  }
}
