internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Reports once that this process has no descriptor, or no memory, left for a client or for the real host that it asks:
/// the scenario does not say what the client meets then.
///
/// Lives on the event loop.
final class Exhaustion {
  private let reporter: EventReporter
  private var isReported = false

  init(reporter: EventReporter) {
    self.reporter = reporter
  }

  /// Reports an error if it is that (accept(2), socket(2)).
  ///
  /// - Parameter host: where the client went.
  func check(_ error: any Error, host: String) {
    // Names lead to several addresses, and each of them may fail in its own way.
    let errors = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
    let number = errors.lazy.compactMap { ($0 as? IOError)?.errnoCode }
      .first { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains($0) }
    guard !isReported, let number else { return }
    isReported = true
    reporter.report(.exhausted(host: host, errorNumber: number))
  }
}

/// Watches a listener for connections that cannot be taken.
final class ExhaustionHandler: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  private let exhaustion: Exhaustion
  private let host: String

  init(_ exhaustion: Exhaustion, host: String) {
    self.exhaustion = exhaustion
    self.host = host
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    exhaustion.check(error, host: host)
    context.fireErrorCaught(error)
  }
}
