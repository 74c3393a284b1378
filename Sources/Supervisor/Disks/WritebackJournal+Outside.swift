internal import Glibc

// What is written from outside of the simulated machine does not go down with it. Who opens a file for writing may write
// it until it ends, and what it has written is not told from what the target has: all of the file is durable by that, as
// if the kernel had written it back just then. So is the name by which the file was met, with those of its folders.
extension WritebackJournal {
  /// The runner has written a file.
  func recordOutsideWrite(to path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    names.forget(NamePlace.way(to: Array(DiskWatch.canonical(path).utf8)))
    makeDurable(FileIdentity(status))
  }

  /// A command is about to make a call that changes names, or with which it can write a file.
  func beginOutsideWrite(_ touch: DiskOperation, by command: Int32) {
    switch touch.action {
    case .open, .resize, .make, .link, .remove, .move: break
    default: return
    }
    guard outsideWrites.count < fileLimit else {
      return recordBlindness("an `exec:` step writes more than \(fileLimit) files")
    }
    for case let place? in [touch.place, touch.target] {
      outsideWrites.add(place.folder, place.name, by: command)
      names.forget(NamePlace.way(to: place.folder.path + [UInt8(ascii: "/")] + place.name))
    }
    guard touch.place == nil, let file = touch.file, let status = touch.status, status.isRegular
    else { return }
    outsideWrites.add(FileIdentity(status), by: command)
    names.forget(NamePlace.way(to: file.path))
  }

  /// A command has ended.
  ///
  /// - Parameters:
  ///   - command: its keeper's number.
  ///   - isComplete: whether nothing lives that it has started, and could write on.
  func endOutsideWrites(of command: Int32, isComplete: Bool) {
    makeOutsideWritesDurable(of: command)
    if isComplete { outsideWrites.remove(command) }
  }

  /// Makes durable what commands have written so far.
  ///
  /// - Parameter command: the command; `nil` for all of them.
  func makeOutsideWritesDurable(of command: Int32? = nil) {
    names.forget(outsideWrites.places(of: command))
    for file in outsideWrites.files(of: command) { makeDurable(file) }
  }

  private func makeDurable(_ identity: FileIdentity) {
    guard let status = files[identity]?.pin.status else { return }
    // What a sync had failed to write is written anew.
    changeContents(of: identity) { $0.recordWrite(0..<Int64.max) }
    endSync(beginSync(of: status))
  }
}
