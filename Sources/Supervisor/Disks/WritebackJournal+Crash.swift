internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension WritebackJournal {
  /// Returns the number of files and of names that a crash changes.
  func loss(_ crash: PlannedCrash, _ globs: DiskGlobs) -> (files: Int, names: Int) {
    let lost = files.values.filter { file in
      guard let status = file.pin.status, status.st_nlink > 0 || keepsNames,
        let content = file.contents[crash.names]
      else { return false }
      return isMeant(file, by: globs) && !isDurable(file, content, status)
    }
    return (lost.count, names.entries.count { $0.paths.contains(where: globs.cover) })
  }

  /// Puts files into the state after a crash of the machine; no process may write after that.
  func crash(_ crash: PlannedCrash, _ globs: DiskGlobs) {
    let torn = crash.torn.flatMap { tornWrite(of: $0, globs) }
    for file in files.values where isMeant(file, by: globs) {
      guard let content = file.contents[crash.names], let status = file.pin.status else { continue }
      // What is as it should be keeps its times.
      if isDurable(file, content, status) { continue }
      let copy = file.pin.reopenForWriting()
      guard copy >= 0 else {
        recordBlindness("\(file.path) cannot be written")
        continue
      }
      for piece in content.restoration { Self.write(piece, to: copy) }
      ftruncate(copy, off_t(content.durableSize))
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

  /// The beginning of the write that came last, as it stands in the file.
  private func tornWrite(
    of count: Int, _ globs: DiskGlobs
  ) -> (file: FileHandle, piece: UnsyncedFile.Piece)? {
    let last = files.values.filter { $0.lastWrite != nil && isMeant($0, by: globs) }
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
    switch piece.content {
    case .bytes(let bytes): write(bytes, at: piece.offset, to: descriptor)
    case .zeros:
      let zeros = [UInt8](repeating: 0, count: 1 << 16)
      var place = piece.offset
      // What is a hole, or behind the end, is zeros already (lseek(2): SEEK_DATA of `linux/fs.h`).
      while place < piece.end, case let data = lseek(descriptor, off_t(place), 3), data >= 0 {
        place = max(place, Int64(data))
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let end = min(piece.end, Int64(status.st_size), place + Int64(zeros.count))
        guard place < end else { return }
        write(Array(zeros.prefix(Int(end - place))), at: place, to: descriptor)
        place = end
      }
    }
  }

  private static func write(_ bytes: [UInt8], at offset: Int64, to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let part = pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(offset) + off_t(done))
        guard part > 0 else { return }
        done += part
      }
    }
  }
}
