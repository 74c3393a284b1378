import FaultEngine
import Foundations
import Glibc
import Testing

@testable import Supervisor

@Suite("Calls that reach the network")
struct NetworkInterceptorTests {
  private let kernel = FakeKernel()
  private let target: FakeTarget

  init() { target = FakeTarget(kernel) }

  /// Decides by the last part of an address.
  private struct Router: ConnectionRouter {
    var redirects = true
    var confines = true

    func route(
      to address: InternetAddress, transport: TransportKind, sends: Bool
    ) -> RoutingDecision {
      switch address.bytes.last {
      case 7: .redirect(port: 4_007)
      case 8: .refuse(errorNumber: EHOSTUNREACH)
      default: .pass
      }
    }

    func hostName(of address: InternetAddress) -> String? {
      address.bytes.last == 7 ? "seven.test" : nil
    }
  }

  private func redirector(_ router: Router = Router()) -> NetworkRedirector {
    NetworkRedirector(kernel: kernel, router: router, trustVariables: [])
  }

  /// A connect(2) of a fresh socket, which is never made.
  private func connecting(
    _ redirector: NetworkRedirector, to last: UInt8, port: UInt16 = 80
  ) -> CallDisposition {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let place = target.place(address: [203, 0, 113, last], port: port)
    return redirector.enter(
      target.call(SystemCallNumber.connect, UInt64(descriptor), place, 16))
  }

  // MARK: - NetworkRedirector

  @Test(
    "Connections and datagrams with an address are seen, and who asks for the other end where some are redirected"
  )
  func redirectorRules() {
    let redirecting = redirector()
    let plain = redirector(Router(redirects: false))

    for redirector in [redirecting, plain] {
      #expect(redirector.sees(SystemCallNumber.connect))
      #expect(redirector.sees(SystemCallNumber.sendto, 3, 0, 0, 0, 8))
      #expect(!redirector.sees(SystemCallNumber.sendto, 3))
    }
    #expect(redirecting.sees(SystemCallNumber.getpeername))
    #expect(!plain.sees(SystemCallNumber.getpeername))
    #expect(redirecting.sees(SystemCallNumber.recvfrom, 3, 0, 0, 0, 8))
    #expect(!redirecting.sees(SystemCallNumber.recvfrom, 3))
  }

