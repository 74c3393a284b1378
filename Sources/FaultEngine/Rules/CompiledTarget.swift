internal import ScenarioPlan

/// The target of an entry, compiled for frequent tests.
enum CompiledTarget: Sendable {
  case calls
  case functions
  case link(CompiledLink)
  case disk(DiskGlobs)
  case processes(PlannedProcesses)

  /// - Parameter directory: The case's directory as the kernel names it, with a slash at its end.
  init(_ planned: PlannedFaultTarget, directory: String?) {
    switch planned {
    case .calls: self = .calls
    case .functions: self = .functions
    case .link(let link): self = .link(CompiledLink(link))
    case .disk(let disk, _): self = .disk(DiskGlobs(disk.files, directory: directory))
    case .processes(let processes): self = .processes(processes)
    }
  }

  /// The files on the disk that it is about; `nil` if it is about none.
  var globs: DiskGlobs? {
    if case .disk(let globs) = self { globs } else { nil }
  }
}
