internal import Glibc

/// Has processes that ask for the times of packets install the filter that shows how they receive
/// them.
final class PacketTimeRequests: Interceptor {
  private unowned let kernel: any TraceKernel

  let filterRules = [SystemCallNumber.setsockopt: FilterRule.traceIfAmong(PacketTimes.options)]

  /// - Parameter kernel: whose target it is.
  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let (tracee, registers) = (call.tracee, call.registers)
    guard !tracee.process.lateFilters.contains(.packetTimes), !tracee.isRefused,
      call.integer(1) == SOL_SOCKET,
      PacketTimes.layouts[UInt32(truncatingIfNeeded: registers[argument: 2])] != nil,
      let flag = tracee.process.memory?.read(Int32.self, at: registers[argument: 3]), flag != 0
    else { return .pass }
    let isAdded = kernel.addFilter(
      .packetTimes, before: registers, of: tracee,
      failure:
        "\(tracee.process.programName) gets the arrival times of packets in the machine's time")
    return isAdded ? .taken : .pass
  }
}
