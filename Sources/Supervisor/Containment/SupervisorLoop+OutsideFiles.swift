internal import CSupervisor
internal import Glibc

/// What a thread is about to change outside of the case's folders.
struct OutsideTouch {
  var path: String
  var systemCall: Int
}

/// The processes of a scenario change its own files, and others under the author's eyes.
extension SupervisorLoop {
  /// How many changes are told as they happen; more are only counted.
  private static let tellLimit = 100

  /// Whether a call was one that changes a file outside of the case's folders, and has been refused.
  ///
  /// One that is to be reported is made: whether it changes anything shows at its exit.
  func keepsFilesWithin(_ registers: Registers, of tracee: Tracee) -> Bool {
    guard containedFiles != nil else { return false }
    tracee.outsideTouch = nil
    guard let call = OutsideCalls.call(registers), let memory = tracee.process.memory else {
      return false
    }
    let reader = DiskTouchReader(of: tracee, registers, memory)
    guard !staysCertainlyWithin(call, reader, of: tracee) else { return false }
    let refuses = containedFiles?.refuses ?? false
    // Where this process has no descriptor left, nothing is known of the path, and nothing is let through.
    if refuses, let error = Self.lackOfDescriptors() {
      answer(tracee, registers, error: Int(error))
      return true
    }
    guard let path = outsidePath(of: call, reader, by: tracee) else { return false }
    guard refuses else {
      tracee.outsideTouch = OutsideTouch(path: path, systemCall: registers.systemCall)
      return false
    }
    tellOutside(path, registers.systemCall, by: tracee)
    answer(tracee, registers, error: Int(EROFS))
    return true
  }

  /// How many descriptors it takes at once to see where a call leads.
  private static let descriptorsOfLook = 8

  /// Why files cannot be looked at (EMFILE, ENFILE); `nil` if they can.
  private static func lackOfDescriptors() -> Int32? {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<descriptorsOfLook {
      let descriptor = open("/", PathFlags.pathOnly | O_CLOEXEC)
      guard descriptor >= 0 else { return errno }
      descriptors.append(descriptor)
    }
    return nil
  }

  /// A thread stands at the exit of a call that was to change something outside.
  func endOutsideTouch(of tracee: Tracee) {
    guard let touch = tracee.outsideTouch else { return }
    tracee.outsideTouch = nil
    guard let registers = try? Registers.read(from: tracee.identifier), registers.result >= 0 else {
      return
    }
    tellOutside(touch.path, touch.systemCall, by: tracee)
  }

  private func tellOutside(_ path: String, _ systemCall: Int, by tracee: Tracee) {
    let change = OutsideAccount.Change(
      path: path, program: tracee.process.programName,
      systemCall: SystemCallTable.current.name(of: systemCall))
    guard containedFiles?.account.add(change) ?? false,
      let account = containedFiles?.account, account.changes.count <= Self.tellLimit
    else { return }
    report(
      .changedOutside(
        process: tracee.process.identifier.number, change,
        isRefused: containedFiles?.refuses ?? false))
  }

  // MARK: - Where a call leads

