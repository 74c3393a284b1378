internal import CSupervisor
internal import Glibc

/// Confines changes of files to the case's folders, or reports those beyond.
///
/// The processes of a scenario change its own files, and others with the author's knowledge.
final class FileContainment: Interceptor {
  /// The number of changes that are reported as they happen; more are only counted.
  private static let reportLimit = 100

  private unowned let kernel: any TraceKernel
  private let bounds: FileBounds
  private var files: ContainedFiles
  private var linked = LinkedFiles()

  /// Opens the folders; `nil` if one of them is the root, which leaves nothing outside.
  init?(kernel: any TraceKernel, bounds: FileBounds) {
    guard let files = ContainedFiles(bounds) else { return nil }
    self.kernel = kernel
    self.bounds = bounds
    self.files = files
  }

  /// The changes outside of the folders.
  var account: OutsideAccount { files.account }

  /// Calls that change files, and those by which a process could come to make them unseen.
  var filterRules: [Int: FilterRule] {
    var rules = OutsideCalls.filterRules
    rules.merge(DumpableFlag.filterRules) { $0.or($1) }
    guard bounds.refuses else { return rules }
    rules[SystemCallNumber.ioUringSetup] = .trace
    rules.merge(CloneFlags.filterRules) { $0.or($1) }
    return rules
  }

