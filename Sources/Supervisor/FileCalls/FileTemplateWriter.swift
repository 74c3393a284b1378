internal import FaultEngine
internal import Glibc

/// Writes the contents of a template to a file that a target is about to create.
final class FileTemplateWriter: Interceptor {
  private let template: FileTemplate

  init(_ template: FileTemplate) {
    self.template = template
  }

  let filterRules = OpenCall.filterRules

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let process = call.tracee.process
    guard let memory = process.memory, let open = OpenCall(call.registers, memory),
      open.flags & UInt64(O_CREAT) != 0,
      let name = memory.readText(at: call.registers[argument: open.pathArgument]),
      name == template.name || name.hasSuffix("/\(template.name)")
    else { return .pass }
    let resolver = PathResolver(
      process: process.identifier.number, thread: call.tracee.identifier.number, memory: memory)
    let places = resolver.linkedPaths(
      open.subject, call.registers, below: nil, followsLast: false)
    for place in places where place.hasPrefix(template.folder + "/") && create(place) {
      process.program.trust.recordFile(place)
    }
    return .pass
  }

  /// Returns whether the file was missing and has the template's contents now.
  private func create(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let contents = template.contents
    return contents.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      == contents.count
  }
}
