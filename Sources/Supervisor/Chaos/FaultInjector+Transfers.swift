internal import FaultEngine
internal import Foundations
internal import ScenarioModel

extension FaultInjector {
  /// Makes a call for fewer bytes, or with corrupt ones; false, as other interceptors see the call
  /// as well.
  func transfer(
    _ decision: ChaosDecision, for tracee: Tracee, _ registers: Registers
  ) -> Bool {
    guard let call = rules.call(registers.systemCall), let memory = tracee.process.memory else {
      return false
    }
    switch decision.action.deed {
    case .short(let amount):
      guard let limit = limit(amount, of: call, registers, memory) else {
        return enter(decision, of: tracee, registers, words: "short")
      }
      return enter(
        decision, of: tracee, registers, arguments: limit.arguments, edits: limit.edits,
        words: "short \(limit.count)")
    case .corrupt(.truncate(let amount)):
      return truncate(to: amount, decision, call, for: tracee, registers, memory)
    case .corrupt(let corruption):
      return corrupt(corruption, decision, call, for: tracee, registers, memory)
    default:
      return enter(decision, of: tracee, registers, words: "signal after it")
    }
  }

  // MARK: - Fewer bytes

  /// The changes by which a call is made for fewer bytes.
  struct Limit {
    var count: Int
    var arguments: [(index: Int, value: UInt64)] = []
    var edits: [InFlightFault.MemoryEdit] = []
    /// The number of messages that are left, where the call transfers messages.
    var messages: Int?
  }

  func limit(
    _ amount: PartialAmount, of call: FaultRules.Call, _ registers: Registers,
    _ memory: TargetMemory
  ) -> Limit? {
    if let argument = call.traits.size {
      let size = Int(clamping: registers[argument: argument])
      let count = amount.amount(of: size)
      return Limit(count: count, arguments: [(argument, UInt64(count))])
    }
    guard let transfer = call.traits.transfer,
      let bytes = TransferMemory(transfer, size: nil, registers, memory)
    else { return nil }
    return limit(amount.amount(of: bytes.total), of: bytes, memory)
  }

  /// Cuts an array of buffers behind so many bytes: the last one of them is made shorter in place,
  /// for the duration of the call.
  private func limit(_ count: Int, of bytes: TransferMemory, _ memory: TargetMemory) -> Limit {
    var limit = Limit(count: count)
    var rest = count
    var used: UInt64 = 0
    var message = 0
    for segment in bytes.segments {
      used = segment.message == message ? used + 1 : 1
      message = segment.message
      if segment.length >= rest {
        if segment.length > rest, let place = segment.lengthAddress {
          limit.edits += edit(UInt64(rest), at: place, memory)
        }
        break
      }
      rest -= segment.length
    }
    switch bytes.count {
    case .argument(let index): limit.arguments.append((index, used))
    case .memory(let place): limit.edits += edit(used, at: place, memory)
    case .messages(let index, let first):
      let place = first &+ UInt64(message) &* TransferMemory.messageStride
      limit.edits += edit(used, at: place &+ 24, memory)
      limit.arguments.append((index, UInt64(message + 1)))
      limit.messages = message + 1
    case .single(let argument):
      if let argument { limit.arguments.append((argument, UInt64(count))) }
    }
    return limit
  }

  /// Writes a number into the caller's memory, and returns the edits that undo it.
  private func edit(
    _ value: UInt64, at place: UInt64, _ memory: TargetMemory
  ) -> [InFlightFault.MemoryEdit] {
    let original = memory.readBytes(8, at: place)
    guard original.count == 8, memory.write(value, at: place) else { return [] }
    return [InFlightFault.MemoryEdit(address: place, original: original)]
  }

