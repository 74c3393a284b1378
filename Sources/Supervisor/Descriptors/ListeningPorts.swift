/// The TCP ports on which processes listen: a connection to them means the target's own server,
/// which the mock server does not replace.
struct ListeningPorts {
  /// In ascending order.
  var all: [UInt16] { Set(addresses.map(\.port)).sorted() }
  /// Where they listen, as the kernel has it.
  let addresses: [InternetAddress]

  /// Reads the descriptors of processes (proc(5)).
  init(of processes: some Sequence<TargetProcess>) {
    var sockets: Set<UInt64> = []
    var tables: Set<String> = []
    for process in processes {
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
    guard !sockets.isEmpty else {
      addresses = []
      return
    }
    let found = tables.flatMap { ConnectionTable(text: $0).listeningAddresses(of: sockets) }
    addresses = Set(found).sorted { ($0.bytes.count, $0.text) < ($1.bytes.count, $1.text) }
  }
}
