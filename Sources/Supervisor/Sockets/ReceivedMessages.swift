internal import CSupervisor
internal import Foundations
internal import Glibc

/// A recvmmsg(2) whose time is up.
///
/// The kernel looks at the timeout of recvmmsg after each datagram only (recvmmsg(2), BUGS): a call whose
/// time is up waits on until one more has come. So the call is made without a timeout and, when its time
/// is up, ended and made again for one datagram.
struct UnfinishedReceipt {
  /// The registers at the call's entry.
  var entry: Registers
  /// The number of datagrams that have come.
  var received: Int

  /// The timeout's place.
  var timeout: UInt64 { entry[argument: 4] }
}

/// Calls that receive messages: their times are the scenario's, and those whose deadline is past go
/// on to one more datagram.
final class ReceivedMessages: Interceptor {
  private unowned let kernel: any SocketKernel
  private unowned let sockets: SocketTimeouts
  private let isVirtual: Bool
  /// Receipts whose time is up and that go on to their next datagram, by their threads.
  private var unfinished: [ThreadIdentifier: UnfinishedReceipt] = [:]

  let calls: Set<Int>? = [
    SystemCallNumber.recvfrom, SystemCallNumber.recvmsg, SystemCallNumber.recvmmsg,
    SystemCallNumber.ioctl,
  ]

  /// - Parameters:
  ///   - kernel: whose target it is.
  ///   - sockets: who keeps the timeouts of sockets.
  ///   - isVirtual: whether time is other than the machine's.
  init(kernel: any SocketKernel, sockets: SocketTimeouts, isVirtual: Bool) {
    self.kernel = kernel
    self.sockets = sockets
    self.isVirtual = isVirtual
  }

  var filterRules: [Int: FilterRule] {
    guard isVirtual else { return [:] }
    return [
      SystemCallNumber.recvfrom: .traceIfAnySet(argument: 3, bits: ReceiptOfAll.flag),
      SystemCallNumber.recvmsg: .traceIfAnySet(argument: 2, bits: ReceiptOfAll.flag),
      SystemCallNumber.ioctl: .traceIfAmong([
        ArgumentValues(argument: 1, values: PacketTimes.requests.keys.sorted())
      ]),
    ]
  }

  var obstacleToFork: String? {
    unfinished.isEmpty ? nil : "the thread is inside a watched call"
  }

  func threadEnded(_ thread: ThreadIdentifier) { unfinished[thread] = nil }