  /// Loses the end of the transfer: of a read the rest is gone, of a write all bytes are reported
  /// as written.
  private func truncate(
    to amount: PartialAmount, _ decision: ChaosDecision, _ call: FaultRules.Call,
    for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> Bool {
    let bytes = call.traits.transfer.flatMap {
      TransferMemory($0, size: call.traits.size, registers, memory)
    }
    if call.traits.transfer?.isRead ?? false {
      return enter(decision, of: tracee, registers, words: "truncate") { exit in
        guard exit.result > 0 else { return }
        guard call.traits.movesMessages else {
          exit.result = amount.amount(of: exit.result)
          return
        }
        guard let received = bytes?.received(exit.result, memory) else { return }
        let lengths = received.messageLengths
        let kept = amount.amount(of: received.total)
        exit.result = Self.report(kept, among: lengths, of: received, memory)
      }
    }
    guard var facts = SyscallContext(of: tracee, registers, call, self), let size = facts.size(),
      let limit = limit(amount, of: call, registers, memory)
    else { return enter(decision, of: tracee, registers, words: "truncate") }
    return enter(
      decision, of: tracee, registers, arguments: limit.arguments, edits: limit.edits,
      words: "truncate \(limit.count)"
    ) { exit in
      if let messages = limit.messages, let bytes {
        guard exit.result == messages else { return }
        exit.result = Self.report(bytes.total, among: bytes.messageLengths, of: bytes, memory)
      } else if exit.result == limit.count {
        exit.result = Int(clamping: size)
      }
    }
  }

  /// Writes into each message the number of its bytes that were moved; returns the number of
  /// messages then.
  static func report(
    _ count: Int, among lengths: [Int], of bytes: TransferMemory, _ memory: TargetMemory
  ) -> Int {
    guard case .messages(_, let first) = bytes.count else { return 0 }
    var rest = count
    var reported = 0
    // Of whole messages none is left out, be it empty.
    let isWhole = lengths.reduce(0, &+) <= count
    for (index, length) in lengths.enumerated() where isWhole || rest > 0 || index == 0 {
      let place = first &+ UInt64(index) &* TransferMemory.messageStride
      let part = max(0, min(length, rest))
      memory.write(
        UInt32(truncatingIfNeeded: part), at: place &+ TransferMemory.messageLengthOffset)
      rest -= part
      reported += 1
    }
    return reported
  }

  // MARK: - Other bytes

  private func corrupt(
    _ corruption: Corruption, _ decision: ChaosDecision, _ call: FaultRules.Call,
    for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> Bool {
    guard let transfer = call.traits.transfer,
      let bytes = TransferMemory(transfer, size: call.traits.size, registers, memory)
    else { return enter(decision, of: tracee, registers, words: "corrupt") }
    var random = decision.action.random
    guard transfer.isRead else {
      let edits = Self.spoil(bytes, count: bytes.total, corruption, &random, memory)
      return enter(decision, of: tracee, registers, edits: edits, words: "corrupt")
    }
    return enter(decision, of: tracee, registers, words: "corrupt") { exit in
      guard exit.result > 0 else { return }
      var random = random
      guard call.traits.movesMessages else {
        _ = Self.spoil(bytes, count: exit.result, corruption, &random, memory)
        return
      }
      let received = bytes.received(exit.result, memory)
      _ = Self.spoil(received, count: received.total, corruption, &random, memory)
    }
  }

  /// Changes bytes of a transfer in place; returns the original ones, in the order of the changes.
  private static func spoil(
    _ bytes: TransferMemory, count: Int, _ corruption: Corruption, _ random: inout SplitMix64,
    _ memory: TargetMemory
  ) -> [InFlightFault.MemoryEdit] {
    let count = min(count, bytes.total)
    guard count > 0 else { return [] }
    var edits: [InFlightFault.MemoryEdit] = []
    func change(_ place: Int, _ body: (UInt8) -> UInt8) {
      guard place < count, let address = bytes.address(ofByte: place),
        let original = memory.read(UInt8.self, at: address)
      else { return }
      guard memory.write(body(original), at: address) else { return }
      edits.append(InFlightFault.MemoryEdit(address: address, original: [original]))
    }
    switch corruption {
    case .flipBits(let number, let place):
      for _ in 0..<number {
        let byte = place ?? Int(random.next(below: UInt64(count)))
        let bit = UInt8(random.next(below: 8))
        change(byte) { $0 ^ (1 << bit) }
      }
    case .zero(let number, let place):
      let room = max(0, count - number)
      let start = place ?? Int(random.next(below: UInt64(room) + 1))
      for index in 0..<min(number, max(0, count - start)) { change(start + index) { _ in 0 } }
    case .truncate:
      break
    }
    return edits
  }
}
