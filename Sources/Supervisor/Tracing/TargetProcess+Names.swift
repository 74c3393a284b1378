internal import FaultEngine
internal import Glibc

extension TargetProcess {
  /// The names of what it runs, of a file that is gone the last path; looked up once for each program.
  var names: ProgramNames {
    if let known = program.names { return known }
    let executable = KernelPath.target(of: "/proc/\(identifier.number)/exe") ?? programName
    let names = ProgramNames(
      executable: executable, started: program.startPath, name: programName)
    program.names = names
    return names
  }

  /// Reads the path by which its program was started (getauxval(3): AT_EXECFN), while nothing of that has run.
  ///
  /// Later the process may be in another folder, and may have overwritten the text.
  func readStartPath(stackPointer: UInt64) {
    guard let memory,
      let vector = AuxiliaryVector(memory: memory, stackPointer: stackPointer),
      let address = vector[UInt64(AT_EXECFN)]?.value, let text = memory.readText(at: address)
    else { return }
    program.startPath = Self.startPath(text) {
      KernelPath.target(of: "/proc/\(identifier.number)/cwd")
    }
  }

  /// Returns the path that execve(2) was given, as an absolute one where that is possible; `nil` where it is no name.
  ///
  /// The kernel writes `/dev/fd/NUMBER/PATH` for a path that counts from a descriptor, and `/dev/fd/NUMBER` for the
  /// descriptor of the program itself (execveat(2)). `/proc/self/exe` is what many programs start themselves by.
  ///
  /// - Parameter folder: the folder of the process.
  static func startPath(_ text: String, in folder: () -> String?) -> String? {
    let descriptors = "/dev/fd/"
    if text.hasPrefix(descriptors) {
      let path = text.dropFirst(descriptors.count).drop { $0 != "/" }.drop { $0 == "/" }
      return path.isEmpty ? nil : String(path)
    }
    guard !text.isEmpty, !text.hasPrefix("/proc/") else { return nil }
    if text.hasPrefix("/") { return PlainPath.of(text) }
    return folder().map { PlainPath.of("\($0)/\(text)") } ?? text
  }
}
