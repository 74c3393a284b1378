internal import ScenarioModel

extension SupervisorLoop {
  /// Whether some process of a target listens on a TCP port of this machine: who connects there means the
  /// target's own server, which nobody else can stand in for.
  func isServed(port: UInt16) -> Bool {
    listeningPorts { _ in true }.contains(port)
  }

  /// The TCP ports on which those processes listen that are wanted, in ascending order.
  func listeningPorts(where isWanted: (TargetProcess) -> Bool) -> [UInt16] {
    var sockets: Set<UInt64> = []
    var tables: Set<String> = []
    for process in processes.values where isWanted(process) {
      let folder = "/proc/\(process.identifier.number)"
      for name in SmallFile.names(in: folder + "/fd") {
        guard let link = SmallFile.link("\(folder)/fd/\(name)"),
          case .socket(let inode) = OpenDescriptor(link: link)
        else { continue }
        sockets.insert(inode)
      }
      // Processes may be in network namespaces of their own.
      for file in ["tcp", "tcp6"] {
        if let text = SmallFile.read("\(folder)/net/\(file)") { tables.insert(text) }
      }
    }
    guard !sockets.isEmpty else { return [] }
    return Set(tables.flatMap { ConnectionTable(text: $0).listeningPorts(of: sockets) }).sorted()
  }
}
