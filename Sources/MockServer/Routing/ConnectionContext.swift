internal import Foundations
internal import NIOCore
internal import NIOHTTP1

/// The mock server's services for the HTTP handlers of one connection.
///
/// Lives on the event loop.
final class ConnectionContext {
  /// The services that all connections share.
  struct Services {
    let router: RequestRouter
    let sender: ReplySender
    let recorder: RequestRecorder
    let connections: ConnectionReporter
    let clock: VirtualClock
    /// The memory for bodies of requests.
    let quota: BufferQuota
    /// Makes the handler for a client's connection that nothing is known of yet.
    let makeFirstHandler: (ClientConnection) -> any ChannelHandler
  }

  let connection: ClientConnection
  private let services: Services

  init(_ connection: ClientConnection, _ services: Services) {
    self.connection = connection
    self.services = services
  }

  // MARK: - Requests

  /// Creates a request whose head has come.
  func open(_ head: HTTPRequestHead, stream: Int? = nil) -> ReceivedRequest {
    ReceivedRequest(head: head, stream: stream, budget: services.quota)
  }

  /// Routes a complete request.
  func answer(_ request: ReceivedRequest, completion: @escaping RequestRouter.Completion) {
    services.router.answer(request, on: connection, completion: completion)
  }

  /// Routes a request whose body still comes; `nil` if it has to end first.
  func answerOpening(
    _ request: ReceivedRequest, completion: @escaping RequestRouter.Completion
  ) -> RequestFeed? {
    services.router.answerOpening(request, on: connection, completion: completion)
  }

  // MARK: - Replies

  /// Makes the writer of a reply to a wire.
  func writer(
    of reply: PreparedReply, isHeadRequest: Bool, wire: any ReplyWire, record: RecordedRequest?
  ) -> ReplyWriter {
    services.sender.writer(of: reply, isHeadRequest: isHeadRequest, wire: wire, record: record)
  }

  /// The fields of a reply that leaves now.
  func finalHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
    services.sender.finalHeaders(headers)
  }

  /// Runs the work once that much virtual time has passed.
  func schedule(after delay: Nanoseconds, _ work: @escaping () -> Void) {
    services.clock.schedule(after: delay, work)
  }

  /// Runs the work once that much virtual time has passed, unless what it returns is called.
  func scheduleCancellable(after delay: Nanoseconds, _ work: @escaping () -> Void) -> () -> Void {
    services.clock.scheduleCancellable(after: delay, work)
  }

  /// The handler of the connection that a client makes through this one, as through a proxy.
  func proxiedHandler(to destination: Destination) -> any ChannelHandler {
    services.makeFirstHandler(ClientConnection(destination: destination))
  }

  // MARK: - Reports

  /// Reports bytes that are no request.
  func reportMalformed(_ message: String) {
    services.connections.reportMalformed(connection, message)
  }

  /// Reports that the client has left before its answer was complete.
  func reportClosed(_ request: RecordedRequest) {
    services.recorder.reportClosed(request)
  }

  /// Reports that the client had left before its answer was chosen.
  func reportClosed(before answer: Answer) {
    services.recorder.reportClosed(before: answer)
  }
}
