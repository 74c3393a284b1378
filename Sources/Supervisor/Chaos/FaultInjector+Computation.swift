internal import FaultEngine
internal import Glibc
internal import ScenarioPlan

extension FaultInjector {
  /// Computes the result, the arguments or the bytes of a call.
  func compute(
    _ computation: PlannedComputation, _ decision: ChaosDecision, for tracee: Tracee,
    _ registers: Registers
  ) -> Bool {
    guard let memory = tracee.process.memory else { return false }
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
    let bytes = computation.bytes.flatMap { ComputedBytes($0, registers, memory, self) }
    let edits = bytes?.replaceBefore(scope, memory) ?? []
    return enter(
      decision, of: tracee, registers, arguments: arguments, edits: edits, words: "computed"
    ) { exit in
      bytes?.replaceBehind(exit.result, scope, memory)
      guard let number = computation.result else { return }
      var scope = scope
      scope.result = Int64(exit.result)
      exit.result = Int(number.value(in: scope))
    }
  }
}

/// Bytes of a transfer that are computed, each from itself.
private struct ComputedBytes {
  /// The largest number of bytes that are computed.
  private static let limit = 1 << 20

  private let expression: ComputedNumber
  private let transfer: SystemCallTraits.Transfer
  private let room: TransferMemory

  /// `nil` where the call moves no bytes of the caller's.
  init?(
    _ expression: ComputedNumber, _ registers: Registers, _ memory: TargetMemory,
    _ faults: FaultInjector
  ) {
    guard let traits = faults.rules.call(registers.systemCall)?.traits,
      let transfer = traits.transfer,
      let room = TransferMemory(transfer, size: traits.size, registers, memory)
    else { return nil }
    self.expression = expression
    self.transfer = transfer
    self.room = room
  }

  /// Replaces what is to be written; returns what puts it back.
  func replaceBefore(
    _ scope: CallComputation, _ memory: TargetMemory
  ) -> [InFlightFault.MemoryEdit] {
    guard !transfer.isRead else { return [] }
    return replace(room, room.total, scope, memory)
  }

  /// Replaces what has been read.
  func replaceBehind(_ result: Int, _ scope: CallComputation, _ memory: TargetMemory) {
    guard transfer.isRead, result > 0 else { return }
    guard case .messages = transfer.content else {
      _ = replace(room, min(result, room.total), scope, memory)
      return
    }
    let received = room.received(result, memory)
    _ = replace(received, received.total, scope, memory)
  }

  private func replace(
    _ room: TransferMemory, _ count: Int, _ scope: CallComputation, _ memory: TargetMemory
  ) -> [InFlightFault.MemoryEdit] {
    let originals = room.bytes(min(count, Self.limit), memory)
    var scope = scope
    let computed = originals.enumerated().map { index, byte in
      scope.current = Int64(byte)
      scope.index = Int64(index)
      return UInt8(truncatingIfNeeded: expression.value(in: scope))
    }
    let edits = room.edits(of: originals)
    _ = room.write(computed, memory)
    return edits
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
