internal import Glibc
internal import ScenarioModel

extension SupervisorLoop {
  /// Opens the replacement where the target opens a replaced file for reading.
  func openFile(for tracee: Tracee, _ registers: Registers) {
    if openUptime(for: tracee, registers) { return }
    guard let replacement = configuration.fileReplacement, let image = tracee.process.image,
      let memory = tracee.process.memory
    else { return resume(tracee) }
    let pathIndex = registers.systemCall == SystemCallNumber.open ? 0 : 1
    let flags: UInt64
    if registers.systemCall == SystemCallNumber.openat2 {
      flags = memory.read(UInt64.self, at: registers[argument: 2]) ?? 0
    } else {
      flags = registers[argument: pathIndex + 1]
    }
    guard flags & UInt64(O_ACCMODE) == 0,
      let path = memory.readText(at: registers[argument: pathIndex]), replacement.replaces(path)
    else { return resume(tracee) }
    var changed = registers
    changed[argument: pathIndex] = image.replacementPath
    replaceArguments(of: tracee, original: registers, with: changed)
  }
}
