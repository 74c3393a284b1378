internal import Glibc

/// Refuses sockets to a confined target that send past the supervisor, and answers calls on others while a scenario
/// lets them fail at times, so that the filter does not decide.
final class ConfinedSockets: Interceptor {
  private unowned let kernel: any TraceKernel

  let filterRules: [Int: FilterRule] = [
    SystemCallNumber.socket: .refuseForeignSockets,
    SystemCallNumber.setsockopt: .answerPathOptions(otherwise: nil),
  ]

  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    func argument(_ index: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: call.registers[argument: index])
    }
    guard call.number == SystemCallNumber.socket else {
      return PathOptions.answer(level: argument(1), option: argument(2))
        .map { .skip(result: -Int($0)) } ?? .pass
    }
    let error = SocketCreation.refusal(
      domain: argument(0), type: argument(1), protocolNumber: argument(2))
    guard let error else { return .pass }
    if error == EPERM { report(call.tracee, isPacketSocket: argument(0) == UInt32(AF_PACKET)) }
    return .skip(result: -Int(error))
  }

  /// Reports a refusal to who would have got the socket: the kernel refuses it to all others, with the same errno.
  private func report(_ tracee: Tracee, isPacketSocket: Bool) {
    let status = "/proc/\(tracee.identifier.number)/status"
    // CAP_NET_RAW of `linux/capability.h` (packet(7), raw(7)).
    guard let effective = SmallFile.signalMask("CapEff:", in: status), effective & 1 << 13 != 0
    else { return }
    kernel.notice(
      "\"\(tracee.process.programName)\" opens a \(isPacketSocket ? "packet" : "raw") socket, whose"
        + " packets would bypass the mock server: socket fails with EPERM; with"
        + " `network: { mode: live }` it succeeds", of: tracee.process)
  }
}
