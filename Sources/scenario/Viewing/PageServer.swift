internal import Glibc
internal import ScenarioReport
internal import Synchronization

/// Serves pages to browsers on this machine that know its token, and to nobody else.
///
/// It listens on 127.0.0.1. The token keeps other users and other sites out; the check of the host, sites whose
/// name leads here.
final class PageServer: Sendable {
  /// What is answered to a request for a path below the token.
  struct Reply: Sendable {
    /// The media type.
    var type: String
    /// What follows the headers.
    var body: Body
  }

  /// The body of a reply.
  enum Body: Sendable {
    /// All of it.
    case bytes([UInt8])
    /// An event each time that a text has become another one, as long as the client listens.
    case events(@Sendable () -> String)
  }

  /// The maximum number of bytes of a request.
  private static let requestLimit = 16 << 10
  /// The number of seconds that a client may take to ask, and to read on.
  private static let patience = 10

  private let listener: Int32
  private let port: UInt16
  private let token: String
  private let reply: @Sendable (_ path: String) -> Reply?
  private let firstServed = Mutex<(@Sendable () -> Void)?>(nil)

  /// The address to open.
  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  /// Listens on a port; 0 for any that is free.
  ///
  /// - Throws: If that cannot be.
  init(
    port: UInt16, reply: @escaping @Sendable (_ path: String) -> Reply?
  ) throws(ReportError) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listener >= 0, isListening else {
      throw ReportError(
        "cannot listen on port \(port) of 127.0.0.1: \(String(cString: strerror(errno)))",
        help: "choose another port with --port, or leave --port out for any free one")
    }
    self.reply = reply
    self.listener = listener
    self.port = UInt16(bigEndian: address.sin_port)
    var generator = SystemRandomNumberGenerator()
    token = "\(String(generator.next(), radix: 36))\(String(generator.next(), radix: 36))"
  }

  /// Sets what is done once, behind the first answer to somebody who knows the token.
  func whenFirstServed(_ body: @escaping @Sendable () -> Void) {
    firstServed.withLock { $0 = body }
  }

  /// Serves until the process ends.
  func serve() -> Never {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else {
        // Nothing is left for another client until one has gone.
        if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) { usleep(10_000) }
        continue
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      answerOnThread(client)
    }
  }

  // MARK: - Clients

  /// Answers on a thread of its own: browsers connect in advance, and ask later or never.
  private func answerOnThread(_ client: Int32) {
    var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(client, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    let hasThread = DetachedThread.start { [self] in
      answer(client)
      close(client)
    }
    if !hasThread { close(client) }
  }

  private func answer(_ client: Int32) {
    guard let head = Self.readHead(client) else { return }
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "GET" || words[0] == "HEAD" else {
      return send(client, "405 Method Not Allowed", Self.note("only GET is supported"))
    }
    let hosts = lines.dropFirst().compactMap { line -> String? in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "host" else {
        return nil
      }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    guard hosts == ["127.0.0.1:\(port)"] || hosts == ["localhost:\(port)"] else {
      return send(client, "421 Misdirected Request", Self.note("this host is not served here"))
    }
    let prefix = "/\(token)/"
    let path = words[1].prefix { $0 != "?" }
    guard path.hasPrefix(prefix), let reply = reply(String(path.dropFirst(prefix.count))) else {
      return send(
        client, "404 Not Found",
        Self.note("not found: open the printed address, which contains a token"))
    }
    let first = firstServed.withLock { body in
      defer { body = nil }
      return body
    }
    first?()
    send(client, "200 OK", reply, isHead: words[0] == "HEAD")
  }

  private static func note(_ text: String) -> Reply {
    Reply(type: "text/plain; charset=utf-8", body: .bytes(Array((text + "\n").utf8)))
  }

  /// A request up to the end of its headers; `nil` if it does not come.
  private static func readHead(_ client: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < requestLimit {
      let count = recv(client, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") { return String(text[..<end.lowerBound]) }
    }
    return nil
  }

  private func send(_ client: Int32, _ status: String, _ reply: Reply, isHead: Bool = false) {
    var head = [
      "HTTP/1.1 \(status)", "Content-Type: \(reply.type)", "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: no-referrer",
      "Connection: close",
    ]
    if case .bytes(let bytes) = reply.body { head.append("Content-Length: \(bytes.count)") }
    let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    guard sendAll(client, bytes), !isHead else { return }
    switch reply.body {
    case .bytes(let bytes): _ = sendAll(client, bytes)
    case .events(let text): sendEvents(client, text)
    }
  }

  /// Sends a text each time that it is another one; a comment now and then finds out whether somebody listens.
  private func sendEvents(_ client: Int32, _ text: () -> String) {
    var last = ""
    var silence = 0
    while true {
      let now = text()
      silence += 1
      if now != last || silence >= 50 {
        guard sendAll(client, Array((now == last ? ":\n\n" : "data: \(now)\n\n").utf8)) else {
          return
        }
        last = now
        silence = 0
      }
      usleep(100_000)
    }
  }

  private func sendAll(_ client: Int32, _ bytes: [UInt8]) -> Bool {
    var position = 0
    while position < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        Glibc.send(
          client, all.baseAddress?.advanced(by: position), bytes.count - position,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      position += count
    }
    return true
  }
}
