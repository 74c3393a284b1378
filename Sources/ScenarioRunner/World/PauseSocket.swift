internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import Supervisor

/// A socket for visitors to a paused environment, in the run's folder, which only its owner can
/// open.
///
/// Each connection sends one message: the name of a request, and its words, with a zero byte behind
/// each.
final class PauseSocket {
  /// Its path.
  let path: String
  private let descriptor: Int32

  /// The request of a visitor.
  enum Request {
    /// Asks which case it is.
    case identify
    /// Resumes the environment.
    case goOn
    /// Runs a program in it: its words, and the terminal's kind where its streams are one.
    case enter(words: [String], terminal: String?, streams: [Int32])
  }

  /// - Parameter path: where it is to be; no longer than an address holds (unix(7)).
  init(path: String) throws(Failure) {
    self.path = path
    descriptor = try LocalSocket.listen(at: path, SOCK_SEQPACKET)
  }

  /// The descriptor and event to poll for.
  var pollDescriptor: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  /// Accepts the next request, with the connection for its answer; `nil` if there is none.
  func take() -> (connection: Int32, request: Request)? {
    let connection = LocalSocket.accept(descriptor)
    guard connection >= 0 else { return nil }
    // Who connects and says nothing must not keep the case from going on.
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard let message = DescriptorMessages.receive(from: connection),
      let request = Self.request(message.bytes, message.descriptors)
    else {
      Glibc.close(connection)
      return nil
    }
    return (connection, request)
  }

  /// Answers, which may be done again and again.
  static func answer(_ text: String, to connection: Int32) {
    _ = DescriptorMessages.send(Array(text.utf8), to: connection)
  }

  /// Closes the socket.
  func close() {
    unlink(path)
    Glibc.close(descriptor)
  }

  /// Reads a message; `nil` for one that means nothing, whose descriptors are closed.
  static func request(_ bytes: [UInt8], _ descriptors: [Int32]) -> Request? {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    switch words.first {
    case "identify" where descriptors.isEmpty: return .identify
    case "go-on" where descriptors.isEmpty: return .goOn
    case "enter" where words.count >= 2 && descriptors.count == 3:
      let terminal = words[1]
      return .enter(
        words: Array(words.dropFirst(2)), terminal: terminal.isEmpty ? nil : terminal,
        streams: descriptors)
    default:
      for descriptor in descriptors { Glibc.close(descriptor) }
      return nil
    }
  }
}
