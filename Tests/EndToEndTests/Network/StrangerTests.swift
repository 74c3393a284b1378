import Glibc
import Testing

@Suite("Processes beside the run that connect to its mock server")
struct StrangerTests {
  /// Connects to a port of this machine, sends a request, and reads until the other side closes.
  private func ask(port: UInt16, address: UInt32, _ request: [UInt8]) throws -> [UInt8] {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = address
    place.sin_port = port.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let error = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
    }
    try #require(error == 0, "\(String(cString: strerror(errno)))")
    #expect(send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// What a target asks the mock server, and a stranger beside it.
  enum Question: CaseIterable {
    case request, name

    /// Opens the target's connection, `connection`.
    var opening: String {
      switch self {
      case .request:
        """
        client = http.client.HTTPConnection("api.example.com")
              client.connect()
              connection = client.sock
        """
      case .name: #"connection = socket.create_connection(("192.0.2.53", 53))"#
      }
    }

    /// Asks, and prints the answer.
    var asking: String {
      switch self {
      case .request:
        """
        client.request("GET", "/one")
              print(client.getresponse().read().decode())
        """
      case .name:
        """
        connection.sendall(bytes(\(bytes)))
              print(socket.inet_ntoa(connection.makefile("rb").read(2 + \(bytes[1]) + 16)[-4:]))
        """
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .request: return Array("GET /one HTTP/1.1\r\nhost: api.example.com\r\n\r\n".utf8)
      case .name:
        // RFC 1035, section 4: one question for the address of a name.
        let labels = ["api", "example", "com"].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let message = [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, 1, 0, 1]
        return [0, UInt8(message.count)] + message
      }
    }

    var answer: String { self == .request ? "for the target" : "198.18.0.1" }
  }

  @Test(
    "One that asks what the target is to ask gets no answer, and the target gets its own",
    arguments: Question.allCases)
  func stranger(question: Question) throws {
    let folder = try TemporaryFolder()
    // The kernel's table has the address that a connection has in truth (proc(5)).
    let path = folder.write(
      """
      version: 2
      target:
        command: [python3, client.py]
        files:
          client.py: |
            import http.client, os, socket, time
            \(question.opening)
            own = "%04X" % connection.getsockname()[1]
            for row in open("/proc/self/net/tcp"):
                words = row.split()
                if words[1].endswith(":" + own):
                    address, port = words[2].split(":")
                    with open("\(folder.path)/new", "w") as file: print(int(address, 16), int(port, 16), file=file)
                    os.rename("\(folder.path)/new", "\(folder.path)/address")
            while not os.path.exists("\(folder.path)/go"): time.sleep(0.01)
            \(question.asking)
      network: { unused: ignore }
      responses:
        - { request: GET http://api.example.com/one, reply: { text: "for the target", times: 1 } }
      expect: { exit: 0, stdout: "\(question.answer)\\n" }

      """, to: "stranger.yaml")
    let running = try BuiltRunner.start(["run", path])
    try running.await("connected") { TemporaryFolder.read("\(folder.path)/address") != nil }
    let words = try ProcessWatch.line(in: "\(folder.path)/address").split(separator: " ")
    let address = try #require(words.first.flatMap { UInt32($0) })
    let port = try #require(words.last.flatMap { UInt16($0) })

    let answer = try ask(port: port, address: address, question.bytes)
    folder.write("", to: "go")
    let outcome = running.wait()

    #expect(answer.isEmpty, "\(String(decoding: answer, as: UTF8.self))")
    outcome.expectExit(0)
    #expect(
      outcome.text.contains("which is not part of the scenario, connected to"), "\(outcome.text)")
    withExtendedLifetime(folder) {}
  }
}