  func programStarted(in process: ThreadIdentifier) { unfinished[process] = nil }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    switch call.number {
    case SystemCallNumber.ioctl: return reportPacketTime(call)
    case SystemCallNumber.recvmmsg:
      if let receipt = unfinished.removeValue(forKey: call.tracee.identifier) {
        receiveLast(of: receipt, call)
        return .taken
      }
      guard call.registers[argument: 4] == 0 else { return .pass }
    default: break
    }
    receive(for: call.tracee, call.registers)
    return .taken
  }

  // MARK: - Times

  /// A thread receives messages.
  func receive(for tracee: Tracee, _ registers: Registers) {
    let begins = sockets.beginReceipt(of: tracee, registers)
    guard begins || mayTellTimes(registers, to: tracee) else { return kernel.resume(tracee) }
    kernel.complete(tracee, original: registers, with: registers) { [unowned self] registers in
      replaceTimes(in: registers, of: tracee)
    }
  }

  /// Returns whether a call may bring the times of packets.
  private func mayTellTimes(_ registers: Registers, to tracee: Tracee) -> Bool {
    tracee.process.lateFilters.contains(.packetTimes)
      && registers.systemCall != SystemCallNumber.recvfrom
  }

  /// Replaces the times of the messages that a call has received by the scenario's.
  func replaceTimes(in registers: Registers, of tracee: Tracee) {
    guard mayTellTimes(registers, to: tracee), registers.result >= 0,
      let memory = tracee.process.memory
    else { return }
    let time = wallTime(of: tracee)
    let header = registers[argument: 1]
    guard registers.systemCall == SystemCallNumber.recvmmsg else {
      return PacketTimes.replace(inMessage: header, of: memory, by: time)
    }
    for index in 0..<UInt64(registers.result) {
      PacketTimes.replace(
        inMessage: header &+ PacketTimes.messageLength &* index, of: memory, by: time)
    }
  }

  private func wallTime(of tracee: Tracee) -> TimeValue {
    let clock = kernel.clock
    return TimeValue(
      clock.wall(of: tracee.process.wall(on: clock), real: RealClock.monotonic()))
  }

  /// A thread asks when the last packet of a socket has arrived.
  private func reportPacketTime(_ call: InterceptedCall) -> CallDisposition {
    let tracee = call.tracee
    guard isVirtual,
      let layout = PacketTimes.requests[UInt32(truncatingIfNeeded: call.registers[argument: 1])]
    else { return .pass }
    return .make(call.registers) { [unowned self] registers in
      guard registers.result == 0 else { return }
      let time = wallTime(of: tracee)
      _ = tracee.process.memory?.writeAsKernel(
        PacketTimes.value(time, as: layout), at: registers[argument: 2])
    }
  }

  // MARK: - Receipts whose time is up

  /// Makes a call whose time is up go on to one more datagram; false if it has all it wants, or is no
  /// such call.
  func goOn(
    _ active: Tracee.ActiveWait, of tracee: Tracee, _ current: Registers
  ) -> Bool {
    let entry = active.wait.entry
    guard active.isDue, case .datagrams = active.wait.kind, let image = tracee.process.image
    else { return false }
    guard TimedWait.isInterruption(current.result) || current.result > 0 else { return false }
    let received = max(0, current.result)
    let waitsForOne = entry[argument: 3] & Self.waitForOne != 0
    guard received < Int(UInt32(truncatingIfNeeded: entry[argument: 2])),
      received == 0
        || !waitsForOne
          && kernel.clearInterruption(
            ofSocket: Int32(truncatingIfNeeded: entry[argument: 0]), of: tracee)
    else { return false }
    var registers = entry
    registers.result = received
    replaceTimes(in: registers, of: tracee)
    registers.prepareCall(
      SystemCallNumber.recvmmsg,
      at: entry.instructionPointer &- UInt64(Architecture.systemCallInstruction.count),
      arguments: [
        entry[argument: 0], entry[argument: 1] &+ PacketTimes.messageLength &* UInt64(received), 1,
        entry[argument: 3], image.farFuture, 0,
      ])
    unfinished[tracee.identifier] = UnfinishedReceipt(entry: entry, received: received)
    sockets.callGoesOn(of: tracee)
    kernel.finish(tracee, with: registers)
    return true
  }

  /// MSG_WAITFORONE of recvmmsg(2): wait for the first datagram only.
  private static let waitForOne: UInt64 = 0x10000

  /// Makes the call for its last datagram, at whose entry the thread is.
  private func receiveLast(of receipt: UnfinishedReceipt, _ call: InterceptedCall) {
    let tracee = call.tracee
    var changed = call.registers
    changed[argument: 4] = 0
    kernel.complete(tracee, original: receipt.entry, with: changed) { [unowned self] registers in
      let result = registers.result
      guard result == 1 else {
        registers.result = receipt.received > 0 ? receipt.received : result
        return
      }
      let zero = TimeValue(Nanoseconds.zero)
      let isWritten = tracee.process.memory?.writeAsKernel(zero, at: receipt.timeout) ?? true
      registers.result = isWritten ? receipt.received + 1 : -KernelError.badAddress
      replaceTimes(in: registers, of: tracee)
    }
  }

  /// A signal is about to be delivered to a thread: where its handler runs before the call for the last datagram is
  /// made, that ends as an interrupted one does; false if there is no such call.
  func recordSignal(_ signal: Int32, for tracee: Tracee) -> Bool {
    guard let receipt = unfinished[tracee.identifier] else { return false }
    guard tracee.process.catches(signal) else { return true }
    unfinished[tracee.identifier] = nil
    var registers = receipt.entry
    registers.result = receipt.received > 0 ? receipt.received : -KernelError.restartSystemCall
    try? registers.write(to: tracee.identifier)
    return true
  }
}

extension TraceKernel {
  /// Clears the interruption that recvmmsg leaves on its socket for the next call, where datagrams
  /// had come before; true if there was one.
  @discardableResult
  func clearInterruption(ofSocket descriptor: Int32, of tracee: Tracee) -> Bool {
    let copy = copyDescriptor(descriptor, of: tracee)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(copy, SOL_SOCKET, SO_ERROR, &error, &length) == 0
      && TimedWait.isInterruption(-Int(error))
  }
}
