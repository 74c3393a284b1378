internal import CSupervisor
internal import Glibc

/// Keeps changes of files within the case's folders, or reports those beyond.
///
/// The processes of a scenario change its own files, and others under the author's eyes.
final class FileContainment: Interceptor {
  /// How many changes are reported as they happen; more are only counted.
  private static let reportLimit = 100

  private unowned let kernel: any TraceKernel
  private let bounds: FileBounds
  private var files: ContainedFiles

  /// Opens the folders; `nil` if one of them is the root, which leaves nothing outside.
  init?(kernel: any TraceKernel, bounds: FileBounds) {
    guard let files = ContainedFiles(bounds) else { return nil }
    self.kernel = kernel
    self.bounds = bounds
    self.files = files
  }

  /// What was changed beyond the folders.
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
    if let trunk = trunk as? FileContainment { files = trunk.files }
  }

  /// A target is about to be started, and may write files that tell what of it has run.
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
    guard let path = outsidePath(of: call, reader, by: tracee) else { return .pass }
    let process = tracee.process
    let number = intercepted.number
    guard files.refuses else {
      return .watch { [self] exit in
        if let exit, exit.result >= 0 { reportChange(of: path, number, by: process) }
      }
    }
    reportChange(of: path, number, by: process)
    return .skip(result: -Int(EROFS))
  }

  /// How many descriptors it takes at once to see where a call leads.
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

  /// Returns whether all that a call names lies in the case's folders, as a look at the paths' way tells at once.
  private func staysCertainlyWithin(
    _ call: DiskCall, _ reader: DiskOperationReader, of tracee: Tracee
  ) -> Bool {
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
      return files.certainlyHold(
        descriptor: Int32(truncatingIfNeeded: reader.registers[argument: 0]),
        of: tracee.identifier)
    default: return false
    }
  }

  /// The path outside of the case's folders that a call is about to change; `nil` if there is none, or if it will
  /// change nothing.
  private func outsidePath(
    of call: DiskCall, _ reader: DiskOperationReader, by tracee: Tracee
  ) -> String? {
    guard let touch = reader.read(call) ?? reader.creationBehindLink(call), touch.changesFiles,
      touch.givesName || touch.file?.status?.st_nlink != 0
    else { return nil }
    var isFolder = false
    if case .make(_, isFolder: true) = touch.action { isFolder = true }
    let paths = [touch.path, touch.target?.path].compactMap { $0 }
    let path = paths.first { path in
      files.standing(of: path, isFolder: isFolder) { number in
        let member = ThreadIdentifier(number)
        return kernel.processes[member] != nil || kernel.tracees[member] != nil
      } == .outside
    }
    guard let path, !reader.leadsThroughOwnDescriptors(call),
      !isOnForeignMount(touch, of: tracee)
    else { return nil }
    return path
  }

  /// Returns whether what a call changes lies on a disk that only the thread's own namespace has mounted: nobody else sees
  /// it (mount_namespaces(7)).
  private func isOnForeignMount(_ touch: DiskOperation, of tracee: Tracee) -> Bool {
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
