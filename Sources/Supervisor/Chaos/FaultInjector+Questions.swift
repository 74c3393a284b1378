internal import FaultEngine
internal import Foundations
internal import Glibc
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// Calls about which a program decides.
extension FaultInjector {
  /// Asks a program to decide about a call.
  ///
  /// - Returns: whether later interceptors must not see the call.
  func ask(
    _ command: [String], isAfter: Bool, _ decision: ChaosDecision, for tracee: Tracee,
    _ registers: Registers
  ) -> Bool {
    guard !isAfter else {
      return enter(decision, of: tracee, registers, words: "asked") {
        [weak tracee, unowned self] exit in
        guard let tracee else { return false }
        return askBehind(command, decision, of: tracee, registers, &exit)
      }
    }
    let question = question(decision, at: .before, of: tracee, registers, result: nil)
    guard let answer = answer(command, question, decision),
      answer.changesCall || !decision.action.signalsAfter.isEmpty
    else { return leaveToDisks(decision, for: tracee, registers) }
    var answered = decision
    answered.action = answer.action
    if !answer.action.mayHaveNoEffect, !answer.editsCall {
      answered = settled(answered, of: tracee)
    }
    answered.action.signalsAfter += decision.action.signalsAfter
    guard answer.editsCall, answered.action.deed == .original,
      answered.action.delay == .zero, answered.action.signalsBefore.isEmpty
    else { return carryOut(answered, for: tracee, registers, until: nil) }
    // The call shows the effect of what the program has decided, which alone counts.
    return make(answer, answered.with(decision.action.deed), for: tracee, registers)
  }

  /// Asks a program; `nil`, and a report, if it gives no answer.
  func answer(
    _ command: [String], _ question: ChaosQuestion, _ decision: ChaosDecision
  ) -> ChaosAnswer? {
    do throws(PatternError) {
      kernel.leaveProcessor()
      let line = try decisions.ask(command, question.line) { kernel.isWaitOver }
      return try ChaosAnswer(line, at: question.moment, random: decision.action.random)
    } catch {
      leaveUndecided(question.entry, error.message)
      return nil
    }
  }

  /// Reports, once for each entry, that its program has not decided.
  func leaveUndecided(_ entry: String, _ reason: String) {
    guard undecided.insert(entry).inserted else { return }
    kernel.report(.chaosUndecided(entry: entry, reason: reason))
  }

  /// Returns the question that describes a call to a program.
  private func question(
    _ decision: ChaosDecision, at moment: ChaosQuestion.Moment, of tracee: Tracee,
    _ registers: Registers, result: Int?
  ) -> ChaosQuestion {
    var question = ChaosQuestion(
      entry: rules.table.entries[decision.entry].name, occurrence: decision.occurrence,
      call: SystemCallTable.current.name(of: registers.systemCall), moment: moment,
      arguments: (0..<6).map { registers[argument: $0] }, process: tracee.process.ordinal,
      thread: tracee.ordinal)
    question.result = result.map { Int64($0) }
    guard let call = rules.call(registers.systemCall),
      var facts = facts(of: decision, tracee, registers)
    else { return question }
    question.paths = facts.paths()
    if call.subjects.contains(where: \.mayHaveHost) || facts.descriptorKind() == .tcp {
      question.host = facts.host()
      question.port = facts.port()
    }
    question.size = facts.size()
    if moment == .before { question.offset = call.traits.offset == nil ? nil : facts.offset() }
    question.bytes = bytes(of: call, for: tracee, registers, result: result)
    return question
  }

  /// The bytes of a call: those that are to be written, or that have been moved.
  private func bytes(
    of call: FaultRules.Call, for tracee: Tracee, _ registers: Registers, result: Int?
  ) -> [UInt8]? {
    guard let transfer = call.traits.transfer, let memory = tracee.process.memory,
      let whole = TransferMemory(transfer, size: call.traits.size, registers, memory)
    else { return nil }
    var count = whole.total
    var part = whole
    if let result {
      guard result > 0 else { return nil }
      if call.traits.movesMessages {
        part = whole.received(result, memory)
        count = part.total
      } else {
        count = min(result, count)
      }
    } else if transfer.isRead {
      return nil
    }
    return part.bytes(min(count, ChaosQuestion.byteLimit), memory)
  }

  // MARK: - Before the call

  /// Counts the effect of a decision that is certain to have one.
  private func settled(_ decision: ChaosDecision, of tracee: Tracee) -> ChaosDecision {
    _ = rules.table.settle(decision, hasEffect: true, process: tracee.process.ordinal)
    var settled = decision
    settled.awaitsEffect = false
    return settled
  }

