package import MockEngine
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import Patterns
package import ScenarioModel
internal import ScenarioPlan

/// Asks real hosts from outside of a scenario, one request after the other.
package final class LiveClient: Sendable {
  /// The reason why there is no reply.
  package struct Failure: Error, Sendable {
    /// Lower case, no full stop.
    package var message: String
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let settings: UpstreamSettings

  /// Starts a thread; `shutdown()` must follow.
  package init(settings: UpstreamSettings) {
    self.settings = settings
  }

  /// Ends the thread.
  package func shutdown() {
    try? group.syncShutdownGracefully()
  }

  /// Makes a request and waits for the whole reply.
  ///
  /// - Parameters:
  ///   - headers: what to send beside what HTTP itself needs.
  ///   - upstreams: where hosts are reached in place of where their names lead.
  /// - Throws: If there is no reply.
  package func reply(
    to method: String, _ target: RequestTarget, headers: [IncomingRequest.Header], body: [UInt8],
    upstreams: [UpstreamRule]
  ) throws(Failure) -> RecordedReply {
    let loop = group.next()
    let promise = loop.makePromise(of: RecordedReply.self)
    let settings = settings
    loop.execute {
      var network = PlannedNetwork(mode: .record, unused: .ignore, responses: [])
      network.upstreams = upstreams
      let items = target.text.firstIndex(of: "?").map { String(target.text[$0...]) } ?? ""
      let head = HTTPRequestHead(
        version: .http1_1, method: HTTPMethod(rawValue: method), uri: target.path + items,
        headers: HTTPHeaders(headers.map { ($0.name, $0.value) }))
      var request = ReceivedRequest(head: head, budget: BufferQuota())
      var bytes = ByteBuffer(bytes: body)
      request.append(&bytes)
      let client = UpstreamClient(
        loop: loop, settings: settings, questions: PendingUpstreamCalls(),
        account: UpstreamAccount(), reportFailure: { _, _ in })
      let exchange = UpstreamExchange(client)
      exchange.onEnd = { [unowned exchange] outcome in
        switch outcome {
        // Some hosts pack what they were asked for as it is.
        case .reply(let reply): promise.succeed(reply.unpacked() ?? reply)
        case .fault, .socket:
          promise.fail(Failure(message: exchange.failure?.message ?? "there was no answer"))
        }
      }
      client.ask(UpstreamRequest(request, target: target, network: network), for: exchange)
    }
    do {
      return try promise.futureResult.wait()
    } catch {
      throw error as? Failure ?? Failure(message: "\(error)")
    }
  }
}
