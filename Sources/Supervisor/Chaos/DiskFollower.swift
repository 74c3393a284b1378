internal import CSupervisor
internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

/// Follows what calls do to disks that fault rules are about: the room that files take, and what is not durable.
final class DiskFollower {
  unowned let kernel: any FaultKernel
  unowned let faults: FaultInjector
  let rules: FaultRules
  let watch: DiskWatch
  /// The operation of the current call on a disk.
  private var current: (thread: ThreadIdentifier, operation: DiskOperation)?

  /// - Parameter faults: who asks about the calls' circumstances.
  init(kernel: any FaultKernel, faults: FaultInjector, watch: DiskWatch) {
    self.kernel = kernel
    self.faults = faults
    rules = faults.rules
    self.watch = watch
  }

  /// Returns the operation of a thread's current call on a disk, if it has been read.
  func known(of tracee: Tracee) -> DiskOperation? {
    current.flatMap { $0.thread == tracee.identifier ? $0.operation : nil }
  }

  /// Forgets the current operation, which has ended or is decided.
  func forgetOperation() { current = nil }

  /// Gives the current call room for so many bytes.
  func cut(to length: Int64) { current?.operation.cut(to: length) }

  /// Returns the operation of a call on a disk; read once for each call.
  func operation(of tracee: Tracee, _ registers: Registers) -> DiskOperation? {
    if let known = known(of: tracee) { return known }
    guard let call = watch.call(registers.systemCall), let memory = tracee.process.memory else {
      return nil
    }
    let touch = DiskOperationReader(of: tracee, registers, memory).read(call)
    if let touch { current = (tracee.identifier, touch) }
    return touch
  }

  // MARK: - Calls that are made

  /// Follows a call that is about to be made, where accounts of disks are kept.
  func follow(_ tracee: Tracee, _ registers: Registers) {
    defer { forgetOperation() }
    guard watch.follows(registers.systemCall),
      let touch = operation(of: tracee, registers)
    else { return }
    var pendingFault = DiskPassage(touch: touch)
    if watch.needs.room { takeAccounts(&pendingFault, of: tracee, registers) }
    if watch.unsynced != nil { prepareShadow(&pendingFault, of: tracee) }
    guard
      !pendingFault.accounts.isEmpty || !pendingFault.targetAccounts.isEmpty
        || pendingFault.isShadowed
        || pendingFault.sync != nil
    else { return }
    let followed = pendingFault
    tracee.watches.awaitExit { [unowned self] exit in
      // A thread that is gone within the call has not made it.
      end(followed, of: tracee, result: exit?.result ?? -Int(EINTR))
    }
  }

  private func takeAccounts(
    _ pendingFault: inout DiskPassage, of tracee: Tracee, _ registers: Registers
  ) {
    let call = rules.diskCall(registers.systemCall)
    guard var facts = SyscallContext(of: tracee, registers, call, faults) else { return }
    let touch = pendingFault.touch
    let isFolder = touch.isAboutFolder
    func accounts(_ path: String?) -> [Int] {
      guard let path, DiskOperation.isOnDisk(path) else { return [] }
      return rules.table.accounts(
        ofPath: path, makesFolder: isFolder, call: call.name, &facts)
    }
    switch touch.action {
    case .attribute, .access, .question, .protect, .sync, .flush, .syncDisk, .syncAll, .syncMapping:
      return
    case .link(let from):
      pendingFault.accounts = accounts(from)
      pendingFault.targetAccounts = accounts(touch.path)
    case .write, .allocate, .resize, .clone, .open, .make, .remove, .move, .map:
      pendingFault.accounts = accounts(touch.path)
      pendingFault.targetAccounts = accounts(touch.target?.path)
    }
    for file in [touch.file, touch.target?.file] {
      guard let file, let status = file.status else { continue }
      if !pendingFault.accounts.isEmpty || !pendingFault.targetAccounts.isEmpty {
        watch.spaces.record(file, FileIdentity(status))
      }
    }
    guard let use = touch.use else { return }
    if use.move != nil {
      pendingFault.reservedIn = pendingFault.entered
      if !pendingFault.reservedIn.isEmpty { pendingFault.reserved = Self.spaces(of: touch).moved }
    } else {
      pendingFault.reservedIn = pendingFault.accounts
      pendingFault.reserved = use.need
    }
    rules.table.reserve(pendingFault.reserved, in: pendingFault.reservedIn)
  }

