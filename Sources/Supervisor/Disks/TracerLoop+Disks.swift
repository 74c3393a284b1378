internal import CSupervisor
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension TracerLoop {
  /// What a call does to a disk; read once for each call.
  func diskTouch(of tracee: Tracee, _ registers: Registers) -> DiskOperation? {
    if let known = tracee.diskTouch { return known }
    guard let call = disks?.call(registers.systemCall), let memory = tracee.process.memory else {
      return nil
    }
    let touch = DiskOperationReader(of: tracee, registers, memory).read(call)
    tracee.diskTouch = touch
    return touch
  }

  /// Lets disks decide about a call that is about to be made; `nil` if they leave it as it is, else whether
  /// there is nothing left to do for it.
  func meetDisks(of tracee: Tracee, _ registers: Registers) -> Bool? {
    guard disks != nil, let call = faults.call(registers.systemCall),
      var facts = SyscallContext(of: tracee, registers, call, self),
      let decision = faults.table.decideDisks(call: call.index, &facts)
    else { return nil }
    return carryOut(decision, for: tracee, registers, until: nil)
  }

  /// Answers a call as a disk does that has not what it wants; true if there is nothing left to do for it.
  func answer(
    _ answer: DiskAnswer, _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    let touch = tracee.diskTouch
    switch answer {
    case .fail(let error):
      var changed = registers
      changed.skipSystemCall(returning: -Int(error.code))
      recordFault(
        decision, of: tracee, registers, words: error.name, result: -Int(error.code),
        error: error.name, subject: touch?.path)
      finish(tracee, with: changed)
      return true
    case .cut(let length):
      tracee.diskTouch?.cut(to: length)
      let limit = faults.call(registers.systemCall).flatMap { call in
        tracee.process.memory.flatMap {
          self.limit(.bytes(Int(clamping: length)), of: call, registers, $0)
        }
      }
      return enter(
        decision, of: tracee, registers, arguments: limit?.arguments ?? [],
        edits: limit?.edits ?? [], words: "room for \(length) bytes", subject: touch?.path)
    case .room, .readOnly:
      guard case .question(let address)? = touch?.action else { return false }
      var words = "read-only"
      if case .room(let bytes) = answer { words = "\(bytes) bytes free" }
      return enter(decision, of: tracee, registers, words: words, subject: touch?.path) {
        [weak tracee] exit in
        guard exit.result == 0, let memory = tracee?.process.memory else { return }
        Self.edit(answer, at: address, memory)
      }
    }
  }

  /// Changes what statfs(2) has told.
  ///
  /// `struct statfs` of `asm-generic/statfs.h`: the size of blocks is its second word; how many are free, and
  /// free for all, are the fourth and the fifth, and the flags the eleventh.
  private static func edit(_ answer: DiskAnswer, at address: UInt64, _ memory: TargetMemory) {
    switch answer {
    case .room(let bytes):
      let size = max(1, memory.read(Int64.self, at: address &+ 8) ?? 4096)
      for word: UInt64 in [3, 4] {
        let place = address &+ 8 &* word
        guard let blocks = memory.read(UInt64.self, at: place) else { return }
        memory.write(min(blocks, UInt64(max(0, bytes) / size)), at: place)
      }
    case .readOnly:
      let place = address &+ 80
      guard let flags = memory.read(UInt64.self, at: place) else { return }
      // ST_RDONLY of statvfs(3).
      memory.write(flags | 1, at: place)
    case .fail, .cut:
      return
    }
  }

  /// A process asks for a queue of asynchronous input and output, and gets none.
  ///
  /// What io_submit(2) writes is written behind the back of the filter. Programs do without where the kernel has
  /// no such queues (io_setup(2): ENOSYS).
  func refuseQueue(to tracee: Tracee, _ registers: Registers) {
    notice(
      "\"\(tracee.process.programName)\" asks for asynchronous input and output, and gets none: its"
        + " writes would be made unseen by the disks, so io_setup fails with ENOSYS",
      of: tracee.process)
    var answered = registers
    answered.skipSystemCall(returning: -Int(KernelError.notSupported))
    finish(tracee, with: answered)
  }

  // MARK: - Calls that are made

  /// Follows a call that is about to be made, where accounts of disks are kept.
  func followDisk(of tracee: Tracee, _ registers: Registers) {
    defer { tracee.diskTouch = nil }
    guard let disks, disks.follows(registers.systemCall),
      let touch = diskTouch(of: tracee, registers)
    else { return }
    var pendingFault = DiskPassage(touch: touch)
    if disks.needs.room { takeAccounts(&pendingFault, of: tracee, registers) }
    if disks.unsynced != nil { prepareShadow(&pendingFault, of: tracee) }
    guard
      !pendingFault.accounts.isEmpty || !pendingFault.targetAccounts.isEmpty
        || pendingFault.isShadowed
        || pendingFault.sync != nil
    else { return }
    let followed = pendingFault
    tracee.exitWatches.append { [unowned self] exit in
      // A thread that is gone within the call has not made it.
      end(followed, of: tracee, result: exit?.result ?? -Int(EINTR))
    }
  }

  private func takeAccounts(
    _ pendingFault: inout DiskPassage, of tracee: Tracee, _ registers: Registers
  ) {
    let call = faults.diskCall(registers.systemCall)
    guard let disks, var facts = SyscallContext(of: tracee, registers, call, self) else { return }
    let touch = pendingFault.touch
    let isFolder = touch.isAboutFolder
    func accounts(_ path: String?) -> [Int] {
      guard let path, DiskOperation.isOnDisk(path) else { return [] }
      return faults.table.accounts(
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
        disks.spaces.record(file, FileIdentity(status))
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
    faults.table.reserve(pendingFault.reserved, in: pendingFault.reservedIn)
  }

  private func end(_ pendingFault: DiskPassage, of tracee: Tracee, result: Int) {
    faults.table.release(pendingFault.reserved, in: pendingFault.reservedIn)
    finishShadow(pendingFault, result: result)
    guard let disks, !pendingFault.accounts.isEmpty || !pendingFault.targetAccounts.isEmpty else {
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
      if result == 0 { faults.table.charge(room, in: pendingFault.accounts) }
    case .map:
      guard result > 0 || result < -4095, let file = touch.file, let status = touch.status else {
        return
      }
      disks.spaces.addMapping(file, FileIdentity(status), accounts: pendingFault.accounts)
      sweepCrowd()
    case .open(let flags) where flags & OpenFlags.nameless != 0:
      recordNameless(result, of: tracee, pendingFault.accounts)
    default:
      guard let file = touch.file, let status = touch.status else { return }
      faults.table.charge(
        disks.spaces.growth(of: file, FileIdentity(status)), in: pendingFault.accounts)
    }
  }

  /// A file without a name has been made, whose room is given back when it is closed.
  private func recordNameless(_ descriptor: Int, of tracee: Tracee, _ accounts: [Int]) {
    guard descriptor >= 0,
      let file = try? TargetPaths(thread: tracee.identifier).file(
        behind: Int32(truncatingIfNeeded: descriptor)),
      let status = file.status, status.st_nlink == 0
    else { return }
    disks?.spaces.record(file, FileIdentity(status))
    disks?.spaces.addOrphan(file, FileIdentity(status), accounts: accounts)
    sweepCrowd()
  }
}

extension DiskOperation {
  /// Whether the call makes or removes a folder.
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