  /// Whether all that a call names lies in the case's folders, as a look at the paths' way tells at once.
  private func staysCertainlyWithin(
    _ call: DiskCall, _ reader: DiskTouchReader, of tracee: Tracee
  ) -> Bool {
    func holds(_ index: Int, _ directory: Int?, follows: Bool) -> Bool {
      let argument = reader.argument(index, directory)
      guard let containedFiles else { return false }
      // utimensat(2): without a path the descriptor is meant.
      if argument.address == 0, directory != nil {
        return containedFiles.certainlyHold(
          descriptor: argument.directory, of: tracee.identifier)
      }
      guard let path = reader.memory.readPath(argument) else { return false }
      return containedFiles.certainlyHold(
        path, from: argument.directory, of: tracee.identifier, follows: follows)
    }
    switch call {
    case .open(let path, let directory, let flags):
      return holds(path, directory, follows: Self.follows(reader.registers[argument: flags]))
    case .create, .resizePath: return holds(0, nil, follows: true)
    case .makeFolder(let path, let directory), .makeNode(let path, let directory),
      .makeLink(_, let path, let directory), .remove(let path, let directory, _, _),
      .link(_, _, let path, let directory, _):
      return holds(path, directory, follows: false)
    case .move(let from, let fromFolder, let to, let toFolder, _):
      return holds(from, fromFolder, follows: false) && holds(to, toFolder, follows: false)
    case .attribute(let path, let directory, let flags, let followsLink):
      let staysAtLink =
        flags.map { reader.registers[argument: $0] & UInt64(AT_SYMLINK_NOFOLLOW) != 0 } ?? false
      return holds(path, directory, follows: followsLink && !staysAtLink)
    case .attributeOfDescriptor:
      return containedFiles?.certainlyHold(
        descriptor: Int32(truncatingIfNeeded: reader.registers[argument: 0]),
        of: tracee.identifier) ?? false
    default: return false
    }
  }

  /// The path outside of the case's folders that a call is about to change; `nil` if there is none, or if it will
  /// change nothing.
  private func outsidePath(
    of call: DiskCall, _ reader: DiskTouchReader, by tracee: Tracee
  ) -> String? {
    guard let touch = reader.read(call) ?? reader.creationBehindLink(call), touch.changesFiles,
      touch.file?.status?.st_nlink != 0
    else { return nil }
    var isFolder = false
    if case .make(_, isFolder: true) = touch.action { isFolder = true }
    let paths = [touch.path, touch.target?.path].compactMap { $0 }
    let path = paths.first { path in
      containedFiles?.standing(of: path, isFolder: isFolder) { number in
        let member = ThreadIdentifier(number)
        return processes[member] != nil || tracees[member] != nil
      } == .outside
    }
    guard let path, !reader.leadsThroughOwnDescriptors(call),
      !isOnForeignMount(touch, of: tracee)
    else { return nil }
    return path
  }

  /// Whether what a call changes lies on a disk that only the thread's own namespace has mounted: nobody else sees
  /// it (mount_namespaces(7)).
  private func isOnForeignMount(_ touch: DiskTouch, of tracee: Tracee) -> Bool {
    guard let file = touch.file ?? touch.place?.folder,
      let own = SmallFile.link("/proc/self/ns/mnt"),
      let other = SmallFile.link("/proc/\(tracee.identifier.number)/ns/mnt"), own != other,
      let description = SmallFile.read("/proc/self/fdinfo/\(file.descriptor)"),
      let line = description.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
      let mount = Int(line.dropFirst("mnt_id:".count).filter(\.isNumber))
    else { return false }
    let all = Self.mounts(of: "\(tracee.identifier.number)")
    guard let device = all.first(where: { $0.number == mount })?.device else { return false }
    return !Self.mounts(of: "self").contains { $0.device == device }
  }

  /// The mounts that a process sees: their numbers, and the devices of their disks (proc(5): /proc/PID/mountinfo).
  private static func mounts(of process: String) -> [(number: Int, device: Substring)] {
    let lines = SmallFile.read("/proc/\(process)/mountinfo")?.split(separator: "\n") ?? []
    return lines.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 3)
      guard fields.count > 2, let number = Int(fields[0]) else { return nil }
      return (number, fields[2])
    }
  }

  /// Whether an open with such flags follows a symbolic link at the end of its path (open(2)).
  private static func follows(_ flags: UInt64) -> Bool {
    flags & UInt64(O_NOFOLLOW) == 0 && flags & OpenFlags.createOnly != OpenFlags.createOnly
  }
}

extension DiskTouch {
  /// Whether the call changes files or what is said about them, if it succeeds.
  fileprivate var changesFiles: Bool {
    switch action {
    case .open(let flags):
      guard OutsideCalls.changes(flags) else { return false }
      return opensForChange(flags)
    case .make, .resize, .attribute: return true
    case .link, .move: return !isInVain && file != nil
    case .remove: return file != nil
    default: return false
    }
  }
}
