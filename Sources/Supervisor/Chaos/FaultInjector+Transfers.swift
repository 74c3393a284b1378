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
      return leave(decision, of: tracee)
    }
    switch decision.action.deed {
    case .short(let amount):
      return shorten(to: amount, decision, call, for: tracee, registers, memory)
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
    /// The number of bytes that the caller asked for.
    var total: Int
    var arguments: [(index: Int, value: UInt64)] = []
    var edits: [InFlightFault.MemoryEdit] = []
    /// The number of messages that are left, where the call transfers messages.
    var messages: Int?

    /// Returns whether the call ended at the limit, and not before it by itself.
    ///
    /// - Parameter moved: the number of bytes that it moved.
    func isMet(by moved: Int) -> Bool { count < total && moved >= count }

    /// Returns whether the call failed because of the limit: a read of eventfd(2), timerfd_create(2), signalfd(2) or
    /// inotify(7), and a transfer with O_DIRECT (open(2)), refuse what is too small with EINVAL.
    func isRefused(_ result: Int) -> Bool {
      count < total && result == -KernelError.invalidArgument
    }
  }

  /// Makes a call for fewer bytes.
  private func shorten(
    to amount: PartialAmount, _ decision: ChaosDecision, _ call: FaultRules.Call,
    for tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> Bool {
    // Before the lengths in memory are changed.
    let messages = call.traits.movesMessages ? bytes(of: call, registers, memory) : nil
    guard let limit = limit(amount, of: call, registers, memory) else {
      return enter(decision, of: tracee, registers, words: "short") { _ in false }
    }
    return enter(
      decision, of: tracee, registers, arguments: limit.arguments, edits: limit.edits,
      words: "short \(limit.count)"
    ) { exit in
      limit.isRefused(exit.result)
        || limit.isMet(by: messages?.moved(exit.result, memory) ?? exit.result)
    }
  }

  /// Returns where the bytes of a call lie; `nil` if it moves none of the caller's.
  func bytes(
    of call: FaultRules.Call, _ registers: Registers, _ memory: TargetMemory
  ) -> TransferMemory? {
    call.traits.transfer.flatMap {
      TransferMemory($0, size: call.traits.size, registers, memory)
    }
  }

  func limit(
    _ amount: PartialAmount, of call: FaultRules.Call, _ registers: Registers,
    _ memory: TargetMemory
  ) -> Limit? {
    if let argument = call.traits.size {
      let size = Int(clamping: registers[argument: argument])
      let count = amount.amount(of: size)
      return Limit(count: count, total: size, arguments: [(argument, UInt64(count))])
    }
    guard let transfer = call.traits.transfer,
      let bytes = TransferMemory(transfer, size: nil, registers, memory)
    else { return nil }
    return limit(amount.amount(of: bytes.total), of: bytes, memory)
  }

  /// Cuts an array of buffers behind so many bytes: the last one of them is made shorter in place,
  /// for the duration of the call.
  private func limit(_ count: Int, of bytes: TransferMemory, _ memory: TargetMemory) -> Limit {
    var limit = Limit(count: count, total: bytes.total)
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
    let bytes = bytes(of: call, registers, memory)
    if call.traits.transfer?.isRead ?? false {
      return enter(decision, of: tracee, registers, words: "truncate") { exit in
        guard exit.result > 0 else { return false }
        guard call.traits.movesMessages else {
          let count = exit.result
          exit.result = amount.amount(of: count)
          return exit.result < count
        }
        guard let received = bytes?.received(exit.result, memory) else { return false }
        let lengths = received.messageLengths
        let kept = amount.amount(of: received.total)
        exit.result = Self.report(kept, among: lengths, of: received, memory)
        return kept < received.total
      }
    }
    guard var facts = SyscallContext(of: tracee, registers, call, self), let size = facts.size(),
      let limit = limit(amount, of: call, registers, memory)
    else { return enter(decision, of: tracee, registers, words: "truncate") { _ in false } }
    return enter(
      decision, of: tracee, registers, arguments: limit.arguments, edits: limit.edits,
      words: "truncate \(limit.count)"
    ) { exit in
      if let messages = limit.messages, let bytes {
        guard exit.result == messages else { return false }
        exit.result = Self.report(bytes.total, among: bytes.messageLengths, of: bytes, memory)
      } else {
        guard exit.result == limit.count else { return limit.isRefused(exit.result) }
        exit.result = Int(clamping: size)
      }
      return limit.count < limit.total
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
    guard let transfer = call.traits.transfer, let bytes = bytes(of: call, registers, memory) else {
      return enter(decision, of: tracee, registers, words: "corrupt") { _ in false }
    }
    let random = decision.action.random
    guard transfer.isRead else {
      var random = random
      let change = bytes.spoil(bytes.total, corruption, &random, memory)
      return enter(
        decision, of: tracee, registers, edits: change.edits, words: "corrupt"
      ) { exit in
        change.isWithin(bytes.moved(exit.result, memory))
      }
    }
    return enter(decision, of: tracee, registers, words: "corrupt") { exit in
      guard exit.result > 0 else { return false }
      var random = random
      guard call.traits.movesMessages else {
        return bytes.spoil(exit.result, corruption, &random, memory).first != nil
      }
      let received = bytes.received(exit.result, memory)
      return received.spoil(received.total, corruption, &random, memory).first != nil
    }
  }
}

/// Bytes of a transfer that were changed in place.
struct TransferChange {
  /// The edits that put the bytes back, in the order of the changes.
  var edits: [InFlightFault.MemoryEdit] = []
  /// The place of the first byte that is another one now; `nil` if none is.
  var first: Int?

  /// Records that bytes from a place on were replaced.
  mutating func add(_ edit: InFlightFault.MemoryEdit, by bytes: [UInt8], at place: Int) {
    edits.append(edit)
    guard let offset = zip(edit.original, bytes).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return }
    first = min(first ?? .max, place + offset)
  }

  /// Returns whether a byte was changed among so many that were moved.
  func isWithin(_ moved: Int) -> Bool { first.map { $0 < moved } ?? false }
}

extension TransferMemory {
  /// Returns the number of bytes that a call moved.
  ///
  /// - Parameter result: what the call returned: of messages, their number.
  func moved(_ result: Int, _ memory: TargetMemory) -> Int {
    guard case .messages = count else { return result }
    return result > 0 ? received(result, memory).total : 0
  }

  /// Changes the first bytes of a transfer in place.
  fileprivate func spoil(
    _ count: Int, _ corruption: Corruption, _ random: inout SplitMix64, _ memory: TargetMemory
  ) -> TransferChange {
    let count = min(count, total)
    var result = TransferChange()
    guard count > 0 else { return result }
    func change(_ place: Int, _ body: (UInt8) -> UInt8) {
      guard place < count, let address = address(ofByte: place),
        let original = memory.read(UInt8.self, at: address)
      else { return }
      let changed = body(original)
      guard memory.write(changed, at: address) else { return }
      result.add(.init(address: address, original: [original]), by: [changed], at: place)
    }
    switch corruption {
    case .flipBits(let number, let place):
      for flip in FlippedBits.choose(number, among: count, at: place, &random) {
        change(flip.byte) { $0 ^ (1 << flip.bit) }
      }
    case .zero(let number, let place):
      let room = max(0, count - number)
      let start = place ?? Int(random.next(below: UInt64(room) + 1))
      for index in 0..<min(number, max(0, count - start)) { change(start + index) { _ in 0 } }
    case .truncate:
      break
    }
    return result
  }
}
