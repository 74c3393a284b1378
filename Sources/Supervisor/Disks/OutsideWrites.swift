internal import Glibc

/// The files that commands outside the world may be writing, by their keepers' numbers.
struct OutsideWrites {
  /// The files that one command has opened for writing, and the names that it has created.
  private struct Command {
    var files: Set<FileIdentity> = []
    var places: Set<NamePlace> = []
  }

  private var commands: [Int32: Command] = [:]
  /// The folders of names.
  private var folders: [FileIdentity: FileHandle] = [:]

  /// The number of files and names that are kept.
  var count: Int { commands.values.reduce(0) { $0 + $1.files.count + $1.places.count } }

  /// A command may write a file from now on.
  mutating func add(_ file: FileIdentity, by command: Int32) {
    commands[command, default: Command()].files.insert(file)
  }

  /// A command is about to change what stands under a name.
  mutating func add(_ folder: FileHandle, _ name: [UInt8], by command: Int32) {
    guard let identity = folder.status.map({ FileIdentity($0) }) else { return }
    folders[identity] = folders[identity] ?? folder
    commands[command, default: Command()].places.insert(NamePlace(folder: identity, name: name))
  }

  /// The files that commands may have written.
  ///
  /// - Parameter command: the command; `nil` for all of them.
  func files(of command: Int32?) -> Set<FileIdentity> {
    let meant = commands.filter { command == nil || $0.key == command }.values
    return meant.reduce(into: []) { files, known in
      files.formUnion(known.files)
      files.formUnion(known.places.compactMap(file))
    }
  }

  /// The names that commands have changed.
  func places(of command: Int32?) -> Set<NamePlace> {
    commands.filter { command == nil || $0.key == command }.values
      .reduce(into: []) { $0.formUnion($1.places) }
  }

  private func file(at place: NamePlace) -> FileIdentity? {
    var status = stat()
    return (place.name + [0]).withUnsafeBytes { buffer in
      guard let name = buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        let folder = folders[place.folder],
        fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      else { return nil }
      return FileIdentity(status)
    }
  }

  /// A command, and all that it has started, writes no more.
  mutating func remove(_ command: Int32) {
    commands[command] = nil
    if commands.isEmpty { folders = [:] }
  }
}
