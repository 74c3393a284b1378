internal import Glibc
internal import Supervisor

/// A connection of the runner's own to a port of this machine, on the way to an answer, without ever waiting.
final class LoopbackProbe {
  /// The progress of the probe.
  enum State: Equatable {
    /// Neither an answer nor a refusal is there yet.
    case pending
    /// An HTTP server has answered with this status.
    case answered(status: Int)
    /// The probe failed: no process listens, or it does not use HTTP.
    case failed(String)
  }

  private var descriptor: Int32
  private var isConnected = false
  private var request: ArraySlice<UInt8>
  private var answer: [UInt8] = []

  /// Begins to connect; a GET request for a path follows.
  init(_ address: InternetAddress, path: String) {
    let text =
      "GET \(path) HTTP/1.1\r\nHost: localhost:\(address.port)\r\nUser-Agent: scenario\r\n"
      + "Accept: */*\r\nConnection: close\r\n\r\n"
    request = Array(text.utf8)[...]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let isWide = address.bytes.count == 16
    descriptor = socket(isWide ? AF_INET6 : AF_INET, type, 0)
    guard descriptor >= 0 else { return }
    let bytes = address.socketBytes(isWide: isWide)
    let result = bytes.withUnsafeBytes { bytes -> Int32 in
      guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
      return connect(descriptor, place, socklen_t(bytes.count))
    }
    if result != 0, errno != EINPROGRESS { end() }
  }

  deinit {
    end()
  }

  /// Makes the progress that is possible now.
  func step() -> State {
    guard descriptor >= 0 else { return .failed("no process accepts connections") }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if !isConnected || !request.isEmpty { wanted.events |= Int16(POLLOUT) }
    guard poll(&wanted, 1, 0) > 0 else { return .pending }
    if !isConnected {
      var error: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
      guard error == 0 else { return fail("no process accepts connections") }
      isConnected = true
    }
    while !request.isEmpty {
      let count = request.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        return errno == EAGAIN ? .pending : fail("the connection was closed before the request")
      }
      request = request.dropFirst(count)
    }
    return read()
  }

  private func read() -> State {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 { return errno == EAGAIN ? .pending : fail("the connection was reset") }
      if count == 0 { return fail("the connection was closed without an answer") }
      answer += buffer[..<count]
      guard let end = answer.firstIndex(of: UInt8(ascii: "\n")) else {
        if answer.count > 65_536 { return fail("the answer is not HTTP") }
        continue
      }
      let words = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ")
      guard words.count > 1, words[0].hasPrefix("HTTP/"), let status = Int(words[1].prefix(3))
      else { return fail("the answer is not HTTP") }
      self.end()
      return .answered(status: status)
    }
  }

  private func fail(_ reason: String) -> State {
    end()
    return .failed(reason)
  }

  private func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
