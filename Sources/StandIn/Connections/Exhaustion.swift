internal import Glibc
internal import NIOCore

/// Tells where this process has no descriptor, or no memory, left for a client: what the client meets then is nothing
/// that the scenario says.
///
/// Lives on the event loop.
final class Exhaustion {
  private let record: (StandInEvent) -> Void
  private var isTold = false

  init(record: @escaping (StandInEvent) -> Void) {
    self.record = record
  }

  /// Takes note of what has gone wrong, if it is that (accept(2), socket(2)).
  ///
  /// - Parameter host: where the client went.
  func note(_ error: any Error, host: String) {
    guard !isTold, let number = (error as? IOError)?.errnoCode,
      [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number)
    else { return }
    isTold = true
    record(.exhausted(host: host, errorNumber: number))
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
    exhaustion.note(error, host: host)
    context.fireErrorCaught(error)
  }
}
