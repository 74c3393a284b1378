internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// Looks a real host up for one connection, on a thread that may block.
///
/// Both kinds of address come from one lookup.
final class HostResolver: Resolver, Sendable {
  private let loop: any EventLoop
  private let lookup: NIOLoopBoundBox<EventLoopFuture<[SocketAddress]>?>

  /// - Parameter loop: the connection's.
  init(loop: any EventLoop) {
    self.loop = loop
    lookup = .makeEmptyBox(valueType: EventLoopFuture<[SocketAddress]>.self, eventLoop: loop)
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    addresses(of: host, port: port).map { $0.filter { $0.protocol == .inet } }
  }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    addresses(of: host, port: port).map { $0.filter { $0.protocol == .inet6 } }
  }

  /// A lookup ends by itself, within seconds.
  func cancelQueries() {}

  private func addresses(of host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    if let begun = lookup.value { return begun }
    let future = NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      try HostLookup(host: host).addresses(port: UInt16(clamping: port))
    }
    lookup.value = future
    return future
  }
}
