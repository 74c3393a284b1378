import Testing

/// A recording is replayed for the requests that it was made of, and for no others.
@Suite("Requests of a recording")
struct RecordedRequestTests {
  private let backends: RealBackends

  init() throws {
    backends = try RealBackends()
  }

  private func run(_ curl: String, _ options: [String] = []) throws -> BuiltRunner.Outcome {
    let path = try backends.scenario(
      """
      version: 2
      name: asks
      network:
        mode: record
        upstreams: { "api.example.com:80": "127.0.0.1:\(backends.plainPort)" }
      target:
        command:
          - sh
          - -c
          - >-
            \(curl)
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      expect: { exit: 0, stdout: "201" }

      """)
    return try BuiltRunner.run(["run", path, "--timeout", "10m"] + options)
  }

  private static let curl = "curl --silent --show-error -o out -w '%{http_code}'"
  private static let url = "http://api.example.com/echo"

  @Test(
    "What is sent otherwise than it was recorded has no answer, and the same has",
    arguments: [
      ("-F title=hello URL", "-F title=hallo URL"),
      ("-F title=hello URL", "-F title=hello -F more=1 URL"),
      ("-F 'f=x;filename=a.bin' URL", "-F 'f=x;filename=b.bin' URL"),
      (
        "-H content-type:application/json -d '{\"user\":\"ada\",\"password\":\"1\"}' URL",
        "-H content-type:application/json -d '{\"user\":\"ada\",\"password\":\"1\",\"admin\":true}' URL"
      ),
      ("-d a=1 -d password=x URL", "-d a=2 -d password=x URL"),
      ("-d '' URL", "-d x URL"),
      ("-d x URL?a=1", "-d x 'URL?a=1&b=2'"),
      ("-d x URL?a=%2B", "-d x URL?a=+"),
      ("-H transfer-encoding:chunked -d abc URL", "-H transfer-encoding:chunked -d abd URL"),
      (
        "-H content-type:application/octet-stream --data-binary @/usr/bin/true URL",
        "-H content-type:application/octet-stream --data-binary @/usr/bin/false URL"
      ),
    ])
  func otherRequests(recorded: String, changed: String) throws {
    func command(_ arguments: String) -> String {
      "\(Self.curl) \(arguments.replacing("URL", with: Self.url))"
    }
    let first = try run(command(recorded))
    let recording = backends.text("__recordings__/asks.yaml") ?? ""
    let same = try run(command(recorded), ["--network", "offline"])
    let other = try run(command(changed), ["--network", "offline"])

    first.expectExit(0)
    #expect(same.exitCode == 0, "\(same.text)\n\(recording)")
    #expect(other.exitCode == 1, "\(other.text)\n\(recording)")
    #expect(other.output.contains("no response for POST http://api.example.com/echo"))
  }

  @Test("A secret may be another one in the replay")
  func otherSecret() throws {
    func command(_ secret: String) -> String {
      "\(Self.curl) -H content-type:application/json -d '{\"user\":\"ada\",\"password\":\"\(secret)\"}' "
        + "\(Self.url)?api_key=\(secret)"
    }
    let first = try run(command("one"))
    let replayed = try run(command("two"), ["--network", "offline"])

    first.expectExit(0)
    replayed.expectExit(0)
  }

  @Test("A body that is too long to be compared is told of, and replays")
  func longBody() throws {
    let command = "head -c 3000000 /dev/zero | \(Self.curl) --data-binary @- \(Self.url)"
    let recorded = try run(command)
    let recording = try #require(backends.text("__recordings__/asks.yaml"))
    let replayed = try run(command, ["--network", "offline"])
    let without = try run("\(Self.curl) -d '' \(Self.url)", ["--network", "offline"])

    recorded.expectExit(0)
    #expect(
      recorded.text.contains(
        "a replay does not compare the body of POST http://api.example.com/echo, as it has 3000000 bytes"
      ), "\(recorded.text)")
    #expect(recording.contains("# not compared: the body of POST http://api.example.com/echo"))
    replayed.expectExit(0)
    without.expectExit(1)
  }
}