  @Test(
    "A connection goes where the router says, by an address that is not the target's own memory")
  func redirection() throws {
    try target.mapImage()
    let redirector = redirector()
    let made = try #require(connecting(redirector, to: 7).made)

    let place = made[argument: 1]
    #expect(target.bytes(8, at: place) == [2, 0, 15, 167, 127, 0, 0, 1])
    #expect(redirector.destination(of: 4_007) == "seven.test:80")
    #expect(redirector.isDestination(4_007) && !redirector.isDestination(4_008))
    #expect(
      redirector.original(of: .loopback(port: 4_007))
        == InternetAddress(bytes: [203, 0, 113, 7], port: 80))
    #expect(redirector.account.refused == 0)
  }

  @Test("A connection that the router refuses fails with its error and counts, and others are made")
  func refusal() {
    let redirector = redirector()

    #expect(connecting(redirector, to: 8).skipped == -Int(EHOSTUNREACH))
    #expect(redirector.account.refused == 1)
    #expect(connecting(redirector, to: 9).isProceed)
    #expect(redirector.account.refused == 1)
    #expect(!redirector.isDestination(80))
  }

  @Test("A confined target has no name daemon and no network but that of IP")
  func otherFamilies() {
    let daemon = target.place([1, 0] + Array("/var/run/nscd/socket".utf8), room: 8)
    let packets = target.place([17, 0], room: 32)
    func enter(_ place: UInt64, _ length: UInt64, confines: Bool) -> CallDisposition {
      redirector(Router(confines: confines)).enter(
        target.call(SystemCallNumber.connect, 3, place, length))
    }

    #expect(enter(daemon, 24, confines: true).skipped == -Int(ENOENT))
    #expect(enter(packets, 20, confines: true).skipped == -Int(ENETUNREACH))
    #expect(enter(daemon, 24, confines: false).isProceed)
    #expect(enter(packets, 20, confines: false).isProceed)
  }

  @Test("A branch knows what the trunk has redirected")
  func redirectorBranch() throws {
    try target.mapImage()
    let trunk = redirector()
    _ = connecting(trunk, to: 7)
    let branch = redirector()
    branch.inherit(from: trunk)

    #expect(branch.destination(of: 4_007) == "seven.test:80")
  }

  // MARK: - NetworkNamespaces

  @Test(
    "Who may have another network is looked up: threads that are new, and those that ask for one")
  func namespaces() {
    let namespaces = NetworkNamespaces()

    #expect(namespaces.sees(SystemCallNumber.unshare, 0x4000_0000))
    #expect(!namespaces.sees(SystemCallNumber.unshare, 0x2_0000))
    #expect(namespaces.sees(SystemCallNumber.setns))
    #expect(namespaces.enter(target.call(SystemCallNumber.setns, 3)).isPass)
    // It is where the runner is.
    #expect(namespaces.members().isEmpty)
    namespaces.threadStarted(ThreadIdentifier(.max), by: target.tracee.identifier)
    namespaces.threadEnded(ThreadIdentifier(.max))
    #expect(namespaces.members().isEmpty)
  }

  // MARK: - LoopbackSockets

  private func loopback(_ block: LoopbackBlock?) -> LoopbackSockets {
    LoopbackSockets(
      kernel: kernel, block: block, hosts: nil, reachesOthers: false, isHere: \.isLoopback)
  }

  private func withSocket<Result>(
    _ type: __socket_type = SOCK_STREAM, _ body: (Int32) throws -> Result
  ) rethrows -> Result {
    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  @Test(
    "A port of loopback is bound at an address of the case's own, and the target sees 127.0.0.1")
  func loopbackPorts() throws {
    let sockets = loopback(try LoopbackBlock.take())
    try withSocket { server in
      let place = target.place(address: [127, 0, 0, 1], port: 45_678)
      let bind = target.call(SystemCallNumber.bind, UInt64(server), place, 16)
      #expect(sockets.enter(bind).skipped == 0)
      let real = try #require(SocketCopy(server).local)
      #expect(real.bytes != [127, 0, 0, 1] && real.bytes.first == 127)
      #expect(sockets.seen(real) == .loopback(port: 45_678))
      // Another socket of the case has the same address: the port is taken.
      withSocket { other in
        let again = target.call(SystemCallNumber.bind, UInt64(other), place, 16)
        #expect(sockets.enter(again).skipped == -Int(EADDRINUSE))
      }
      try target.mapImage()
      try #require(Glibc.listen(server, 1) == 0)
      try withSocket { client in
        let connect = target.call(SystemCallNumber.connect, UInt64(client), place, 16)
        let made = try #require(sockets.enter(connect).made)
        #expect(target.bytes(4, at: made[argument: 1] + 4) == real.bytes)
      }
    }
  }

  @Test("Other addresses, and ports that the kernel is to choose, are bound as they are")
  func otherBindings() throws {
    let sockets = loopback(try LoopbackBlock.take())
    withSocket { descriptor in
      for (address, port): ([UInt8], UInt16) in [
        ([127, 0, 0, 1], 0), ([127, 0, 0, 2], 4_000), ([10, 1, 2, 3], 4_000),
      ] {
        let place = target.place(address: address, port: port)
        #expect(
          sockets.enter(target.call(SystemCallNumber.bind, UInt64(descriptor), place, 16)).isPass)
      }
      let place = target.place(address: [127, 0, 0, 1], port: 4_000)
      let connect = target.call(SystemCallNumber.connect, UInt64(descriptor), place, 16)
      #expect(sockets.enter(connect).isPass)
      #expect(loopback(nil).enter(connect).isPass)
    }
    #expect(sockets.sees(SystemCallNumber.bind) && sockets.sees(SystemCallNumber.connect))
  }

  // MARK: - HostSockets

  private func hosts(_ block: LoopbackBlock) -> HostSockets {
    HostSockets(
      kernel: kernel,
      network: HostNetwork(
        block: block, addresses: [[10, 0, 0, 1], [10, 0, 0, 2]], outside: [10, 0, 0, 254],
        hostsOfTargets: [0]))
  }

  @Test("A target on a host binds at its host's addresses, and at no other host's")
  func hostBindings() throws {
    let sockets = hosts(try #require(try LoopbackBlock.take()))
    func bind(_ descriptor: Int32, _ address: [UInt8]) -> Int? {
      let place = target.place(address: address, port: 4_100)
      return sockets.enter(
        target.call(SystemCallNumber.bind, UInt64(descriptor), place, 16)
      ).skipped
    }

    #expect(withSocket { bind($0, [10, 0, 0, 1]) } == 0)
    #expect(withSocket { bind($0, [0, 0, 0, 0]) } == 0)
    #expect(withSocket { bind($0, [127, 0, 0, 1]) } == 0)
    #expect(withSocket { bind($0, [10, 0, 0, 2]) } == -Int(EADDRNOTAVAIL))
    #expect(withSocket { bind($0, [203, 0, 113, 7]) } == -Int(EADDRNOTAVAIL))
  }

  @Test("A call to another host leads to that host's address on this machine")
  func hostConnections() throws {
    try target.mapImage()
    let sockets = hosts(try #require(try LoopbackBlock.take()))
    try withSocket { descriptor in
      let place = target.place(address: [10, 0, 0, 2], port: 4_100)
      let connect = target.call(SystemCallNumber.connect, UInt64(descriptor), place, 16)
      let made = try #require(sockets.enter(connect).made)
      let bytes = target.bytes(4, at: made[argument: 1] + 4)
      #expect(bytes.first == 127)
      #expect(
        sockets.network.seen(InternetAddress(bytes: bytes, port: 4_100), from: nil)?.bytes
          == [10, 0, 0, 2])
      let elsewhere = target.place(address: [203, 0, 113, 7], port: 80)
      #expect(
        sockets.enter(
          target.call(SystemCallNumber.connect, UInt64(descriptor), elsewhere, 16)
        ).isPass)
    }
    #expect(sockets.sees(SystemCallNumber.listen) && sockets.sees(SystemCallNumber.getsockname))
  }

  // MARK: - HostTimeouts

  /// A relay that nobody connects to.
  private struct Links: HostLinks {
    func open(_ connection: RelayedHostConnection) -> RelayedHostOpening { .refused }
    func abandon(client: InternetAddress) {}
    func setTimeouts(_ timeouts: TCPTimeouts, of end: InternetAddress, to other: InternetAddress?) {
    }
    func openDatagrams(at address: InternetAddress) -> Bool { false }
  }

  @Test(
    "The kernel gives no connection of the relay's up, and the target sees the timeout that it has set"
  )
  func hostTimeouts() throws {
    let block = try #require(try LoopbackBlock.take())
    let timeouts = HostTimeouts(
      kernel: kernel, network: hosts(block).network, links: Links())
    try withSocket { descriptor in
      var milliseconds: Int32 = 5_000
      let (level, name) = (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT)
      try #require(setsockopt(descriptor, level, name, &milliseconds, 4) == 0)

      #expect(timeouts.take(SocketCopy(descriptor)).user == .seconds(5))
      var length: socklen_t = 4
      try #require(getsockopt(descriptor, level, name, &milliseconds, &length) == 0)
      #expect(milliseconds == 0)
      let (place, room) = (target.place(Int32(0)), target.place(Int32(4)))
      let get = target.call(
        SystemCallNumber.getsockopt, UInt64(descriptor), UInt64(level), UInt64(name), place, room)
      timeouts.enter(get).exit(of: get, 0)
      #expect(target.read(Int32.self, at: place) == 5_000)
      let branch = HostTimeouts(kernel: kernel, network: hosts(block).network, links: Links())
      #expect(branch.enter(get).isPass)
      branch.inherit(from: timeouts)
      #expect(branch.enter(get).isWatch)
    }
  }

  @Test("Options that decide when a connection is given up are watched, and other options are not")
  func hostTimeoutRules() throws {
    let timeouts = HostTimeouts(
      kernel: kernel, network: hosts(try #require(try LoopbackBlock.take())).network, links: Links()
    )
    let level = UInt64(IPPROTO_TCP)

    #expect(timeouts.sees(SystemCallNumber.listen))
    #expect(timeouts.sees(SystemCallNumber.setsockopt, 3, level, UInt64(TCP_USER_TIMEOUT)))
    #expect(!timeouts.sees(SystemCallNumber.setsockopt, 3, level, UInt64(TCP_CORK)))
    #expect(timeouts.sees(SystemCallNumber.getsockopt, 3, level, UInt64(TCP_SYNCNT)))
    #expect(timeouts.enter(target.call(SystemCallNumber.listen, 3)).isWatch)
    #expect(
      timeouts.enter(target.call(SystemCallNumber.setsockopt, 3, level, UInt64(TCP_CORK))).isPass)
  }
}
