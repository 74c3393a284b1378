internal import CSupervisor
internal import Glibc

extension SocketTimeouts {
  /// A thread sets a timeout of a socket: the kernel gets a marker instead.
  func setTimeout(for tracee: Tracee, _ registers: Registers) {
    let length = Int32(truncatingIfNeeded: registers[argument: 4])
    guard isVirtual, let memory = tracee.process.memory,
      let image = tracee.process.image, length >= MemoryLayout<TimeValue>.size,
      let value = memory.read(TimeValue.self, at: registers[argument: 3]),
      let marker = SocketTimeout.marker(for: value), mayCopySockets(of: tracee, registers)
    else { return kernel.resume(tracee) }
    beginUse()
    recordTimeout(value, of: tracee, registers)
    let slot = tracee.process.program.scratch.takeSlot()
    memory.write(marker, at: image.slot(slot))
    var changed = registers
    changed[argument: 3] = image.slot(slot)
    changed[argument: 4] = UInt64(MemoryLayout<TimeValue>.size)
    kernel.replaceArguments(of: tracee, original: registers, with: changed, scratchSlot: slot)
  }

  /// Returns whether sockets of the process can be examined; without, a timeout stays one of real
  /// time, which is better than none.
  private func mayCopySockets(of tracee: Tracee, _ registers: Registers) -> Bool {
    let descriptor = Int32(truncatingIfNeeded: registers[argument: 0])
    if DescriptorTransfer.isNeeded { return tracee.socketNumber(descriptor) != nil }
    let copy = kernel.copyDescriptor(descriptor, of: tracee)
    if copy >= 0 { close(copy) }
    return copy >= 0
  }

  /// Records a timeout that was set, where sockets cannot be read.
  private func recordTimeout(_ value: TimeValue, of tracee: Tracee, _ registers: Registers) {
    guard DescriptorTransfer.isNeeded,
      let socket = tracee.socketNumber(Int32(truncatingIfNeeded: registers[argument: 0]))
    else { return }
    let isSend = Self.isSendTimeout(registers)
    record(value, ofSocket: socket, isSend: isSend)
  }

  /// Returns whether a call is about the timeout of sending; 67 is SO_SNDTIMEO_NEW of `asm-generic/socket.h`.
  private static func isSendTimeout(_ registers: Registers) -> Bool {
    [SocketTimeout.send, 67].contains(Int32(truncatingIfNeeded: registers[argument: 2]))
  }

  /// Answers a query for a socket's timeout: where the kernel returns a marker, the thread gets the
  /// value that it has set.
  func readTimeout(for tracee: Tracee, _ registers: Registers) {
    guard areInUse else { return kernel.resume(tracee) }
    kernel.complete(tracee, original: registers, with: registers) { [unowned self] registers in
      guard registers.result == 0, let memory = tracee.process.memory else { return }
      let isSend = Self.isSendTimeout(registers)
      let copy = kernel.copyDescriptor(
        Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee)
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
}
