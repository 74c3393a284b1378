internal import FaultEngine
internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension FaultInjector {
  /// Computes the result, the arguments or the bytes of a call.
  func compute(
    _ computation: PlannedComputation, _ decision: ChaosDecision, for tracee: Tracee,
    _ registers: Registers
  ) -> Bool {
    guard let memory = tracee.process.memory else { return leave(decision, of: tracee) }
    let occurrence = Int64(decision.occurrence)
    var facts = rules.call(registers.systemCall).flatMap {
      SyscallContext(of: tracee, registers, $0, self)
    }
    let scope = CallComputation(
      registers: registers, memory: memory, occurrence: occurrence, size: facts?.size() ?? 0)
    guard computation.callsThrough else {
      let result = computation.result?.value(in: scope) ?? 0
      return skip(decision, of: tracee, registers, returning: Int(result))
    }
    let arguments = computation.arguments.map {
      (index: $0.index, value: UInt64(bitPattern: $0.value.value(in: scope)))
    }
    var made = registers
    for (index, value) in arguments { made[argument: index] = value }
    let hasOtherArguments = arguments.contains { registers[argument: $0.index] != $0.value }
    let bytes = computation.bytes.flatMap { ComputedBytes($0, made, memory, self) }
    var limit: Limit?
    if let bytes, bytes.exceedsLimit, facts?.descriptorKind()?.mayMovePart ?? false,
      let call = rules.call(registers.systemCall)
    {
      limit = self.limit(.bytes(ComputedBytes.limit), of: call, made, memory)
    }
    let change = bytes?.replaceBefore(upTo: limit?.count, scope, memory) ?? TransferChange()
    return enter(
      decision, of: tracee, registers, arguments: arguments + (limit?.arguments ?? []),
      edits: (limit?.edits ?? []) + change.edits, words: "computed"
    ) { exit in
      let hasOtherBytes = bytes?.replaceBehind(exit.result, change, scope, memory) ?? false
      let hasEffect = hasOtherArguments || hasOtherBytes
      guard let number = computation.result else { return hasEffect }
      var scope = scope
      scope.result = Int64(exit.result)
      let result = Int(number.value(in: scope))
      defer { exit.result = result }
      return hasEffect || result != exit.result
    }
  }
}

extension DescriptorKind {
  /// True if a transfer may always be made for fewer bytes: there are no messages that would be cut.
  fileprivate var mayMovePart: Bool {
    switch self {
    case .file, .pipe, .tcp, .tty: true
    case .udp, .unix: false
    }
  }
}

/// Bytes of a transfer that are computed, each from itself.
private struct ComputedBytes {
  /// The largest number of bytes that one call moves where it may move fewer than it was asked for.
  ///
  /// Each byte takes as long as its expression, and the target waits meanwhile.
  static let limit = 1 << 20

  private let expression: ComputedNumber
  private let isRead: Bool
  private let room: TransferMemory

  /// `nil` where the call moves no bytes of the caller's.
  init?(
    _ expression: ComputedNumber, _ registers: Registers, _ memory: TargetMemory,
    _ faults: FaultInjector
  ) {
    guard let call = faults.rules.call(registers.systemCall), let transfer = call.traits.transfer,
      let room = faults.bytes(of: call, registers, memory)
    else { return nil }
    self.expression = expression
    isRead = transfer.isRead
    self.room = room
  }

  /// True if the call is made for fewer bytes, where it may be.
  var exceedsLimit: Bool {
    if case .messages = room.count { return false }
    return room.total > Self.limit
  }

  /// Replaces what is to be written.
  func replaceBefore(
    upTo limit: Int?, _ scope: CallComputation, _ memory: TargetMemory
  ) -> TransferChange {
    guard !isRead else { return TransferChange() }
    return replace(room, min(limit ?? .max, room.total), scope, memory)
  }

  /// Replaces what has been read; returns whether a byte that was moved is another one.
  ///
  /// - Parameter change: what was replaced before the call.
  func replaceBehind(
    _ result: Int, _ change: TransferChange, _ scope: CallComputation, _ memory: TargetMemory
  ) -> Bool {
    guard result > 0 else { return false }
    guard isRead else { return change.isWithin(room.moved(result, memory)) }
    guard case .messages = room.count else {
      return replace(room, min(result, room.total), scope, memory).first != nil
    }
    let received = room.received(result, memory)
    return replace(received, received.total, scope, memory).first != nil
  }

  private func replace(
    _ room: TransferMemory, _ count: Int, _ scope: CallComputation, _ memory: TargetMemory
  ) -> TransferChange {
    var change = TransferChange()
    var scope = scope
    var place = 0
    for segment in room.segments where place < count {
      let end = place + min(segment.length, count - place)
      var address = segment.address
      while place < end {
        // Calls may name more bytes than there is memory: what can be read is all that they move.
        let originals = memory.readBytes(min(end - place, Self.limit), at: address)
        guard !originals.isEmpty else { return change }
        let computed = originals.enumerated().map { index, byte in
          scope.current = Int64(byte)
          scope.index = Int64(place + index)
          return UInt8(truncatingIfNeeded: expression.value(in: scope))
        }
        guard computed.withUnsafeBytes({ memory.write($0, at: address) }) else { return change }
        change.add(.init(address: address, original: originals), by: computed, at: place)
        place += originals.count
        address &+= UInt64(originals.count)
      }
    }
    return change
  }
}

/// The values that `compute:` may use of a call.
struct CallComputation: ComputationScope {
  let registers: Registers
  let memory: TargetMemory
  let occurrence: Int64
  let size: Int64
  var result: Int64 = 0
  var current: Int64 = 0
  var index: Int64 = 0

  func argument(_ index: Int) -> Int64 { Int64(bitPattern: registers[argument: index]) }

  func byte(at address: UInt64) -> Int64 {
    memory.read(UInt8.self, at: address).map(Int64.init) ?? 0
  }
}
