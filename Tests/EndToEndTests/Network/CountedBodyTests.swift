import Testing

@Suite("Requests that are counted by their bodies")
struct CountedBodyTests {
  @Test(
    "A body that is not kept whole is not taken for one that does not fit",
    arguments: [
      ("count: 0", 1_000, true), ("count: 0", 100_000, false),
      ("count: { at_least: 0, at_most: 1 }", 100_000, true),
    ])
  func cutBody(count: String, length: Int, passes: Bool) throws {
    let folder = try ProjectFolder()
    try folder.write(
      """
      version: 2
      target:
        command:
          - sh
          - -c
          - head -c \(length) /dev/zero | tr '\\000' x | curl --silent --data-binary @- http://a.test/
      responses: [{ POST http://a.test/: { status: 200 } }]
      expect:
        requests: [{ request: { url: "http://a.test/", body: { ends_with: yz } }, \(count) }]

      """, to: "counted.yaml")
    let outcome = try folder.scenario(["run", "counted.yaml", "--timeout", "10m"])

    #expect(outcome.exitCode == (passes ? 0 : 1), "\(outcome.text)")
    #expect(outcome.output.contains("of the 100000 bytes of a body are kept") != passes)
  }
}
