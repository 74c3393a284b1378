internal import Foundations
internal import NIOCore

/// A message of a WebSocket, put together from its fragments.
enum WebSocketMessage: Hashable {
  /// Text, valid UTF-8.
  case text(String)
  /// Bytes.
  case binary(ByteBuffer)

  /// True if it is text.
  var isText: Bool {
    if case .text = self { return true }
    return false
  }

  /// The bytes of the frame.
  var bytes: ByteBuffer {
    switch self {
    case .text(let text): ByteBuffer(string: text)
    case .binary(let bytes): bytes
    }
  }
}

/// The end of a WebSocket.
enum WebSocketEnding: Hashable {
  /// Both sides have sent close frames; 1005 is no code (RFC 6455, section 7.1.5).
  case closed(code: Int, reason: String)
  /// The connection was closed without a closing handshake.
  case lost
}

/// Talks to a client over a WebSocket.
///
/// Lives on the event loop; the methods are called in order, and none after `ended`. Pings are answered,
/// fragments joined and close frames returned before a session sees anything.
protocol WebSocketSession: AnyObject {
  /// The handshake is through.
  func opened(_ socket: WebSocket)
  /// The client has said something.
  func received(_ message: WebSocketMessage, on socket: WebSocket)
  /// Handles the end of the connection.
  func ended(_ ending: WebSocketEnding)
}

/// A session, and what the handshake says about it.
struct WebSocketOffer {
  /// The subprotocol that is chosen; one of those that the client names, or none.
  var subprotocol: String?
  /// The one that will talk.
  var session: any WebSocketSession
}

/// The mock server's end of a WebSocket.
///
/// Lives on the event loop. After the end everything is silently dropped.
final class WebSocket {
  /// A command to the connection.
  enum Command {
    case send(WebSocketMessage)
    case ping(ByteBuffer)
    case close(code: Int, reason: String)
    case abandon(AbortMode)
  }

  private var perform: ((Command) -> Void)?
  private let scheduleWork: (Nanoseconds, @escaping () -> Void) -> Void

  init(
    schedule: @escaping (Nanoseconds, @escaping () -> Void) -> Void,
    perform: @escaping (Command) -> Void
  ) {
    scheduleWork = schedule
    self.perform = perform
  }

  /// Sends a message.
  func send(_ message: WebSocketMessage) {
    perform?(.send(message))
  }

  /// Sends a ping with at most 125 bytes.
  func ping(_ bytes: ByteBuffer) {
    perform?(.ping(bytes))
  }

  /// Starts the closing handshake; 1005 sends no code.
  func close(code: Int, reason: String = "") {
    perform?(.close(code: code, reason: reason))
  }

  /// Abandons the connection without a closing frame.
  func abandon(_ manner: AbortMode) {
    perform?(.abandon(manner))
  }

  /// Runs work after a delay in virtual time, if the WebSocket is still open.
  func schedule(after delay: Nanoseconds, _ work: @escaping () -> Void) {
    scheduleWork(delay) { [weak self] in
      if self?.perform != nil { work() }
    }
  }

  /// Ends sending.
  func end() {
    perform = nil
  }
}