  /// Makes a call as it is, about which entries of disks may decide then.
  private func leaveToDisks(
    _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    _ = leave(decision, of: tracee)
    return meetDisks(of: tracee, registers) ?? false
  }

  /// Makes a call with other arguments or other bytes.
  private func make(
    _ answer: ChaosAnswer, _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    var arguments = answer.arguments.sorted { $0.key < $1.key }.map {
      (index: $0.key, value: $0.value)
    }
    guard let bytes = answer.bytes, let call = rules.call(registers.systemCall),
      let transfer = call.traits.transfer, let memory = tracee.process.memory,
      let room = TransferMemory(transfer, size: call.traits.size, registers, memory)
    else {
      guard !arguments.isEmpty else { return leaveToDisks(decision, for: tracee, registers) }
      return enter(decision, of: tracee, registers, arguments: arguments, words: "other arguments")
    }
    guard !transfer.isRead else {
      // The bytes that are read are known, so that no question is needed.
      let count = room.write(bytes, memory)
      let result = Int64(call.traits.movesMessages ? 1 : count)
      return perform(
        settled(decision, of: tracee).with(.result(result)), for: tracee, registers)
    }
    let total = room.total
    let originals = room.bytes(min(bytes.count, total), memory)
    var edits = room.edits(of: originals)
    let count = room.write(bytes, memory)
    guard count > 0, let limit = limit(.bytes(count), of: call, registers, memory) else {
      return enter(decision, of: tracee, registers, arguments: arguments, words: "other bytes")
    }
    arguments = limit.arguments + arguments
    edits += limit.edits
    return enter(
      decision, of: tracee, registers, arguments: arguments, edits: edits, words: "other bytes"
    ) { exit in
      if exit.result == count { exit.result = total }
      return !answer.arguments.isEmpty || exit.result > 0
    }
  }

  // MARK: - Behind the call

  /// Asks a program about a call that was made; returns whether the answer changes anything.
  private func askBehind(
    _ command: [String], _ decision: ChaosDecision, of tracee: Tracee, _ entry: Registers,
    _ exit: inout Registers
  ) -> Bool {
    let question = question(decision, at: .after, of: tracee, entry, result: exit.result)
    guard let answer = answer(command, question, decision), answer.changesCall else { return false }
    let result = exit.result
    var isChanged = !answer.action.signalsAfter.isEmpty
    send(answer.action.signalsAfter, to: tracee)
    if let bytes = answer.bytes, let call = rules.call(entry.systemCall),
      let transfer = call.traits.transfer, transfer.isRead, !call.traits.movesMessages,
      let memory = tracee.process.memory,
      let room = TransferMemory(transfer, size: call.traits.size, entry, memory)
    {
      exit.result = room.write(bytes, memory)
      isChanged = true
    }
    switch answer.action.deed {
    case .result(let number): exit.result = Int(number)
    case .fail(let error): exit.result = -Int(error.code)
    case .exit, .kill:
      // A process that has made its call ends by a signal alone: nothing else can be asked of it here.
      Glibc.kill(tracee.process.identifier.number, SIGKILL)
      isChanged = true
    default: break
    }
    return isChanged || exit.result != result
  }
}

extension ChaosDecision {
  /// The same with another deed.
  func with(_ deed: ChaosAction.Deed) -> ChaosDecision {
    var other = self
    other.action.deed = deed
    return other
  }
}

extension TransferMemory {
  /// The first bytes of the transfer.
  func bytes(_ count: Int, _ memory: TargetMemory) -> [UInt8] {
    var bytes: [UInt8] = []
    for segment in segments where bytes.count < count {
      bytes += memory.readBytes(min(segment.length, count - bytes.count), at: segment.address)
    }
    return bytes
  }

  /// Puts bytes in the place of the transfer's own; returns how many there was room for.
  func write(_ bytes: [UInt8], _ memory: TargetMemory) -> Int {
    var start = 0
    for segment in segments where start < bytes.count {
      let end = start + min(segment.length, bytes.count - start)
      let isWritten = bytes[start..<end].withUnsafeBytes { memory.write($0, at: segment.address) }
      guard isWritten else { break }
      start = end
    }
    return start
  }

  /// Returns the edits that put the first bytes back.
  func edits(of bytes: [UInt8]) -> [InFlightFault.MemoryEdit] {
    var edits: [InFlightFault.MemoryEdit] = []
    var start = 0
    for segment in segments where start < bytes.count {
      let end = start + min(segment.length, bytes.count - start)
      edits.append(.init(address: segment.address, original: Array(bytes[start..<end])))
      start = end
    }
    return edits
  }
}
