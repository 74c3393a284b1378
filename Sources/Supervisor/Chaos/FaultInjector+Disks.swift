internal import FaultEngine
internal import ScenarioModel
internal import ScenarioPlan

extension FaultInjector {
  /// Evaluates the rules of disks at the entry of a call; `nil` if none changes it, else whether it
  /// is handled.
  func meetDisks(of tracee: Tracee, _ registers: Registers) -> Bool? {
    guard disks != nil, let call = rules.call(registers.systemCall),
      var facts = SyscallContext(of: tracee, registers, call, self),
      let decision = rules.table.decideDisks(call: call.index, &facts)
    else { return nil }
    return carryOut(decision, for: tracee, registers, until: nil)
  }

  /// Answers a call as a disk does that has not what it wants; true if there is nothing left to do for it.
  func answer(
    _ answer: DiskAnswer, _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    let touch = disks?.known(of: tracee)
    switch answer {
    case .fail(let error):
      var changed = registers
      changed.skipSystemCall(returning: -Int(error.code))
      recordFault(
        decision, of: tracee, registers, words: error.name, result: -Int(error.code),
        error: error.name, subject: touch?.path)
      kernel.finish(tracee, with: changed)
      return true
    case .cut(let length):
      disks?.cut(to: length)
      let limit = rules.call(registers.systemCall).flatMap { call in
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
        guard exit.result == 0, let memory = tracee?.process.memory else { return false }
        Self.edit(answer, at: address, memory)
        return true
      }
    }
  }

  /// Changes the result of statfs(2).
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
}
