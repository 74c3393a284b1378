internal import Foundations
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import Patterns
import Synchronization

/// Asks real hosts, each request on a connection of its own.
///
/// Lives on the event loop.
final class UpstreamClient {
  let settings: UpstreamSettings
  let questions: PendingUpstreamCalls
  let loop: any EventLoop
  let trust: UpstreamTrust
  private let account: UpstreamAccount
  private let findLoopback: FindTargetEntrance?
  private let reportFailure: (any Error, _ host: String) -> Void

  /// - Parameters:
  ///   - findLoopback: finds where on this machine an address of loopback leads; `nil` if there.
  ///   - reportFailure: takes what kept a connection to a real host from being made.
  init(
    loop: any EventLoop, settings: UpstreamSettings, questions: PendingUpstreamCalls,
    account: UpstreamAccount, findLoopback: FindTargetEntrance? = nil,
    reportFailure: @escaping (any Error, _ host: String) -> Void
  ) {
    self.loop = loop
    self.findLoopback = findLoopback
    self.reportFailure = reportFailure
    self.settings = settings
    self.questions = questions
    self.account = account
    trust = UpstreamTrust(path: settings.trustPath)
  }

  /// Sends a request; the answer goes to the exchange as it comes.
  ///
  /// A client of HTTP/2 is answered over HTTP/2, if the host supports it too.
  func ask(_ request: UpstreamRequest, for exchange: UpstreamExchange) {
    let security: NIOSSLContext?
    do {
      security =
        request.isSecure
        ? try trust.clientContext(offersHTTP2: request.isHTTP2) : nil
    } catch {
      return exchange.fail(.insecure("cannot read the trusted certificates: \(error)"))
    }
    let bound = NIOLoopBound((exchange, request, self), eventLoop: loop)
    connect(to: request.host, port: request.port, named: request.target.host) { channel in
      channel.eventLoop.makeCompletedFuture {
        let (exchange, request, client) = bound.value
        let pipeline = channel.pipeline.syncOperations
        guard let security else {
          return try client.build(request, exchange, isHTTP2: request.isHTTP2, in: pipeline)
        }
        // An address has no place in a server's name (RFC 6066 section 3).
        let isAddress = AddressLiteral.bytes(of: request.target.host) != nil
        try pipeline.addHandler(
          NIOSSLClientHandler(
            context: security, serverHostname: isAddress ? nil : request.target.host))
        guard request.isHTTP2 else {
          return try client.build(request, exchange, isHTTP2: false, in: pipeline)
        }
        try pipeline.addHandler(
          ApplicationProtocolNegotiationHandler { result, channel in
            channel.eventLoop.makeCompletedFuture {
              let (exchange, request, client) = bound.value
              try client.build(
                request, exchange, isHTTP2: result == .negotiated(ALPN.http2),
                in: channel.pipeline.syncOperations)
            }
          })
        try pipeline.addHandler(UpstreamConnectionHandler(exchange: exchange))
      }
    }.whenComplete { result in
      let (exchange, _, _) = bound.value
      switch result {
      case .success(let channel): exchange.connected(channel)
      case .failure(let error): exchange.fail(UpstreamFailure(error))
      }
    }
  }

  /// Puts a version of HTTP onto a connection.
  private func build(
    _ request: UpstreamRequest, _ exchange: UpstreamExchange, isHTTP2: Bool,
    in pipeline: ChannelPipeline.SynchronousOperations
  ) throws {
    let handler = UpstreamExchangeHandler(
      request: request, exchange: exchange, silence: settings.silenceTimeout, isHTTP2: isHTTP2)
    guard isHTTP2 else {
      // What came by HTTP/1 goes on as it came: hosts accept letters in a target, such as "{" and "|", that no URL may have
      // (RFC 3986). And whatever knows nothing but HTTP has to go when the protocol changes.
      try pipeline.addHTTPClientHandlers(
        leftOverBytesStrategy: .forwardBytes, enableOutboundHeaderValidation: request.isHTTP2)
      return try pipeline.addHandler(handler)
    }
    let multiplexer = try pipeline.configureHTTP2Pipeline(
      mode: .client, connectionConfiguration: HTTP2Limits.upstream,
      streamConfiguration: HTTP2Limits.stream
    ) { $0.close() }
    try pipeline.addHandler(UpstreamConnectionHandler(exchange: exchange))
    let bound = NIOLoopBound(handler, eventLoop: loop)
    let isSecure = request.isSecure
    multiplexer.createStreamChannel { stream in
      stream.eventLoop.makeCompletedFuture {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(
          HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: isSecure ? .https : .http))
        try pipeline.addHandler(bound.value)
      }
    }.whenFailure { [exchange = NIOLoopBound(exchange, eventLoop: loop)] error in
      exchange.value.fail(UpstreamFailure(error))
    }
  }

  /// Creates a period that holds virtual time where it is unknown whether the host will answer.
  func patience() -> UpstreamGracePeriod {
    UpstreamGracePeriod(questions: questions, loop: loop)
  }

  /// Opens a connection to where a host is reached.
  func connect(
    to host: String, port: UInt16, named name: String,
    _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    let place = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    account.add(host == name ? place : "\(name) at \(place)")
    let bootstrap = ClientBootstrap(group: loop)
      .resolver(HostResolver(loop: loop))
      .connectTimeout(settings.connectTimeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer(initialize)
    let connection: EventLoopFuture<any Channel>
    if let findLoopback, LocalHost.isNamed(by: host) {
      // The targets may have the port for themselves.
      let entrance = loop.makePromise(of: TargetEntrance.self)
      findLoopback(host, port) { entrance.succeed($0) }
      let bound = NIOLoopBound(bootstrap, eventLoop: loop)
      connection = entrance.futureResult.flatMap {
        guard case .open(let address, let port) = $0 else {
          return bound.value.connect(host: host, port: Int(port))
        }
        return bound.value.connect(host: address, port: Int(port))
      }
    } else {
      connection = bootstrap.connect(host: host, port: Int(port))
    }
    connection.whenFailure { [bound = NIOLoopBound(self, eventLoop: loop)] in
      bound.value.reportFailure($0, name)
    }
    return connection
  }
}

/// Counts connections to real hosts.
final class UpstreamAccount: Sendable {
  private let state = Mutex(RealConnections())

  func add(_ place: String) {
    state.withLock { $0.counts[place, default: 0] += 1 }
  }

  var connections: RealConnections { state.withLock { $0 } }
}
