internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorLoop {
  /// Opens the replacement where the target opens a replaced file for reading.
  func openFile(for tracee: Tracee, _ registers: Registers) {
    if openUptime(for: tracee, registers) { return }
    guard !replacedFiles.isEmpty, let image = tracee.process.image,
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
      let name = memory.readText(at: registers[argument: pathIndex]),
      replacedFiles.mayReplace(name)
    else { return resume(tracee) }
    let reader = CallSubjectReader(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory)
    let directory = pathIndex == 0 ? nil : 0
    guard let path = reader.path(.path(argument: pathIndex, directory: directory), registers),
      let index = replacedFiles.replacement(of: path)
    else { return resume(tracee) }
    if configuration.fileReplacements[index].isTrust { tracee.process.trust.noteFile(path) }
    var changed = registers
    changed[argument: pathIndex] = image.replacementPath(index)
    replaceArguments(of: tracee, original: registers, with: changed)
  }
}
