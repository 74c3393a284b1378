import Testing

@Suite("Statuses and delays that a request decides")
struct ComputedReplyTests {
  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "computed.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--show-output", "all"])
    withExtendedLifetime(folder) {}
    return outcome
  }

  private func statuses(expected: String) -> String {
    """
    version: 2
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    target:
      command:
        - bash
        - -c
        - "for url in status/418 'status/503?after=90s' next next; do
             curl --silent --output /dev/null --write-out '%{http_code} ' \\"http://a.test/$url\\"; date +%T; done"
    responses:
      - "GET http://a.test/status/{code}":
          { status: "${{ int(request.path.code) }}", after: "${{ request.query.after ?? '0s' }}" }
      - GET http://a.test/next: { status: "${{ case(request.count == 1, 503, 200) }}", after: "${{ string(request.count) }}m" }
    expect:
      stdout: |
        418 09:00:00
        503 09:01:30
        503 09:02:30
        \(expected)

    """
  }

  @Test("A client asks for the statuses and delays that it wants")
  func statuses() throws {
    let outcome = try run(statuses(expected: "200 09:04:30"))
    outcome.expectExit(0)
    let otherwise = try run(statuses(expected: "503 09:03:30"))
    otherwise.expectExit(1)
  }

  @Test(
    "A status that there is none of fails the case at its place, over every protocol",
    arguments: ["--http1.1", "--http2-prior-knowledge"])
  func mistake(version: String) throws {
    let outcome = try run(
      """
      version: 2
      target: { command: [curl, --silent, \(version), --write-out, "%{http_code}", "http://a.test/x?s=42"] }
      responses:
        - GET http://a.test/x: { status: "${{ request.query.s }}" }
      expect: { stdout: { contains: "500" } }

      """)

    #expect(outcome.exitCode != 0, "\(outcome.text)")
    #expect(
      outcome.text.contains(
        "the reply to GET http://a.test/x?s=42 cannot be made: \"status\" is \"42\", which is no status of a reply"
      ), "\(outcome.text)")
    #expect(outcome.text.contains("computed.yaml:4:36"), "\(outcome.text)")
  }

  private func draws(seed: Int, expect: String) -> String {
    """
    version: 2
    seed: \(seed)
    clock: { at: 2026-03-01T09:00:00Z, flow: auto }
    target: { command: [bash, -c, "for i in 1 2 3; do curl --silent http://a.test/; done; wait; date +%s%N"] }
    responses:
      - GET http://a.test/: { after: { uniform: { from: 1m, to: 2m } } }
    expect: { \(expect) }

    """
  }

  @Test("Delays by chance come from the seed alone, and time goes by as they say")
  func draws() throws {
    let all = "duration: { between: [3m, 6m] }"
    let first = try run(draws(seed: 5, expect: all))
    first.expectExit(0)
    let time = try #require(first.text.firstMatch(of: #/17\d{17}/#)?.output)
    try run(draws(seed: 5, expect: "stdout: \"\(time)\\n\"")).expectExit(0)
    try run(draws(seed: 6, expect: "stdout: \"\(time)\\n\"")).expectExit(1)
    try run(draws(seed: 5, expect: "duration: { less_than: 3m }")).expectExit(1)
  }

  @Test("Replies to what no entry answers, to GraphQL and to calls are computed as well")
  func others() throws {
    let outcome = try run(
      """
      version: 2
      clock: { at: 2026-03-01T09:00:00Z, flow: auto }
      target:
        command:
          - bash
          - -c
          - "curl --silent --write-out '%{http_code} ' http://a.test/no/404;
             curl --silent --write-out '%{http_code} ' http://a.test/graphql --json '{\\"query\\":\\"query A { a }\\",\\"variables\\":{\\"s\\":429}}'; date +%T"
      network: { unmatched: { status: "${{ substr(request.url, -3) }}", after: { normal: { mean: 1m, deviation: 0s } } } }
      responses:
        - { query: A, reply: { data: { a: 1 }, status: "${{ request.variables.s }}", after: { lognormal: { median: 2m, sigma: 0 } } } }
      expect: { stdout: "404 {\\"data\\":{\\"a\\":1}}429 09:03:00\\n" }

      """)

    outcome.expectExit(0)
  }
}
