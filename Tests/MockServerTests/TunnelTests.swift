import MockServer
import Testing

struct TunnelTests {
  private static let curl = "/usr/bin/curl"
  private static var hasCurl: Bool { Command.exists(curl) }

  @Test("A client that takes the mock server for a proxy is led to the host that it names")
  func tunnel() throws {
    let test = try TestServer([.entry("GET", "/n", host: "api.test", replies: [.text("in")])])
    let client = try test.client(host: "proxy.test")

    try client.send("CONNECT api.test:80 HTTP/1.1\r\nhost: api.test:80\r\n\r\n")
    let opening = try client.response()
    let response = try client.get("/n")

    #expect(opening.status == 200)
    #expect(opening.headers["content-length"] == nil)
    #expect(response.text == "in")
    #expect(test.server.requests().map(\.url) == ["http://api.test/n"])
  }

  @Test("What a client sends behind CONNECT without waiting is not lost")
  func eager() throws {
    let test = try TestServer([.entry("GET", "/n", host: "api.test", replies: [.text("in")])])
    let client = try test.client(host: "proxy.test")

    try client.send(
      "CONNECT api.test:80 HTTP/1.1\r\nhost: api.test:80\r\n\r\n"
        + "GET /n HTTP/1.1\r\nhost: api.test\r\n\r\n")

    #expect(try client.response().status == 200)
    #expect(try client.response().text == "in")
  }

  @Test("CONNECT to what is no host is refused", arguments: ["nowhere", "a b:80", "api.test:0"])
  func refused(target: String) throws {
    let test = try TestServer([])
    let client = try test.client()

    try client.send("CONNECT \(target) HTTP/1.1\r\nhost: api.test\r\n\r\n")

    #expect(try client.response().status == 400)
    #expect(test.world.events.count == 1)
  }

  @Test(
    "curl goes through a proxy, plain and with TLS", .enabled(if: hasCurl),
    arguments: ["http://api.test/n", "https://api.test/n"])
  func curl(url: String) throws {
    let test = try TestServer([.entry("GET", "/n", host: "api.test", replies: [.text("in")])])
    let port = try test.port(host: "proxy.test", port: 3128)
    let bundle = try TemporaryFile(test.authority.certificatePEM)

    let result = try Command(path: Self.curl).run([
      "--silent", "--show-error", "--max-time", "20", "--cacert", bundle.path, "--proxy",
      "http://127.0.0.1:\(port)", url,
    ])

    #expect(result.output == "in")
    #expect(test.server.requests().map(\.url) == [url])
  }

  @Test("A proxy that is itself reached by TLS leads on to TLS", .enabled(if: hasCurl))
  func nested() throws {
    let test = try TestServer([
      .entry("GET", "/n", scheme: "https", host: "api.test", replies: [.text("in")])
    ])
    let port = try test.port(host: "proxy.test", port: 443)
    let bundle = try TemporaryFile(test.authority.certificatePEM)

    let result = try Command(path: Self.curl).run([
      "--silent", "--show-error", "--max-time", "20", "--cacert", bundle.path,
      "--proxy-cacert", bundle.path, "--proxy-insecure", "--proxy", "https://127.0.0.1:\(port)",
      "https://api.test/n",
    ])

    #expect(result.output == "in")
  }
}
