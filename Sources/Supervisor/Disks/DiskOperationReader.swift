internal import FaultEngine
internal import Glibc

// MARK: - Reading a call

/// Reads what a call of a stopped thread acts on.
struct DiskOperationReader {
  let thread: ThreadIdentifier
  let registers: Registers
  let memory: TargetMemory
  private let paths: TargetPaths

  init(of tracee: Tracee, _ registers: Registers, _ memory: TargetMemory) {
    self.init(ofThread: tracee.identifier, registers, memory)
  }

  init(ofThread thread: ThreadIdentifier, _ registers: Registers, _ memory: TargetMemory) {
    self.thread = thread
    self.registers = registers
    self.memory = memory
    paths = TargetPaths(thread: thread)
  }

  /// Returns the operation of a call; `nil` if there is none, or if the call will fail.
  func read(_ call: DiskCall) -> DiskOperation? {
    switch call {
    case .write(let size, let offset, let flags): write(size, offset, flags)
    case .transfer(let from, let fromOffset, let to, let toOffset, let size):
      transfer(from, fromOffset, to, toOffset, size)
    case .allocate:
      opened(0) { _, _ in
        .allocate(range(number(2), number(3)), mode: int(1))
      }
    case .resize: opened(0) { _, _ in .resize(to: number(1)) }
    case .resizePath: existing(0, nil, .resize(to: number(1)))
    case .clone:
      DiskCall.cloneRequests.contains(UInt32(truncatingIfNeeded: registers[argument: 1]))
        ? opened(0) { _, _ in .clone } : nil
    case .open(let path, let directory, let flags):
      open(path, directory, flags: registers[argument: flags])
    case .openWithStructure:
      open(1, 0, flags: memory.read(UInt64.self, at: registers[argument: 2]) ?? 0)
    case .create: open(0, nil, flags: UInt64(O_CREAT | O_WRONLY | O_TRUNC))
    case .makeFolder(let path, let directory):
      make(path, directory, room: FileHandle.blockSize, isFolder: true)
    case .makeNode(let path, let directory): make(path, directory, room: 0)
    case .makeLink(let text, let path, let directory):
      make(path, directory, room: roomOfLink(text))
    case .link(let from, let fromFolder, let to, let toFolder, let flags):
      link(from, fromFolder, to, toFolder, flags)
    case .remove(let path, let directory): remove(path, directory)
    case .move(let from, let fromFolder, let to, let toFolder, let flags):
      move(from, fromFolder, to, toFolder, flags)
    case .bind: bind()
    case .attribute(let path, let directory, let flags, let followsLink):
      attribute(path, directory, flags, followsLink: followsLink)
    case .attributeOfDescriptor: pinned(0, .attribute)
    case .access(let path, let directory, let mode):
      int(mode) & W_OK != 0 ? existing(path, directory, .access) : nil
    case .question: existing(0, nil, .question(registers[argument: 1]))
    case .questionOfDescriptor: pinned(0, .question(registers[argument: 1]))
    case .map: map()
    case .protect:
      DiskOperation(
        action: .protect(addresses(registers[argument: 0], registers[argument: 1]), length: nil))
    case .remap:
      // mremap(2): the old address and length, then the new length.
      DiskOperation(
        action: .protect(
          addresses(registers[argument: 0], max(1, registers[argument: 1])),
          length: Int64(clamping: registers[argument: 2])))
    case .sync: pinned(0, .sync)
    case .flush: pinned(0, .flush)
    case .syncDisk: pinned(0, .syncDisk)
    case .syncAll: DiskOperation(action: .syncAll)
    case .syncMapping:
      int(2) & MS_SYNC != 0
        ? DiskOperation(
          action: .syncMapping(addresses(registers[argument: 0], registers[argument: 1])))
        : nil
    }
  }

