internal import FaultEngine
internal import Glibc

/// Opens other files in place of some, and files that the machine does not have.
final class FileReplacer: Interceptor {
  private let replacements: [FileReplacement]
  private let files: ReplacedFiles

  init(_ replacements: [FileReplacement]) {
    self.replacements = replacements
    files = ReplacedFiles(replacements)
  }

  var filterRules: [Int: FilterRule] {
    guard replacements.contains(where: \.isAddition) else { return OpenCall.filterRules }
    return OpenCall.filterRules.merging(PathQuery.filterRules) { $0.or($1) }
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    if let pathIndex = PathQuery.pathArguments[call.number] {
      return answerQuery(call, path: pathIndex)
    }
    return open(call)
  }

  /// Opens the replacement where the target opens a replaced file for reading.
  private func open(_ call: InterceptedCall) -> CallDisposition {
    let (process, registers) = (call.tracee.process, call.registers)
    guard let image = process.image, let memory = process.memory,
      let open = OpenCall(registers, memory), open.isForReading,
      let (index, path) = replacement(at: open.pathArgument, of: call, memory)
    else { return .pass }
    if replacements[index].isTrust { process.program.trust.recordFile(path) }
    var changed = registers
    changed[argument: open.pathArgument] = image.replacementPath(index)
    return .make(changed) { _ in }
  }

  /// Answers for a file that the machine does not have: OpenSSL, say, asks for the status of a certificate
  /// in a folder before it opens it.
  private func answerQuery(_ call: InterceptedCall, path pathIndex: Int) -> CallDisposition {
    guard let image = call.tracee.process.image, let memory = call.tracee.process.memory,
      let (index, _) = replacement(at: pathIndex, of: call, memory), replacements[index].isAddition
    else { return .pass }
    var changed = call.registers
    changed[argument: pathIndex] = image.replacementPath(index)
    return .make(changed) { _ in }
  }

  /// Returns the replacement of the file that an argument names, and its path; `nil` if there is
  /// none.
  private func replacement(
    at pathIndex: Int, of call: InterceptedCall, _ memory: TargetMemory
  ) -> (index: Int, path: String)? {
    guard let name = memory.readText(at: call.registers[argument: pathIndex]),
      files.mayReplace(name)
    else { return nil }
    let reader = PathResolver(
      process: call.tracee.process.identifier.number, thread: call.tracee.identifier.number,
      memory: memory)
    let path = reader.path(
      .path(argument: pathIndex, directory: pathIndex == 0 ? nil : 0), call.registers)
    return path.flatMap { path in files.replacement(of: path).map { ($0, path) } }
  }
}
