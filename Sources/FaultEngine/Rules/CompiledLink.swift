internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

/// What an entry strikes, cut for being asked often.
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

/// A pattern of a link, cut for being asked often.
struct CompiledLink: Sendable {
  /// What was planned.
  let planned: PlannedLink
  private let host: PlannedHostMode
  private let address: IPv6Literal?

  init(_ link: PlannedLink) {
    planned = link
    host = PlannedHostMode(pattern: link.host, mode: .offline)
    address = IPv6Literal(link.host)
  }

  /// Whether a host is meant, by its name or its address, both in lower case.
  func matches(host name: String?, address text: String) -> Bool {
    // An address of IPv6 is written in many ways.
    if let address { return IPv6Literal(text) == address }
    return name.map { host.matches($0) } ?? false || host.matches(text)
  }

  /// Whether a connection is meant.
  func matches(host name: String?, address: String, port: UInt16) -> Bool {
    (planned.port ?? port) == port && matches(host: name, address: address)
  }
}
