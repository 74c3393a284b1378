import Glibc

/// A client on a raw socket: it sends exactly the bytes it is told to.
final class Client {
  enum Failure: Error {
    case socket(Int32)
    case connect(Int32)
    case send(Int32)
    case receive(Int32)
    case closed(after: String)
    case notHTTP(String)
  }

  struct Response: Equatable {
    var version: String
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    /// The lengths of the chunks, and the lines behind them.
    var chunks: [Int] = []
    var trailers: [String] = []

    var text: String {
      String(decoding: body, as: UTF8.self)
    }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var isOpen = true

  init(port: UInt16, datagrams: Bool = false) throws {
    let kind = datagrams ? SOCK_DGRAM : SOCK_STREAM
    descriptor = socket(AF_INET, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.socket(errno) }
    // A bound on the test, should an answer never come.
    var bound = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &bound, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      Glibc.close(descriptor)
      isOpen = false
      throw Failure.connect(code)
    }
  }

  deinit {
    close()
  }

  func close() {
    if isOpen { Glibc.close(descriptor) }
    isOpen = false
  }

  /// The port at this end.
  var sourcePort: UInt16 {
    get throws {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &length)
        }
      }
      guard result == 0 else { throw Failure.socket(errno) }
      return UInt16(bigEndian: address.sin_port)
    }
  }

  func closeOutput() {
    Glibc.shutdown(descriptor, Int32(SHUT_WR))
  }

  func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure.send(errno) }
      sent += count
    }
  }

  /// What one call of recv(2) yields; empty at the end.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failure.receive(errno) }
    return Array(buffer.prefix(count))
  }

  /// Whether bytes can be read right now.
  var hasBytes: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&request, 1, 0) > 0
  }

  func receive(count: Int) throws -> [UInt8] {
    while received.count < count {
      let part = try receive()
      guard !part.isEmpty else {
        throw Failure.closed(after: String(decoding: received, as: UTF8.self))
      }
      received += part
    }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  /// What has come so far, more of it at each call, without taking it.
  func peek() throws -> [UInt8] {
    let part = try receive()
    guard !part.isEmpty else {
      throw Failure.closed(after: String(decoding: received, as: UTF8.self))
    }
    received += part
    return received
  }

  func receiveToEnd() throws -> [UInt8] {
    while true {
      let part = try receive()
      if part.isEmpty { break }
      received += part
    }
    defer { received = [] }
    return received
  }

  /// One response; `hasBody` is false behind HEAD.
  func response(hasBody: Bool = true) throws -> Response {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try receive(count: 1) }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let status = Int(words[1]) else {
      throw Failure.notHTTP(String(lines[0]))
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] =
        parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    var response = Response(
      version: String(words[0]), status: status, headers: headers, body: [])
    guard hasBody, status >= 200 else { return response }
    if headers["transfer-encoding"] == "chunked" {
      try receiveChunks(into: &response)
    } else {
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      response.body = try receive(count: length)
    }
    return response
  }

  private func line() throws -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(2).elementsEqual([13, 10]) { bytes += try receive(count: 1) }
    return String(decoding: bytes.dropLast(2), as: UTF8.self)
  }

  private func receiveChunks(into response: inout Response) throws {
    while true {
      let size = try line()
      guard let count = Int(size, radix: 16) else { throw Failure.notHTTP(size) }
      if count == 0 { break }
      response.chunks.append(count)
      response.body += try receive(count: count)
      _ = try line()
    }
    while case let field = try line(), !field.isEmpty { response.trailers.append(field) }
  }

  /// Sends a GET and reads the response.
  func get(_ path: String, host: String = "api.test") throws -> Response {
    try send("GET \(path) HTTP/1.1\r\nhost: \(host)\r\n\r\n")
    return try response()
  }
}
