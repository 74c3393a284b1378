internal import CSupervisor
internal import Glibc

/// The processes that have a port of this machine.
struct PortHolders {
  /// The port.
  let port: FixedPorts.Port

  /// Returns whether any of a case's sockets has the port, or a command's that runs beside targets.
  ///
  /// Where descriptors of processes that run cannot be copied, it is taken for one of theirs.
  func areOfCase(_ kernel: any TraceKernel) -> Bool {
    guard !DescriptorTransfer.isNeeded else { return true }
    return kernel.processes.values.contains { isHeld(by: $0, kernel) } || isHelpers(kernel)
  }

  /// A socket that is bound, and does not listen, is in no table of the kernel's (proc(5)): it is asked itself.
  private func isHeld(by process: TargetProcess, _ kernel: any TraceKernel) -> Bool {
    process.descriptorHolders.contains { thread in
      guard let tracee = kernel.tracees[thread] else { return false }
      let folder = "/proc/\(process.identifier.number)/task/\(thread.number)/fd"
      return SmallFile.names(in: folder).contains { name in
        guard let number = Int32(name), let link = SmallFile.link("\(folder)/\(name)"),
          case .socket = OpenDescriptor(link: link)
        else { return false }
        let socket = SocketCopy(kernel.copyDescriptor(number, of: tracee))
        defer { socket.end() }
        return socket.isOfHosts && socket.transport == port.transport && socket.port == port.number
      }
    }
  }

  /// Returns whether a connection that nobody has any more keeps the port for a while (tcp(7), TIME_WAIT).
  var isKeptByConnections: Bool {
    port.transport == .stream
      && ["tcp", "tcp6"].contains { name in
        let table = SmallFile.read("/proc/thread-self/net/\(name)") ?? ""
        return Self.inodes(in: table, atPort: port.number).contains(0)
      }
  }

  private func isHelpers(_ kernel: any TraceKernel) -> Bool {
    let names = port.transport == .stream ? ["tcp", "tcp6"] : ["udp", "udp6"]
    let inodes = names.flatMap { name in
      Self.inodes(
        in: SmallFile.read("/proc/thread-self/net/\(name)") ?? "", atPort: port.number)
    }.filter { $0 > 0 }
    guard !inodes.isEmpty else { return false }
    let others = TreeDescriptors(outside: kernel.processes)
    return inodes.contains { inode in
      others.holders(of: .socket(inode)).contains(where: LoopbackClient.isHelper)
    }
  }

  /// The inodes of sockets with an own port, in the text of a table (proc(5): /proc/net/tcp); 0 for one that nobody has.
  static func inodes(in table: String, atPort port: UInt16) -> [UInt64] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9,
        fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) }) == port
      else { return nil }
      return UInt64(fields[9])
    }
  }
}