  private func int(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: registers[argument: index]) }
  private func number(_ index: Int) -> Int64 { Int64(bitPattern: registers[argument: index]) }

  private func range(_ start: Int64, _ length: Int64) -> Range<Int64> {
    let start = max(0, start)
    let (end, overflow) = start.addingReportingOverflow(max(0, length))
    return start..<(overflow ? Int64.max : end)
  }

  private func addresses(_ start: UInt64, _ length: UInt64) -> Range<UInt64> {
    let (end, overflow) = start.addingReportingOverflow(length)
    return start..<(overflow ? UInt64.max : end)
  }

  private func roomOfLink(_ text: Int) -> Int64 {
    let length = memory.readPath(PathArgument(address: registers[argument: text], directory: 0))
    return Int64(length?.count ?? 0) >= FileHandle.longText ? FileHandle.blockSize : 0
  }

  // MARK: - Descriptors

  private func pinned(_ index: Int, _ action: DiskOperation.Action) -> DiskOperation? {
    guard let file = try? paths.file(behind: int(index)), let status = file.status,
      status.isFileOrFolder
    else { return nil }
    return DiskOperation(
      action: action, file: file, status: status, path: file.plainPath(status))
  }

  /// A regular file that is open for writing.
  private func opened(
    _ index: Int, _ action: (DescriptorPosition, stat) -> DiskOperation.Action?
  ) -> DiskOperation? {
    guard var touch = pinned(index, .sync), let status = touch.status, status.isRegular,
      let position = DescriptorPosition(thread: thread, descriptor: int(index)),
      position.isWritable, let made = action(position, status)
    else { return nil }
    touch.action = made
    return touch
  }

  private func write(_ size: DiskCall.Size, _ offset: Int?, _ flags: Int?) -> DiskOperation? {
    let length: Int64
    switch size {
    case .argument(let index): length = number(index)
    case .vector:
      let transfer = SystemCallTraits.of("writev").transfer
      length = Int64(
        clamping: transfer.flatMap { TransferMemory($0, size: nil, registers, memory)?.total } ?? 0)
    }
    guard length > 0 else { return nil }
    // RWF_DSYNC, RWF_SYNC, RWF_APPEND and RWF_NOAPPEND of pwritev2(2).
    let options = flags.map { registers[argument: $0] } ?? 0
    return opened(0) { position, status in
      let appends = options & 0x10 != 0 || position.appends && options & 0x20 == 0
      let own = offset.map { number($0) }
      // pwritev2(2): the offset -1 is the descriptor's own place.
      let isOwn = own == nil || (own == -1 && flags != nil)
      let start = appends ? Int64(status.st_size) : isOwn ? position.place : own ?? 0
      return .write(
        range(start, min(length, Self.transferLimit)), byPosition: isOwn || appends,
        isDurable: position.isDurable || options & 0x6 != 0)
    }
  }

  /// The most that one call writes (write(2)).
  private static let transferLimit: Int64 = 0x7fff_f000

  private func transfer(
    _ from: Int, _ fromOffset: Int, _ to: Int, _ toOffset: Int?, _ size: Int
  ) -> DiskOperation? {
    var length = min(max(0, number(size)), Self.transferLimit)
    if let source = try? paths.file(behind: int(from)), let status = source.status,
      status.isRegular
    {
      let start = offset(behind: fromOffset, of: int(from))
      length = min(length, max(0, Int64(status.st_size) - start))
    }
    guard length > 0 else { return nil }
    return opened(to) { position, status in
      let own = toOffset.flatMap { memory.read(Int64.self, at: registers[argument: $0]) }
      let start = position.appends ? Int64(status.st_size) : own ?? position.place
      return .write(
        range(start, length), byPosition: own == nil, isDurable: position.isDurable)
    }
  }

  /// Returns the offset at which a transfer begins to read.
  private func offset(behind index: Int, of descriptor: Int32) -> Int64 {
    let pointer = registers[argument: index]
    if pointer != 0 { return memory.read(Int64.self, at: pointer) ?? 0 }
    return DescriptorPosition(thread: thread, descriptor: descriptor)?.place ?? 0
  }

  private func map() -> DiskOperation? {
    // mmap(2): MAP_ANONYMOUS has no file. A mapping may be made writable later where its descriptor is.
    guard int(3) & MAP_SHARED != 0, int(3) & MAP_ANONYMOUS == 0 else { return nil }
    return opened(4) { _, _ in
      .map(isWritable: int(2) & PROT_WRITE != 0, range(number(5), number(1)))
    }
  }

  // MARK: - Paths

  /// The path in an argument.
  func argument(_ index: Int, _ directory: Int?) -> PathArgument {
    PathArgument(
      address: registers[argument: index], directory: directory.map { int($0) } ?? AT_FDCWD)
  }

  /// Returns the operation on the existing file that a path names.
  private func existing(
    _ index: Int, _ directory: Int?, _ action: DiskOperation.Action, flags: Int32 = 0
  ) -> DiskOperation? {
    let argument = argument(index, directory)
    // utimensat(2): without a path the descriptor is meant.
    let path = argument.address == 0 && directory != nil ? [] : memory.readPath(argument)
    guard let path, !path.isEmpty || directory != nil,
      let file = try? paths.file(at: path, from: argument.directory, flags: flags),
      let status = file.status, status.isFileOrFolder
    else { return nil }
    return DiskOperation(action: action, file: file, status: status, path: file.plainPath(status))
  }

  private func attribute(
    _ index: Int, _ directory: Int?, _ flags: Int?, followsLink: Bool
  ) -> DiskOperation? {
    let staysAtLink = flags.map { int($0) & AT_SYMLINK_NOFOLLOW != 0 } ?? false
    return existing(
      index, directory, .attribute, flags: followsLink && !staysAtLink ? 0 : O_NOFOLLOW)
  }

  /// Returns the name at the end of a path, whether it exists or not; `nil` if its folder is
  /// missing.
  func place(_ argument: PathArgument) -> DiskOperation.Place? {
    guard let path = memory.readPath(argument), let entry = EntryPath(path),
      let folder = try? paths.file(
        at: entry.folder, from: argument.directory, flags: O_DIRECTORY)
    else { return nil }
    let parent = folder.plainPath(folder.status)
    let name = String(decoding: entry.name, as: UTF8.self)
    return DiskOperation.Place(
      folder: folder, name: entry.name,
      file: try? paths.file(at: path, from: argument.directory, flags: O_NOFOLLOW),
      path: parent == "/" ? "/\(name)" : "\(parent)/\(name)")
  }

  private func make(
    _ index: Int, _ directory: Int?, room: Int64, isFolder: Bool = false
  ) -> DiskOperation? {
    guard let place = place(argument(index, directory)), place.file == nil else { return nil }
    return DiskOperation(
      action: .make(room: room, isFolder: isFolder), path: place.path, place: place)
  }

  private func link(
    _ from: Int, _ fromFolder: Int?, _ to: Int, _ toFolder: Int?, _ flags: Int?
  ) -> DiskOperation? {
    guard let place = place(argument(to, toFolder)), place.file == nil else { return nil }
    var touch = DiskOperation(action: .link(from: ""), path: place.path, place: place)
    // linkat(2): AT_SYMLINK_FOLLOW; with AT_EMPTY_PATH the descriptor's file is meant.
    let options = flags.map { int($0) } ?? 0
    let argument = argument(from, fromFolder)
    guard let path = memory.readPath(argument), !path.isEmpty || options & PathFlags.emptyPath != 0,
      let file = try? paths.file(
        at: path, from: argument.directory,
        flags: options & AT_SYMLINK_FOLLOW != 0 ? 0 : O_NOFOLLOW),
      let status = file.status
    else { return nil }
    touch.file = file
    touch.status = status
    touch.action = .link(from: file.plainPath(status))
    // link(2): EPERM, EXDEV.
    touch.isInVain = status.isFolder || status.st_dev != place.folder.status?.st_dev
    return touch
  }

  private func remove(_ index: Int, _ directory: Int?) -> DiskOperation? {
    guard let place = place(argument(index, directory)) else { return nil }
    var touch = DiskOperation(action: .remove, path: place.path, place: place)
    touch.file = place.file
    touch.status = place.file?.status
    return touch
  }

  private func move(
    _ from: Int, _ fromFolder: Int?, _ to: Int, _ toFolder: Int?, _ flags: Int?
  ) -> DiskOperation? {
    guard let source = place(argument(from, fromFolder)),
      let target = place(argument(to, toFolder))
    else { return nil }
    // RENAME_EXCHANGE of renameat2(2).
    let options = flags.map { registers[argument: $0] } ?? 0
    let exchanges = options & 2 != 0
    var touch = DiskOperation(
      action: .move(exchanges: exchanges), file: source.file, status: source.file?.status,
      path: source.path, place: source, target: target)
    // rename(2): RENAME_NOREPLACE gives EEXIST; EXDEV, EISDIR, ENOTDIR; two names of one file stay as they are.
    let met = target.file?.status
    touch.isInVain =
      options & 1 != 0 && met != nil || touch.isOfOneFile
      || touch.status?.st_dev != target.folder.status?.st_dev
      || !exchanges && met.map { $0.isFolder != touch.status?.isFolder } ?? false
    return touch
  }

  private func bind() -> DiskOperation? {
    // unix(7): the family, two bytes, then the path; an abstract name begins with a zero byte.
    let address = registers[argument: 1]
    let length = Int(UInt32(truncatingIfNeeded: registers[argument: 2])) - 2
    guard (1...108).contains(length), let family = memory.read(UInt16.self, at: address),
      Int32(family) == AF_UNIX, let first = memory.read(UInt8.self, at: address &+ 2), first != 0,
      let place = place(
        PathArgument(address: address &+ 2, directory: AT_FDCWD, length: length)),
      place.file == nil
    else { return nil }
    return DiskOperation(
      action: .make(room: 0, isFolder: false), path: place.path, place: place)
  }

  private func open(_ index: Int, _ directory: Int?, flags: UInt64) -> DiskOperation? {
    // open(2): with O_PATH all but three other flags are ignored.
    guard flags & OpenFlags.path == 0 else { return nil }
    let argument = argument(index, directory)
    guard let path = memory.readPath(argument), !path.isEmpty else { return nil }
    let followsLink = flags & UInt64(O_NOFOLLOW) == 0 && flags & OpenFlags.createOnly != 0xc0
    if let file = try? paths.file(
      at: path, from: argument.directory, flags: followsLink ? 0 : O_NOFOLLOW),
      let status = file.status
    {
      // A file without a name stands in the folder that is opened.
      let isNameless = flags & OpenFlags.nameless != 0
      return DiskOperation(
        action: .open(flags: flags), file: file, status: status,
        path: file.plainPath(status) + (isNameless ? "/#" : ""))
    }
    guard flags & OpenFlags.create != 0, let place = place(argument), place.file == nil else {
      return nil
    }
    return DiskOperation(action: .open(flags: flags), path: place.path, place: place)
  }
}
