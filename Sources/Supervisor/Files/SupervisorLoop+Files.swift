internal import Glibc
internal import ScenarioModel
internal import ScenarioPlan

extension SupervisorLoop {
  /// Opens the replacement where the target opens a replaced file for reading.
  func openFile(for tracee: Tracee, _ registers: Registers) {
    if openUptime(for: tracee, registers) || openProcessTimes(for: tracee, registers) { return }
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
      let (index, path) = replacement(at: pathIndex, of: tracee, registers, memory)
    else { return resume(tracee) }
    if configuration.fileReplacements[index].isTrust { tracee.process.trust.noteFile(path) }
    var changed = registers
    changed[argument: pathIndex] = image.replacementPath(index)
    replaceArguments(of: tracee, original: registers, with: changed)
  }

  /// Answers for a file that the machine does not have: OpenSSL, say, asks for the status of a certificate
  /// in a folder before it opens it.
  func answerPathQuery(of tracee: Tracee, _ registers: Registers) {
    guard let pathIndex = PathQuery.pathArguments[registers.systemCall],
      let image = tracee.process.image, let memory = tracee.process.memory,
      let (index, _) = replacement(at: pathIndex, of: tracee, registers, memory),
      configuration.fileReplacements[index].isAddition
    else { return resume(tracee) }
    var changed = registers
    changed[argument: pathIndex] = image.replacementPath(index)
    replaceArguments(of: tracee, original: registers, with: changed)
  }

  /// What replaces the file that an argument names, and its path; `nil` if nothing does.
  private func replacement(
    at pathIndex: Int, of tracee: Tracee, _ registers: Registers, _ memory: TargetMemory
  ) -> (index: Int, path: String)? {
    guard let name = memory.readText(at: registers[argument: pathIndex]),
      replacedFiles.mayReplace(name)
    else { return nil }
    let reader = CallSubjectReader(
      process: tracee.process.identifier.number, thread: tracee.identifier.number, memory: memory)
    let path = reader.path(
      .path(argument: pathIndex, directory: pathIndex == 0 ? nil : 0), registers)
    return path.flatMap { path in replacedFiles.replacement(of: path).map { ($0, path) } }
  }
}
