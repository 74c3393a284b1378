internal import Glibc

/// Reports the client of each connection to the mock server to the router, before the client can send data.
final class ClientRecords {
  private unowned let kernel: any TraceKernel
  private let router: any ConnectionRouter
  private let trustVariables: Set<String>
  /// The certificate trust of the process that made each connection, in the order of connections.
  private(set) var trust: [TrustUse] = []
  /// The decisions about connections that threads are about to make.
  private var links: [ThreadIdentifier: Int] = [:]
  /// The connections that processes have made, by the ports that they come from.
  private var sockets: [ThreadIdentifier: [UInt16: ClientSocket]] = [:]

  /// The numbers of the connections whose processes SIGKILL has ended.
  private(set) var killed: Set<Int> = []

  /// A socket of the target's that is connected to the mock server.
  private struct ClientSocket {
    /// The connection's number.
    var number: Int
    /// The socket's inode.
    var inode: UInt64
    /// The mock server's port.
    var port: UInt16
  }

  /// - Parameter trustVariables: the variables that name trusted certificates.
  init(kernel: any TraceKernel, router: any ConnectionRouter, trustVariables: Set<String>) {
    self.kernel = kernel
    self.router = router
    self.trustVariables = trustVariables
  }

  func threadEnded(_ thread: ThreadIdentifier) { links[thread] = nil }

  // MARK: - Connections

  /// A connection to a port of the mock server has been made, or has begun to be: who made it can be told by its port
  /// from here on.
  ///
  /// - Parameter isNameServer: whether the port is that of the name server.
  func recordConnection(
    of tracee: Tracee, _ registers: Registers, to port: UInt16, isNameServer: Bool
  ) {
    let result = registers.result
    let ticket = links[tracee.identifier]
    defer { abandonLink(of: tracee) }
    guard result >= 0 || result == -KernelError.inProgress, Self.connects(registers) else { return }
    let socket = SocketCopy(
      kernel.copyDescriptor(Int32(truncatingIfNeeded: registers[argument: 0]), of: tracee))
    defer { socket.end() }
    guard socket.descriptor >= 0, let source = socket.port else { return }
    if router.wantsNameClients, isNameServer { recordNameClient(tracee, socket, to: port) }
    links[tracee.identifier] = nil
    let process = tracee.process
    let inode = socket.inode
    // A thread may ask again how a connection is getting on.
    guard inode == nil || sockets[process.identifier]?[source]?.inode != inode else { return }
    process.program.trust.readVariables(of: process.identifier, among: trustVariables)
    trust.append(process.program.trust)
    var connection = RedirectedConnection(
      number: trust.count, process: process.identifier.number,
      arguments: process.program.arguments, sourcePort: source, port: port,
      lineage: kernel.tree.path(of: tracee.identifier).path,
      ordinal: kernel.tree.nextConnection(of: tracee.identifier))
    connection.ticket = ticket
    router.recordConnection(connection)
    if let inode {
      sockets[process.identifier, default: [:]][source] = ClientSocket(
        number: trust.count, inode: inode, port: port)
    }
  }

  // MARK: - Ends of processes

  /// A process is about to end: the kernel closes what it has open.
  func recordEnd(of process: TargetProcess) {
    guard let made = sockets.removeValue(forKey: process.identifier) else { return }
    let holders = process.descriptorHolders.map { "/proc/\($0.number)/fd" }
    let open = Set(
      holders.flatMap { folder in
        SmallFile.names(in: folder).compactMap { name -> UInt64? in
          guard let link = SmallFile.link("\(folder)/\(name)"),
            case .socket(let inode) = OpenDescriptor(link: link)
          else { return nil }
          return inode
        }
      })
    for (source, socket) in made where open.contains(socket.inode) {
      router.recordEnd(ofConnectionFrom: source, to: socket.port)
    }
  }

  /// A process is about to get a signal, which may end it.
  func recordSignal(_ signal: Int32, to process: TargetProcess) {
    guard sockets[process.identifier] != nil, Self.ends(process, signal) else { return }
    recordEnd(of: process)
  }

  /// A process is gone: by SIGKILL, of which no stop tells, where nothing has said that it would end.
  func processEnded(_ process: ThreadIdentifier) {
    guard let made = sockets.removeValue(forKey: process) else { return }
    killed.formUnion(made.values.map(\.number))
  }

  /// Returns whether a signal ends a process: it has no handler, is not ignored, and does by default (signal(7)).
  private static func ends(_ process: TargetProcess, _ signal: Int32) -> Bool {
    // SIGTRAP and SIGSYS are the supervisor's own means.
    let harmless = [
      SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGTRAP, SIGSYS,
    ]
    let masks = SmallFile.signalMasks(
      ["SigCgt:", "SigIgn:"], in: "/proc/\(process.identifier.number)/status")
    guard !harmless.contains(signal), let masks else { return false }
    return masks.allSatisfy { $0 & (1 << UInt64(signal - 1)) == 0 }
  }

  /// Returns whether a call makes a connection: connect(2), or sending with MSG_FASTOPEN (tcp(7)).
  static func connects(_ registers: Registers) -> Bool {
    let fastOpen: UInt64 = 0x2000_0000
    return switch registers.systemCall {
    case SystemCallNumber.connect: true
    case SystemCallNumber.sendto: registers[argument: 3] & fastOpen != 0
    default: registers[argument: 2] & fastOpen != 0
    }
  }

  // MARK: - Links

  /// Decides about a connection that a thread is about to make; the errno with which it fails, if it does.
  func openLink(to address: InternetAddress, of tracee: Tracee, _ socket: SocketCopy) -> Int32? {
    // A thread may ask again how a connection is getting on (connect(2), EALREADY and EISCONN).
    guard socket.isUnconnected else { return nil }
    let process = tracee.process
    let opening = router.openLink(
      RequestedConnection(
        address: address, home: kernel.home(of: process.target),
        process: process.identifier.number, processOrdinal: process.ordinal, program: process.names)
    )
    switch opening {
    case .refused(let error): return error
    case .made(let ticket):
      abandonLink(of: tracee)
      links[tracee.identifier] = ticket
      return nil
    }
  }

  /// Drops the decision about a thread's connection, because the connection was not made.
  func abandonLink(of tracee: Tracee) {
    if let ticket = links.removeValue(forKey: tracee.identifier) { router.abandonLink(ticket) }
  }

  // MARK: - Name servers

  /// A thread is about to ask a name server, or to connect to it.
  func recordNameClient(_ tracee: Tracee, _ socket: SocketCopy, to port: UInt16) {
    guard let inode = socket.inode, let source = socket.settledPort, source != 0 else { return }
    let process = tracee.process
    router.recordNameClient(
      NameServerClient(
        process: process.identifier.number, processOrdinal: process.ordinal,
        threadOrdinal: tracee.ordinal, program: process.names, socket: inode,
        sourcePort: source, port: port,
        lineage: kernel.tree.path(of: tracee.identifier).path,
        ordinal: kernel.tree.nextConnection(of: tracee.identifier)))
  }
}
