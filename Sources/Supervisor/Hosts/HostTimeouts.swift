internal import FaultEngine
internal import Foundations
internal import Glibc

/// Follows the options of hosts' sockets that decide when the kernel gives a connection up.
///
/// The relay carries them out in virtual time. The kernel, whose time is real, does not have those of connections that go
/// through the relay; the target sees what it has set.
final class HostTimeouts: Interceptor {
  /// What a target has set, and the kernel does not have.
  private struct Kept {
    /// TCP_USER_TIMEOUT in milliseconds; 0 for none.
    var user: Int32 = 0
    /// TCP_SYNCNT; 0 for as often as the system says.
    var retries: Int32 = 0
  }

  private unowned let kernel: any TraceKernel
  private let network: HostNetwork
  private let links: any HostLinks
  /// The kept options, by the sockets' cookies, which no other socket ever has.
  private var kept: [UInt64: Kept] = [:]
  /// The options of listening sockets, which those have that they accept.
  private var listeners: [InternetAddress: TCPTimeouts] = [:]
  /// How often a SYN is sent again on this machine (tcp(7), `tcp_syn_retries`).
  private let usualRetries =
    SmallFile.read("/proc/sys/net/ipv4/tcp_syn_retries").flatMap {
      Int32($0.prefix { $0.isNumber })
    } ?? 6

  let calls: Set<Int>? = [
    SystemCallNumber.listen, SystemCallNumber.setsockopt, SystemCallNumber.getsockopt,
  ]
  let filterRules: [Int: FilterRule]

  init(kernel: any TraceKernel, network: HostNetwork, links: any HostLinks) {
    self.kernel = kernel
    self.network = network
    self.links = links
    let options = TCPTimeouts.options.map { FilterRule.traceIfAmong($0) }
    filterRules = [
      SystemCallNumber.listen: .trace,
      SystemCallNumber.setsockopt: options[1...].reduce(options[0]) { $0.or($1) },
      SystemCallNumber.getsockopt: .traceIfAmong(TCPTimeouts.keptOptions),
    ]
  }

  func inherit(from trunk: any Interceptor) {
    guard let trunk = trunk as? HostTimeouts else { return }
    kept = trunk.kept
    listeners = trunk.listeners
  }

  func enter(_ call: InterceptedCall) -> CallDisposition {
    let name = call.integer(2)
    switch call.number {
    case SystemCallNumber.listen:
      return watch(call) { [self] in record($0, nil) }
    case SystemCallNumber.setsockopt
    where TCPTimeouts.options.contains(where: { call.registers.isAmong($0) }):
      return watch(call) { [self] in record($0, name) }
    case SystemCallNumber.getsockopt
    where !kept.isEmpty && call.registers.isAmong(TCPTimeouts.keptOptions):
      let memory = call.tracee.process.memory
      let (place, lengthPlace) = (call.registers[argument: 3], call.registers[argument: 4])
      return watch(call) { [self] socket in
        guard let own = socket.cookie.flatMap({ kept[$0] }) else { return }
        let value = name == TCP_USER_TIMEOUT ? own.user : own.retries
        // The kernel says how much of it there is room for (`do_tcp_getsockopt`).
        guard value > 0, let memory, let length = memory.read(Int32.self, at: lengthPlace) else {
          return
        }
        let count = max(0, Int(length))
        _ = withUnsafeBytes(of: value) {
          memory.write(UnsafeRawBufferPointer(rebasing: $0.prefix(count)), at: place)
        }
      }
    default: return .pass
    }
  }

  private func watch(
    _ call: InterceptedCall, _ body: @escaping (SocketCopy) -> Void
  ) -> CallDisposition {
    let tracee = call.tracee
    let descriptor = call.integer(0)
    return .watch { [self] exit in
      guard let exit, exit.result == 0 else { return }
      let socket = SocketCopy(kernel.copyDescriptor(descriptor, of: tracee))
      defer { socket.end() }
      if socket.transport == .stream, socket.isOfHosts { body(socket) }
    }
  }

  /// Returns the options of those that the socket accepts which listens at an address.
  func ofListener(at address: InternetAddress) -> TCPTimeouts {
    listeners[address] ?? TCPTimeouts()
  }

  /// Takes the options of a socket that is about to connect away from the kernel, and returns them.
  func take(_ socket: SocketCopy) -> TCPTimeouts {
    guard let cookie = socket.cookie else { return timeouts(of: socket) }
    var own = kept[cookie] ?? Kept()
    let (user, retries) = (socket.tcpOption(TCP_USER_TIMEOUT), socket.tcpOption(TCP_SYNCNT))
    if user > 0 {
      own.user = user
      socket.set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 0)
    }
    if retries > 0, retries != usualRetries {
      own.retries = retries
      socket.set(Int32(IPPROTO_TCP), TCP_SYNCNT, to: usualRetries)
    }
    if own.user > 0 || own.retries > 0 { kept[cookie] = own }
    return timeouts(of: socket)
  }

  private func timeouts(of socket: SocketCopy) -> TCPTimeouts {
    var timeouts = socket.timeouts
    guard let own = socket.cookie.flatMap({ kept[$0] }) else { return timeouts }
    if own.user > 0 { timeouts.user = .milliseconds(Int64(own.user)) }
    if own.retries > 0 { timeouts.handshakeRetries = Int(own.retries) }
    return timeouts
  }

  /// Tells the relay what a target has set.
  ///
  /// - Parameter name: the option that was set; `nil` if the socket has begun to listen.
  private func record(_ socket: SocketCopy, _ name: Int32?) {
    if let cookie = socket.cookie, kept[cookie] != nil {
      if name == TCP_USER_TIMEOUT { kept[cookie]?.user = 0 }
      if name == TCP_SYNCNT { kept[cookie]?.retries = 0 }
    }
    guard let local = socket.local?.unmapped, network.place(at: local) != nil else { return }
    guard socket.option(SOL_SOCKET, SO_ACCEPTCONN) != 1 else {
      listeners[local] = timeouts(of: socket)
      return
    }
    guard !socket.isUnconnected else {
      // Another thread may be in the midst of connecting it.
      if local.port > 0 { links.setTimeouts(timeouts(of: socket), of: local, to: nil) }
      return
    }
    let peer = socket.peer?.unmapped
    guard peer.map({ network.place(at: $0)?.interface.isRelays ?? false }) ?? true else { return }
    let options = take(socket)
    links.setTimeouts(options, of: local, to: peer)
    // It may have got its connection meanwhile.
    if peer == nil, let peer = socket.peer?.unmapped {
      links.setTimeouts(options, of: local, to: peer)
    }
  }
}
