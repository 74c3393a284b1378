internal import CSupervisor
internal import Glibc

/// The processes that stand in the way of who binds a port of this machine.
struct PortHolders {
  /// The port.
  let port: FixedPorts.Port
  /// The address at which it was to be bound.
  let address: BoundAddress

  /// Returns whether any of a case's sockets stands in the way, or a command's that runs beside targets.
  ///
  /// Where descriptors of processes that run cannot be copied, it is taken for one of theirs.
  ///
  /// - Parameter seen: translates an address of a port of the case's own to the one that was meant.
  func areOfCase(
    _ kernel: any TraceKernel, seen: (InternetAddress) -> InternetAddress?
  ) -> Bool {
    guard !DescriptorTransfer.isNeeded else { return true }
    let table = Connection.table(of: port.transport)
    func isInTheWay(_ local: InternetAddress) -> Bool {
      local.port == port.number && address.meets(BoundAddress(seen(local) ?? local))
    }
    let listed = Dictionary(grouping: table.filter { $0.inode > 0 }, by: \.inode).mapValues {
      $0.contains { isInTheWay($0.local.internet) }
    }
    let isOfTargets = kernel.processes.values.contains { process in
      process.descriptorHolders.contains { thread in
        guard let tracee = kernel.tracees[thread] else { return false }
        let folder = "/proc/\(process.identifier.number)/task/\(thread.number)/fd"
        return SmallFile.names(in: folder).contains { name in
          guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)"),
            case .socket(let inode) = OpenDescriptor(link: link)
          else { return false }
          if let isInTheWay = listed[inode] { return isInTheWay }
          // A stream socket that is bound, and does not listen, is in no table (proc(5)): it is asked itself.
          guard port.transport == .stream else { return false }
          let socket = SocketCopy(kernel.copyDescriptor(number, of: tracee))
          defer { socket.end() }
          return socket.isOfHosts && socket.transport == .stream
            && socket.local.map(isInTheWay) ?? false
        }
      }
    }
    return isOfTargets || areHelpers(Set(listed.filter(\.value).keys), kernel)
  }

  private func areHelpers(_ sockets: Set<UInt64>, _ kernel: any TraceKernel) -> Bool {
    guard !sockets.isEmpty else { return false }
    let others = TreeDescriptors(outside: kernel.processes)
    return sockets.contains { inode in
      others.holders(of: .socket(inode)).contains(where: LoopbackClient.isHelper)
    }
  }

  /// Returns whether only a connection that nobody has any more keeps the port for a while (tcp(7), TIME_WAIT).
  var isKeptByConnections: Bool {
    port.transport == .stream && isKept(in: Connection.table(of: .stream))
  }

  /// The same by what the kernel lists.
  func isKept(in table: [Connection]) -> Bool {
    let standing = table.filter {
      $0.local.port == port.number && address.meets(BoundAddress($0.local.internet))
    }
    return standing.contains { $0.inode == 0 } && !standing.contains { $0.state == .listening }
  }
}

/// The programs outside of a run that receive what is sent to ports which its cases have bound as well.
struct OutsideReceivers {
  /// Whether sockets are such a program's, by their inodes: clients that try over and over ask for the same ones.
  private var isOutside: [UInt64: Bool] = [:]

  /// Returns whether such a program may receive what is sent to an address.
  mutating func receive(_ address: InternetAddress, _ transport: TransportKind) -> Bool {
    Self.receivers(of: address, transport, in: Connection.table(of: transport)).contains { inode in
      if let known = isOutside[inode] { return known }
      let holders = TreeDescriptors(outside: [:]).holders(of: .socket(inode))
      let answer = !holders.contains(where: LoopbackClient.isDescendant)
      isOutside[inode] = answer
      return answer
    }
  }

  /// The inodes of the sockets that receive what is sent to an address, by what the kernel lists: of those that stand in
  /// the table, the ones that are bound most closely.
  static func receivers(
    of address: InternetAddress, _ transport: TransportKind, in table: [Connection]
  ) -> [UInt64] {
    let bound = table.filter { $0.inode > 0 && $0.local.port == address.port }
      .filter { transport == .stream ? $0.state == .listening : $0.remote.port == 0 }
      .map { (address: BoundAddress($0.local.internet), inode: $0.inode) }
      .filter { $0.address.receives(address) }
    let closeness: [(BoundAddress) -> Bool] = [{ !$0.isEverywhere }, \.isNarrow, { _ in true }]
    return closeness.lazy.map { isClose in bound.filter { isClose($0.address) }.map(\.inode) }
      .first { !$0.isEmpty } ?? []
  }
}

extension Connection {
  /// The sockets of a transport, as the kernel lists them for this machine (proc(5): /proc/net/tcp).
  fileprivate static func table(of transport: TransportKind) -> [Connection] {
    (transport == .stream ? ["tcp", "tcp6"] : ["udp", "udp6"]).flatMap { name in
      (SmallFile.read("/proc/thread-self/net/\(name)") ?? "").split(separator: "\n")
        .compactMap { Connection(line: $0) }
    }
  }
}
