/// Decides when an HTTP/1 connection ends.
struct HTTP1ConnectionEnd: Equatable {
  /// The phase of the end.
  private enum Phase: Equatable {
    /// Requests are read, and replies sent.
    case open
    /// The connection reads no more: an error, or a reply that ends it, is on its way.
    case draining
    /// The connection sends no more.
    case ended
  }

  /// An action of the handler.
  enum Action: Equatable {
    case nothing
    /// Close the connection.
    case close
    /// Abandon all replies that are not sent, and close behind what is written.
    case giveUp
  }

  private var phase = Phase.open
  /// True if the client was interrupted, and its bytes have to be read so that it comes to read the
  /// reason.
  private var hearsOut = false
  /// True if the client has closed its side.
  private(set) var isInputClosed = false

  /// True if requests are read.
  var isReading: Bool { phase == .open }
  /// True if nothing more is sent.
  var hasEnded: Bool { phase == .ended }
  /// True if only the mock server's side is closed at the end.
  ///
  /// Closed with bytes unread, the kernel would reset the connection and take the reply back.
  var closesHalf: Bool { hearsOut && !isInputClosed }

  /// Reads nothing more.
  ///
  /// - Parameter hearsOut: whether the client may be in the middle of a request.
  mutating func drain(hearsOut: Bool = false) {
    if phase == .open { phase = .draining }
    if hearsOut { self.hearsOut = true }
  }

  /// Sends nothing more.
  mutating func end() {
    phase = .ended
  }

  /// The client has closed its side.
  ///
  /// A client that does so while a reply is held back has given up, as every server assumes.
  ///
  /// - Parameter isServing: whether a reply is on its way, or a request waits for its turn.
  mutating func closeInput(isServing: Bool) -> Action {
    isInputClosed = true
    if phase == .ended { return hearsOut ? .close : .nothing }
    phase = .draining
    return isServing ? .nothing : .giveUp
  }
}
