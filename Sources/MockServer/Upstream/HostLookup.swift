internal import CAres
internal import Glibc
internal import NIOCore

/// A lookup of a real host's addresses: in /etc/hosts, and by DNS as /etc/resolv.conf says (hosts(5), resolv.conf(5)).
///
/// getaddrinfo(3) would load whatever modules nsswitch.conf(5) names, which an executable without shared libraries
/// cannot.
struct HostLookup {
  /// The reason why there is no address.
  enum Failure: Error, Hashable {
    /// The name has none.
    case none
    /// No name server has answered whether it has one.
    case failed
  }

  /// The name, or an address in text.
  let host: String

  /// True if the library is initialized; initialization happens once.
  private static let isReady = ares_library_init(ARES_LIB_INIT_ALL) == SCENARIO_LOOKUP_SUCCESS

  /// Finds the addresses, the most suitable first (RFC 6724).
  ///
  /// Blocks until the name servers have answered, or for some seconds.
  ///
  /// - Parameter port: the port that goes with them.
  /// - Throws: If there is none.
  func addresses(port: UInt16) throws(Failure) -> [SocketAddress] {
    let found = FoundAddresses(host: host, port: port)
    var channel: ares_channel?
    guard Self.isReady, ares_init_options(&channel, nil, 0) == SCENARIO_LOOKUP_SUCCESS,
      let channel
    else { throw .failed }
    // Queries that are given up end with a call back, too.
    defer { withExtendedLifetime(found) { ares_destroy(channel) } }
    var hints = ares_addrinfo_hints()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    ares_getaddrinfo(
      channel, host, nil, &hints,
      { context, status, _, list in
        context.map { Unmanaged<FoundAddresses>.fromOpaque($0).takeUnretainedValue() }?
          .take(status, list)
      }, Unmanaged.passUnretained(found).toOpaque())
    while found.result == nil, Self.wait(channel) {}
    return try (found.result ?? .failure(.failed)).get()
  }

  /// The maximum number of sockets that ares_getsock(3) reports.
  private static let socketLimit = 16

  /// Waits for the next answer, or until it is time to ask again; false if nothing can come any more.
  private static func wait(_ channel: ares_channel) -> Bool {
    var sockets = [ares_socket_t](repeating: -1, count: socketLimit)
    let wanted = ares_getsock(channel, &sockets, Int32(socketLimit))
    var waits: [pollfd] = []
    for (index, socket) in sockets.enumerated() {
      var events: Int32 = 0
      if wanted & (1 << index) != 0 { events |= POLLIN }
      if wanted & (1 << (index + socketLimit)) != 0 { events |= POLLOUT }
      if events != 0 { waits.append(pollfd(fd: socket, events: Int16(events), revents: 0)) }
    }
    var left = timeval()
    guard !waits.isEmpty, ares_timeout(channel, nil, &left) != nil else { return false }
    let milliseconds = left.tv_sec * 1_000 + (left.tv_usec + 999) / 1_000
    poll(&waits, nfds_t(waits.count), Int32(clamping: milliseconds))
    for wait in waits {
      let isReadable = wait.revents & ~Int16(POLLOUT) != 0
      let isWritable = wait.revents & Int16(POLLOUT) != 0
      ares_process_fd(channel, isReadable ? wait.fd : -1, isWritable ? wait.fd : -1)
    }
    return true
  }
}

/// The addresses that a lookup has found.
private final class FoundAddresses {
  private let host: String
  private let port: UInt16
  private(set) var result: Result<[SocketAddress], HostLookup.Failure>?

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  func take(_ status: Int32, _ list: UnsafeMutablePointer<ares_addrinfo>?) {
    defer { ares_freeaddrinfo(list) }
    switch Int(status) {
    case SCENARIO_LOOKUP_SUCCESS:
      let addresses = list.map(addresses(in:)) ?? []
      result = addresses.isEmpty ? .failure(.none) : .success(addresses)
    case SCENARIO_LOOKUP_NO_NAME, SCENARIO_LOOKUP_NO_ADDRESS, SCENARIO_LOOKUP_BAD_NAME:
      result = .failure(.none)
    default: result = .failure(.failed)
    }
  }

  private func addresses(in list: UnsafeMutablePointer<ares_addrinfo>) -> [SocketAddress] {
    let nodes = sequence(first: list.pointee.nodes) { $0?.pointee.ai_next }.prefix { $0 != nil }
    return nodes.compactMap { node in
      guard let node, let address = node.pointee.ai_addr else { return nil }
      var found: SocketAddress?
      switch node.pointee.ai_family {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          found = SocketAddress($0.pointee, host: host)
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          found = SocketAddress($0.pointee, host: host)
        }
      default: break
      }
      found?.port = Int(port)
      return found
    }
  }
}
