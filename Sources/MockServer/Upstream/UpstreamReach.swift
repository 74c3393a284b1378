internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// Determines whether real hosts can be reached before a client is admitted: the client meets what
/// it would meet without a mock server.
///
/// Lives on the event loop. A host that was reached once is taken to be there; others are tried
/// again.
final class UpstreamReach {
  /// The longest time that a real host may take before the client is admitted without its answer,
  /// in real time.
  private static let patience = TimeAmount.seconds(2)

  private struct Place: Hashable {
    var host: String
    var port: UInt16
  }

  private let loop: any EventLoop
  private let client: UpstreamClient
  private var names: Set<String> = []
  private var places: Set<Place> = []
  private var secure: Set<Place> = []
  /// The connections on which a host may send before any request.
  private var listening: [Place: any Channel] = [:]

  init(loop: any EventLoop, client: UpstreamClient) {
    self.loop = loop
    self.client = client
  }

  // MARK: - Names

  /// Returns the reason why a name has no address; `nil` if it has one.
  func failure(ofName name: String) -> EventLoopFuture<UpstreamFailure?> {
    guard !names.contains(name) else { return loop.makeSucceededFuture(nil) }
    let question = NIOLoopBound(client.questions.open(), eventLoop: loop)
    let bound = NIOLoopBound(self, eventLoop: loop)
    return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { Self.lookUp(name) }
      .map { failure in
        if failure == nil { bound.value.names.insert(name) }
        question.value.close()
        return failure
      }
  }

  /// Looks a name up, which may take long.
  private static func lookUp(_ name: String) -> UpstreamFailure? {
    do throws(HostLookup.Failure) {
      _ = try HostLookup(host: name).addresses(port: 0)
      return nil
    } catch {
      return UpstreamFailure(error, of: name)
    }
  }

  // MARK: - Connections

  /// Returns the reason why no host answers at a place; `nil` if one does.
  ///
  /// - Parameter whenSpokenTo: Called if the host sends bytes before any request, and before
  ///   `endListening`; `nil` where that is of no interest.
  func failure(
    at host: String, port: UInt16, named name: String, whenSpokenTo: (() -> Void)? = nil
  ) -> EventLoopFuture<UpstreamFailure?> {
    let place = Place(host: host, port: port)
    guard !places.contains(place) else { return loop.makeSucceededFuture(nil) }
    return attempt(at: place, named: name, security: nil, whenSpokenTo) {
      $0.places.insert(place)
    }
  }

  /// Ends the watch for a host that sends first, as a client has begun to send: later bytes are an
  /// answer.
  func endListening(at host: String, port: UInt16) {
    listening.removeValue(forKey: Place(host: host, port: port))?.close(promise: nil)
  }

  /// Returns the reason why TLS with a host fails; `nil` if it does not.
  func handshakeFailure(
    at host: String, port: UInt16, named name: String
  ) -> EventLoopFuture<UpstreamFailure?> {
    let place = Place(host: host, port: port)
    guard !secure.contains(place) else { return loop.makeSucceededFuture(nil) }
    guard let security = try? client.trust.clientContext() else {
      return loop.makeSucceededFuture(nil)
    }
    return attempt(at: place, named: name, security: security) { $0.secure.insert(place) }
  }

  private func attempt(
    at place: Place, named name: String, security: NIOSSLContext?,
    _ whenSpokenTo: (() -> Void)? = nil, then record: @escaping (UpstreamReach) -> Void
  ) -> EventLoopFuture<UpstreamFailure?> {
    let promise = loop.makePromise(of: UpstreamFailure?.self)
    let question = client.questions.open()
    let bound = NIOLoopBound(
      (
        reach: self, question: question, record: record, attempt: ReachAttempt(promise),
        whenSpokenTo: whenSpokenTo
      ),
      eventLoop: loop)
    promise.futureResult.whenComplete { result in
      if case .success(nil) = result { bound.value.record(bound.value.reach) }
      bound.value.question.close()
    }
    loop.scheduleTask(in: Self.patience) { bound.value.attempt.end(nil) }
    client.connect(to: place.host, port: place.port, named: name) { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let security {
          let isAddress = AddressLiteral.bytes(of: name) != nil
          try pipeline.addHandler(
            NIOSSLClientHandler(context: security, serverHostname: isAddress ? nil : name))
        }
        let whenSpokenTo = bound.value.whenSpokenTo
        if whenSpokenTo != nil { bound.value.reach.listening[place] = channel }
        try pipeline.addHandler(
          ReachHandler(
            bound.value.attempt, awaitsHandshake: security != nil, whenSpokenTo: whenSpokenTo))
      }
    }.whenFailure { bound.value.attempt.end(UpstreamFailure($0)) }
    return promise.futureResult
  }
}

/// One attempt, which ends once.
private final class ReachAttempt {
  private var promise: EventLoopPromise<UpstreamFailure?>?

  init(_ promise: EventLoopPromise<UpstreamFailure?>) {
    self.promise = promise
  }

  func end(_ failure: UpstreamFailure?) {
    let promise = promise
    self.promise = nil
    promise?.succeed(failure)
  }
}

/// Waits for the beginning of a connection, and ends it, or waits on for a host that sends before
/// any request.
private final class ReachHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let attempt: ReachAttempt
  private let awaitsHandshake: Bool
  private let whenSpokenTo: (() -> Void)?

  init(_ attempt: ReachAttempt, awaitsHandshake: Bool, whenSpokenTo: (() -> Void)?) {
    self.attempt = attempt
    self.awaitsHandshake = awaitsHandshake
    self.whenSpokenTo = whenSpokenTo
  }

  func channelActive(context: ChannelHandlerContext) {
    if !awaitsHandshake { reach(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted = event { reach(context) }
  }

  private func reach(_ context: ChannelHandlerContext) {
    attempt.end(nil)
    if whenSpokenTo == nil { context.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let whenSpokenTo else { return }
    whenSpokenTo()
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    attempt.end(.closed)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    attempt.end(UpstreamFailure(error))
    context.close(promise: nil)
  }
}
