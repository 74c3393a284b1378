internal import FaultEngine
internal import Glibc

/// Writes the contents of a template to a file that a target has created to read and write it.
final class FileTemplateWriter: Interceptor {
  private let template: FileTemplate

  init(_ template: FileTemplate) {
    self.template = template
  }

  let filterRules = OpenCall.filterRules

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let tracee = call.tracee
    // Who wants a file of its own, or an empty one, brings the contents along.
    guard let memory = tracee.process.memory, let open = OpenCall(call.registers, memory),
      open.flags & UInt64(O_CREAT | O_EXCL | O_TRUNC) == UInt64(O_CREAT), !open.isForReading,
      let name = memory.readText(at: call.registers[argument: open.pathArgument]),
      name == template.name || name.hasSuffix("/\(template.name)")
    else { return .pass }
    return .watch { [template] registers in
      guard let descriptor = registers?.result, descriptor >= 0 else { return }
      let place = "/proc/\(tracee.identifier.number)/fd/\(descriptor)"
      guard let path = SmallFile.link(place), path.hasPrefix(template.folder + "/"),
        template.write(to: place)
      else { return }
      tracee.process.program.trust.recordFile(path)
    }
  }
}

extension FileTemplate {
  /// Writes the contents to a file that is empty; false if it is not, or cannot take them all.
  fileprivate func write(to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0
    else { return false }
    let count = contents.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == contents.count else {
      ftruncate(descriptor, 0)
      return false
    }
    return true
  }
}
