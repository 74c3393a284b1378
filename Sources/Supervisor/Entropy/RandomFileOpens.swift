internal import Glibc

/// Has a process that is about to open a file of random numbers install the filter that shows its
/// reads.
final class RandomFileOpens: Interceptor {
  private unowned let kernel: any TraceKernel

  init(kernel: any TraceKernel) {
    self.kernel = kernel
  }

  let filterRules = OpenCall.filterRules

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    guard !process.lateFilters.contains(.randomReads), opensRandomFile(call),
      kernel.addFilter(
        .randomReads, before: call.registers, of: call.tracee,
        failure: "the random numbers that \(process.programName) reads are not seeded")
    else { return .pass }
    return .taken
  }

  private func opensRandomFile(_ call: InterceptedCall) -> Bool {
    let (tracee, registers) = (call.tracee, call.registers)
    guard let memory = tracee.process.memory, let open = OpenCall(registers, memory),
      let path = memory.readText(at: registers[argument: open.pathArgument])
    else { return false }
    let directory =
      open.pathArgument == 0 ? AT_FDCWD : Int32(truncatingIfNeeded: registers[argument: 0])
    return RandomFile(at: ownPath(path, directory, of: tracee)) != nil
  }

  /// A path as this process must say it.
  private func ownPath(_ path: String, _ directory: Int32, of tracee: Tracee) -> String {
    let folder = "/proc/\(tracee.identifier.number)"
    for name in ["/proc/self/", "/proc/thread-self/"] where path.hasPrefix(name) {
      return "\(folder)/\(path.dropFirst(name.count))"
    }
    if path.hasPrefix("/dev/fd/") { return "\(folder)/fd/\(path.dropFirst(8))" }
    if path.hasPrefix("/") { return "\(folder)/root\(path)" }
    return directory == AT_FDCWD ? "\(folder)/cwd/\(path)" : "\(folder)/fd/\(directory)/\(path)"
  }
}