  private func end(_ pendingFault: DiskPassage, of tracee: Tracee, result: Int) {
    rules.table.release(pendingFault.reserved, in: pendingFault.reservedIn)
    finishShadow(pendingFault, of: tracee, result: result)
    guard !pendingFault.accounts.isEmpty || !pendingFault.targetAccounts.isEmpty else {
      return
    }
    let touch = pendingFault.touch
    switch touch.action {
    case .remove:
      if result == 0, let file = touch.file { loseName(of: file, on: pendingFault.accounts) }
    case .move(let exchanges):
      if result == 0 { endMove(pendingFault, exchanges: exchanges) }
    case .link:
      if result == 0 { endLink(pendingFault) }
    case .make(let room, _):
      if result == 0 { rules.table.charge(room, in: pendingFault.accounts) }
    case .map:
      guard result > 0 || result < -4095, let file = touch.file, let status = touch.status else {
        return
      }
      watch.spaces.addMapping(file, FileIdentity(status), accounts: pendingFault.accounts)
      sweepCrowd()
    case .open(let flags) where flags & OpenFlags.nameless != 0:
      recordNameless(result, of: tracee, pendingFault.accounts)
    default:
      guard let file = touch.file, let status = touch.status else { return }
      rules.table.charge(
        watch.spaces.growth(of: file, FileIdentity(status)), in: pendingFault.accounts)
    }
  }

  /// A file without a name has been made, whose room is given back when it is closed.
  private func recordNameless(_ descriptor: Int, of tracee: Tracee, _ accounts: [Int]) {
    guard descriptor >= 0,
      let file = try? TargetPaths(thread: tracee.identifier).file(
        behind: Int32(truncatingIfNeeded: descriptor)),
      let status = file.status, status.st_nlink == 0
    else { return }
    watch.spaces.record(file, FileIdentity(status))
    watch.spaces.addOrphan(file, FileIdentity(status), accounts: accounts)
    sweepCrowd()
  }
}

extension DiskOperation {
  /// True if the call makes or removes a folder.
  fileprivate var isAboutFolder: Bool {
    switch action {
    case .make(_, let isFolder): isFolder
    case .remove: status?.isFolder ?? false
    default: false
    }
  }

  /// The call is made for fewer bytes.
  mutating func cut(to length: Int64) {
    guard case .write(let range, let byPosition, let isDurable) = action else { return }
    let end = range.lowerBound.addingReportingOverflow(length)
    action = .write(
      range.lowerBound..<(end.overflow ? range.upperBound : min(range.upperBound, end.0)),
      byPosition: byPosition, isDurable: isDurable)
  }
}

extension DiskFollower {
  /// Takes note of a call of a command outside the world, which waits meanwhile.
  func recordOutsideCall(_ outside: ToldCall) {
    guard let log = unsyncedLog else { return }
    let registers = outside.registers
    guard let call = DiskCall.calls[registers.systemCall] else {
      return log.recordBlindness(
        "an `exec:` step makes calls whose writes are not known")
    }
    switch call {
    case .sync, .syncDisk, .syncAll, .syncMapping:
      let arguments = [registers[argument: 0], registers[argument: 1]]
      guard let begun = beginSync(call, of: outside.thread, arguments, log) else { return }
      log.endSync(begun)
    default:
      guard let memory = TargetMemory(of: outside.thread) else {
        return log.recordBlindness("the writes of an `exec:` step cannot be observed")
      }
      let reader = DiskOperationReader(ofThread: outside.thread, registers, memory)
      guard let touch = reader.read(call) ?? reader.creationBehindLink(call) else { return }
      log.beginOutsideWrite(touch, by: outside.command)
    }
  }
}
