internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ScenarioPlan
import Synchronization

/// Asks real hosts, each question on a connection of its own.
///
/// Lives on the event loop.
final class UpstreamClient {
  let settings: UpstreamSettings
  let questions: OpenQuestions
  private let loop: any EventLoop
  private let trust: UpstreamTrust
  private let account: UpstreamAccount

  init(
    loop: any EventLoop, settings: UpstreamSettings, questions: OpenQuestions,
    account: UpstreamAccount
  ) {
    self.loop = loop
    self.settings = settings
    self.questions = questions
    self.account = account
    trust = UpstreamTrust(path: settings.trustPath)
  }

  /// Asks; the answer goes to the exchange as it comes.
  func ask(_ request: UpstreamRequest, for exchange: UpstreamExchange) {
    let security: NIOSSLContext?
    do {
      security = request.target.scheme == "https" ? try trust.clientContext() : nil
    } catch {
      return exchange.fail(.insecure("the trusted certificates cannot be read: \(error)"))
    }
    let bound = NIOLoopBound((exchange, request), eventLoop: loop)
    let silence = settings.silenceTimeout
    connect(to: request.host, port: request.port, named: request.target.host) { channel in
      channel.eventLoop.makeCompletedFuture {
        let (exchange, request) = bound.value
        let pipeline = channel.pipeline.syncOperations
        if let security {
          // An address has no place in a server's name (RFC 6066 section 3).
          let isAddress = AddressLiteral.bytes(of: request.target.host) != nil
          try pipeline.addHandler(
            NIOSSLClientHandler(
              context: security, serverHostname: isAddress ? nil : request.target.host))
        }
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(
          UpstreamExchangeHandler(request: request, exchange: exchange, silence: silence))
      }
    }.whenComplete { result in
      let (exchange, _) = bound.value
      switch result {
      case .success(let channel): exchange.connected(channel)
      case .failure(let error): exchange.fail(UpstreamFailure(error))
      }
    }
  }

  /// Opens a connection to where a host is reached.
  ///
  /// Names are looked up by getaddrinfo(3) on a thread of NIO's.
  func connect(
    to host: String, port: UInt16, named name: String,
    _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    let place = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    account.add(host == name ? place : "\(name) at \(place)")
    return ClientBootstrap(group: loop)
      .connectTimeout(settings.connectTimeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer(initialize)
      .connect(host: host, port: Int(port))
  }
}

/// Which real hosts were connected to.
final class UpstreamAccount: Sendable {
  private let state = Mutex(RealConnections())

  func add(_ place: String) {
    state.withLock { $0.counts[place, default: 0] += 1 }
  }

  var connections: RealConnections { state.withLock { $0 } }
}
