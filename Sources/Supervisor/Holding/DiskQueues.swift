/// Queues of asynchronous input and output, which a target with disks of its own does not get.
///
/// The filter does not see the writes of io_submit(2). Programs do without where the kernel has no such queues
/// (io_setup(2): ENOSYS).
final class DiskQueues: Interceptor {
  private unowned let kernel: any TraceKernel

  let filterRules = [SystemCallNumber.ioSetup: FilterRule.trace]

  /// - Parameter kernel: whose target it is.
  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    kernel.notice(
      "\"\(process.programName)\" requests asynchronous input and output, which is refused: its"
        + " writes would bypass the disks, so io_setup fails with ENOSYS",
      of: process)
    return .skip(result: -Int(KernelError.notSupported))
  }
}