  let calls: Set<Int>? = Set(OutsideCalls.filterRules.keys)

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? FileContainment else { return }
    files = trunk.files
    linked = trunk.linked
  }

  /// Allows the coverage files that a target's environment names, before the target is started.
  func expectCoverage(from environment: [String]) { files.coverage.add(environment: environment) }

  /// Refuses a call that changes a file outside of the case's folders, or reports it.
  ///
  /// One that is to be reported is made: whether it changes anything shows at its exit.
  func enter(_ intercepted: InterceptedCall) -> CallDisposition {
    let tracee = intercepted.tracee
    guard let call = OutsideCalls.call(intercepted.registers), let memory = tracee.process.memory
    else { return .pass }
    let reader = DiskOperationReader(of: tracee, intercepted.registers, memory)
    guard !staysCertainlyWithin(call, reader, of: tracee) else { return .pass }
    // Where this process has no descriptor left, nothing is known of the path, and nothing is let through.
    if files.refuses, let error = DescriptorShortage.errorNumber(among: Self.descriptorsOfLook) {
      return .skip(result: -Int(error))
    }
    guard let touch = change(by: call, reader) else { return .pass }
    let process = tracee.process
    let number = intercepted.number
    guard let path = outsidePath(of: touch, call, reader, by: tracee) else {
      guard let source = outsideSource(of: touch) else { return .pass }
      guard files.refuses else {
        if let status = touch.status { linked.add(status, path: source) }
        return .pass
      }
      reportChange(of: source, number, by: process)
      // link(2): as between two mounts, where programs copy instead.
      return .skip(result: -Int(EXDEV))
    }
    guard files.refuses else {
      return .watch { [self] exit in
        if let exit, exit.result >= 0 { reportChange(of: path, number, by: process) }
      }
    }
    reportChange(of: path, number, by: process)
    return .skip(result: -Int(EROFS))
  }

  /// The number of descriptors needed at once to resolve a call's paths.
  private static let descriptorsOfLook = 8

  private func reportChange(of path: String, _ systemCall: Int, by process: TargetProcess) {
    let change = OutsideAccount.Change(
      path: path, program: process.programName,
      systemCall: SystemCallTable.current.name(of: systemCall))
    guard files.account.add(change), files.account.changes.count <= Self.reportLimit else { return }
    kernel.report(
      .changedOutside(
        process: process.identifier.number, change, isRefused: files.refuses))
  }

  // MARK: - Where a call leads

  /// Returns whether all that a call names is in the case's folders, by a quick check of the paths.
  private func staysCertainlyWithin(
    _ call: DiskCall, _ reader: DiskOperationReader, of tracee: Tracee
  ) -> Bool {
    // Any name may be one of a file outside.
    guard linked.isEmpty else { return false }
    func holds(_ index: Int, _ directory: Int?, follows: Bool) -> Bool {
      let argument = reader.argument(index, directory)
      // utimensat(2): without a path the descriptor is meant.
      if argument.address == 0, directory != nil {
        return files.certainlyHold(
          descriptor: argument.directory, of: tracee.identifier)
      }
      guard let path = reader.memory.readPath(argument) else { return false }
      return files.certainlyHold(
        path, from: argument.directory, of: tracee.identifier, follows: follows)
    }
    switch call {
    case .open(let path, let directory, let flags):
      return holds(path, directory, follows: Self.follows(reader.registers[argument: flags]))
    case .create, .resizePath: return holds(0, nil, follows: true)
    case .makeFolder(let path, let directory), .makeNode(let path, let directory),
      .makeLink(_, let path, let directory), .remove(let path, let directory):
      return holds(path, directory, follows: false)
    case .link(let from, let fromFolder, let to, let toFolder, let flags):
      let followsLink =
        flags.map { reader.registers[argument: $0] & UInt64(AT_SYMLINK_FOLLOW) != 0 } ?? false
      return holds(from, fromFolder, follows: followsLink) && holds(to, toFolder, follows: false)
    case .move(let from, let fromFolder, let to, let toFolder, _):
      return holds(from, fromFolder, follows: false) && holds(to, toFolder, follows: false)
    case .attribute(let path, let directory, let flags, let followsLink):
      let staysAtLink =
        flags.map { reader.registers[argument: $0] & UInt64(AT_SYMLINK_NOFOLLOW) != 0 } ?? false
      return holds(path, directory, follows: followsLink && !staysAtLink)
    case .attributeOfDescriptor:
      return files.certainlyHold(
        descriptor: Int32(truncatingIfNeeded: reader.registers[argument: 0]),
        of: tracee.identifier)
    default: return false
    }
  }

  /// Returns the change that a call is about to make; `nil` if it will change nothing.
  private func change(by call: DiskCall, _ reader: DiskOperationReader) -> DiskOperation? {
    guard let touch = reader.read(call) ?? reader.creationBehindLink(call), touch.changesFiles,
      touch.givesName || touch.file?.status?.st_nlink != 0
    else { return nil }
    return touch
  }

  /// The path outside of the case's folders that a call is about to change; `nil` if there is none.
  private func outsidePath(
    of touch: DiskOperation, _ call: DiskCall, _ reader: DiskOperationReader, by tracee: Tracee
  ) -> String? {
    var isFolder = false
    if case .make(_, isFolder: true) = touch.action { isFolder = true }
    let paths = [touch.path, touch.target?.path].compactMap { $0 }
    guard let path = paths.first(where: { isOutside($0, isFolder: isFolder) }) else {
      return pathThroughMount(of: touch, by: tracee)
        ?? (touch.changesContent ? linked.path(of: touch.file?.status) : nil)
    }
    guard !reader.leadsThroughOwnDescriptors(call), !isOnForeignMount(touch, of: tracee)
    else { return nil }
    return path
  }

  private func isOutside(_ path: String, isFolder: Bool = false) -> Bool {
    files.standing(of: path, isFolder: isFolder) { number in
      let member = ThreadIdentifier(number)
      return kernel.processes[member] != nil || kernel.tracees[member] != nil
    } == .outside
  }

  /// The path outside of a file that is about to get a name within; `nil` for another call.
  private func outsideSource(of touch: DiskOperation) -> String? {
    // Without a name (O_TMPFILE) it is nobody else's.
    guard case .link(let source) = touch.action, touch.status?.st_nlink != 0, isOutside(source)
    else { return nil }
    return source
  }

  /// The path outside of what a call changes in a folder that is mounted within the case's folders as well
  /// (mount(8): `--bind`).
  private func pathThroughMount(of touch: DiskOperation, by tracee: Tracee) -> String? {
    let ends = [
      (touch.path, touch.place?.folder ?? touch.file), (touch.target?.path, touch.target?.folder),
    ]
    for case (let path?, let file?) in ends {
      guard let number = MountTable.number(of: file), !files.mounts.contains(number),
        let mount = MountTable(of: "\(tracee.identifier.number)")[number]
      else { continue }
      let table = MountTable(of: "self")
      guard !table.hasCopy(mount, among: files.mounts) else { continue }
      let others = table.otherPaths(of: Array(path.utf8), in: mount)
      if let other = others.lazy.map({ String(decoding: $0, as: UTF8.self) })
        .first(where: { isOutside($0) })
      {
        return other
      }
    }
    return nil
  }

  /// Returns whether a call changes a file on a disk that only the thread's own namespace has
  /// mounted: no other process sees it (mount_namespaces(7)).
  private func isOnForeignMount(_ touch: DiskOperation, of tracee: Tracee) -> Bool {
    guard let file = touch.file ?? touch.place?.folder,
      let own = SmallFile.link("/proc/self/ns/mnt"),
      let other = SmallFile.link("/proc/\(tracee.identifier.number)/ns/mnt"), own != other,
      let number = MountTable.number(of: file),
      let mount = MountTable(of: "\(tracee.identifier.number)")[number]
    else { return false }
    return !MountTable(of: "self").rows.contains { $0.device == mount.device }
  }

  /// Returns whether an open with such flags follows a symbolic link at the end of its path (open(2)).
  private static func follows(_ flags: UInt64) -> Bool {
    flags & UInt64(O_NOFOLLOW) == 0 && flags & OpenFlags.createOnly != OpenFlags.createOnly
  }
}

extension DiskOperation {
  /// True if a file gets a name, which it may not have had.
  fileprivate var givesName: Bool {
    if case .link = action { true } else { false }
  }

  /// True if what is in a file is changed, or what is said about it, and not only a name.
  fileprivate var changesContent: Bool {
    switch action {
    case .open, .resize, .attribute: true
    default: false
    }
  }

  /// True if the call changes files or what is said about them, if it succeeds.
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
