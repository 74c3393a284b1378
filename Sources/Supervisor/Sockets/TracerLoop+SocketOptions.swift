internal import CSupervisor
internal import Glibc

extension TracerLoop {
  /// A thread sets an option of a socket.
  func setSocketOption(for tracee: Tracee, _ registers: Registers) {
    if answerPathOption(of: tracee, registers) { return }
    guard registers.isAmong(SocketTimeout.options) else { return resume(tracee) }
    setSocketTimeout(for: tracee, registers)
  }

  /// A thread asks for an option of a socket.
  func readSocketOption(for tracee: Tracee, _ registers: Registers) {
    if registers.isAmong(ConnectionTimes.options) {
      reportConnectionTimes(to: tracee, registers)
    } else if registers.isAmong(SocketTimeout.options) {
      readSocketTimeout(for: tracee, registers)
    } else {
      resume(tracee)
    }
  }

  /// A thread sets a timeout of a socket: the kernel gets a marker instead.
  private func setSocketTimeout(for tracee: Tracee, _ registers: Registers) {
    let length = Int32(truncatingIfNeeded: registers[argument: 4])
    guard configuration.clock != nil, let memory = tracee.process.memory,
      let image = tracee.process.image, length >= MemoryLayout<TimeValue>.size,
      let value = memory.read(TimeValue.self, at: registers[argument: 3]),
      let marker = SocketTimeout.marker(for: value), mayCopySockets(of: tracee, registers)
    else { return resume(tracee) }
    socketTimeouts.areInUse = true
    recordTimeout(value, of: tracee, registers)
    let slot = tracee.process.takeSlot()
    memory.write(marker, at: image.slot(slot))
    var changed = registers
    changed[argument: 3] = image.slot(slot)
    changed[argument: 4] = UInt64(MemoryLayout<TimeValue>.size)
    replaceArguments(of: tracee, original: registers, with: changed, scratchSlot: slot)
  }

  /// Whether sockets of the process can be looked at; without, a timeout stays one of real time, which
  /// is better than none.
  private func mayCopySockets(of tracee: Tracee, _ registers: Registers) -> Bool {
    let descriptor = Int32(truncatingIfNeeded: registers[argument: 0])
    if DescriptorTransfer.isNeeded { return tracee.socketNumber(descriptor) != nil }
    let copy = copyDescriptor(descriptor, of: tracee)
    if copy >= 0 { close(copy) }
    return copy >= 0
  }

  /// Where sockets cannot be looked at, their timeouts are known by what was set.
  private func recordTimeout(_ value: TimeValue, of tracee: Tracee, _ registers: Registers) {
    guard DescriptorTransfer.isNeeded,
      let socket = tracee.socketNumber(Int32(truncatingIfNeeded: registers[argument: 0]))
    else { return }
    let isSend = Self.isSendTimeout(registers)
    socketTimeouts.table.record(value, ofSocket: socket, isSend: isSend)
  }

  /// Whether a call is about the timeout of sending; 67 is SO_SNDTIMEO_NEW of `asm-generic/socket.h`.
  private static func isSendTimeout(_ registers: Registers) -> Bool {
    [SocketTimeout.send, 67].contains(Int32(truncatingIfNeeded: registers[argument: 2]))
  }

  /// A thread asks for a timeout of a socket: where the kernel tells a marker, it gets what it has set.
  private func readSocketTimeout(for tracee: Tracee, _ registers: Registers) {
    guard socketTimeouts.areInUse else { return resume(tracee) }
    complete(tracee, original: registers, with: registers) { [unowned self] registers in
      guard registers.result == 0, let memory = tracee.process.memory else { return }
      let isSend = Self.isSendTimeout(registers)
      let copy = copyDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee)
      guard copy >= 0 else { return }
      defer { close(copy) }
      guard let value = timeout(of: copy, isSend ? SocketTimeout.send : SocketTimeout.receive),
        let length = memory.read(Int32.self, at: registers[argument: 4])
      else { return }
      withUnsafeBytes(of: value) { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(max(0, length))))
        _ = memory.writeAsKernel(part, at: registers[argument: 3])
      }
    }
  }

  /// The timeout that the target has set on a socket, from a copy of its descriptor; `nil` if none, or
  /// if that is no socket.
  func timeout(of copy: Int32, _ option: Int32) -> TimeValue? {
    var marker = TimeValue(seconds: 0, fraction: 0)
    var length = socklen_t(MemoryLayout<TimeValue>.size)
    guard getsockopt(copy, SOL_SOCKET, option, &marker, &length) == 0 else { return nil }
    return SocketTimeout.value(of: marker)
  }

  /// A copy of a descriptor of the target's, which is to be closed; negative if there is none.
  func copyDescriptor(_ descriptor: Int32, of tracee: Tracee) -> Int32 {
    guard DescriptorTransfer.isNeeded else { return tracee.copyDescriptor(descriptor) }
    let others = tracee.process.threads.sorted().filter { $0 != tracee.identifier }
    return tracee.transferDescriptor(descriptor, among: others.compactMap { tracees[$0] })
  }
}

extension Tracee {
  /// A copy of a descriptor, to be closed by the caller; negative if it is not open.
  func copyDescriptor(_ descriptor: Int32) -> Int32 {
    if DescriptorTransfer.isNeeded { return transferDescriptor(descriptor, among: []) }
    let copy = scenario_copy_descriptor(process.processDescriptor(), descriptor)
    guard copy < 0, identifier != process.identifier else { return copy }
    // A first thread that has ended has no descriptors any more; the others may.
    let thread = scenario_open_thread(identifier.number)
    guard thread >= 0 else { return copy }
    defer { close(thread) }
    return scenario_copy_descriptor(thread, descriptor)
  }
}
