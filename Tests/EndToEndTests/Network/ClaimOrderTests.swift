import Testing

@Suite("The order of claims")
struct ClaimOrderTests {
  private static let program = "\(BuiltRunner.root)/.build/programs/together"
  private static let held = "clock: { at: 2026-03-01T09:00:00Z, flow: auto }"

  private func run(_ arguments: [String], clock: String, _ rest: String) throws
    -> BuiltRunner.Outcome
  {
    let folder = try TemporaryFolder()
    let words = ([Self.program] + arguments).map { "\"\($0)\"" }.joined(separator: ", ")
    let text = """
      version: 2
      target: { command: [\(words)] }
      \(clock)
      timeout: 120s
      \(rest)
      """
    let outcome = try BuiltRunner.run(["run", folder.write(text, to: "order.yaml")])
    withExtendedLifetime(folder) {}
    return outcome
  }

  /// A queue of so many different replies, over and over.
  private func queue(_ count: Int) -> String {
    let replies = (0..<count).map { "      - { text: \"\($0)\" }\n" }.joined()
    return "responses:\n  - request: GET http://198.51.100.7/turn\n    then: cycle\n    reply:\n"
      + replies
  }

  @Test(
    "Who asks at one instant is answered in the order of the tree, and not in that of arrival",
    arguments: [
      (["5", "4", "50"], held), (["1", "20", "50"], held), (["5", "20", "10"], held),
      (["5", "4", "20", "each"], held), (["5", "4", "20"], ""),
    ] as [([String], String)])
  func tree(arguments: [String], clock: String) throws {
    let numbers = arguments.prefix(3).compactMap { Int($0) }
    let clients = numbers[0] * numbers[1]

    // The program tells whether the requests left in that order by themselves: they did not.
    let outcome = try run(
      arguments, clock: clock,
      queue(clients)
        + "expect: { exit: 0, stdout: \"\(clients * numbers[2]) in order\\nsent in another\" }\n")

    outcome.expectExit(0)
  }

  @Test("A queue that is in another order than the tree gives its replies to others")
  func otherQueue() throws {
    let turned = (0..<4).reversed().map { "      - { text: \"\($0)\" }\n" }.joined()
    let outcome = try run(
      ["2", "2", "3"], clock: Self.held,
      "responses:\n  - request: GET http://198.51.100.7/turn\n    then: cycle\n    reply:\n"
        + turned + "expect: { exit: 0, stdout: { matches: \"^0 in order\" } }\n")

    outcome.expectExit(0)
  }

  @Test("Whoever spins until another one is answered keeps nobody from being answered")
  func spinner() throws {
    let outcome = try run(
      ["spin"], clock: Self.held,
      """
      responses:
        - GET http://198.51.100.7/turn: { text: "${{ request.count }}" }
      expect: { exit: 0, stdout: answer 1 }

      """)

    outcome.expectExit(0)
  }

  @Test(
    "One request after the other is answered, beside an idle thread too",
    arguments: ["alone", "idle"])
  func sequence(kind: String) throws {
    let outcome = try run(
      [kind, "200"], clock: Self.held,
      """
      responses:
        - GET http://198.51.100.7/turn: { text: "${{ request.count }}" }
      expect: { exit: 0, stdout: 200 answers }

      """)

    outcome.expectExit(0)
    #expect(outcome.output.contains("real, 0s virtual]"), "\(outcome.output)")
  }

  @Test("Threads that wake at one instant are answered when all of them have asked")
  func wakes() throws {
    // The shell starts the first one last to wake by filing; all are due at the same instant.
    let outcome = try run(
      ["-"], clock: Self.held,
      """
      scenarios:
        - name: wakes
          target:
            command: >-
              for i in 1 2 3 4; do
              (sleep 5; curl --silent http://turn.example.com/; echo " $i") > $i & done;
              wait; cat 1 2 3 4
      responses:
        - request: GET http://turn.example.com/
          reply: [ { text: a }, { text: b }, { text: c }, { text: d } ]
      expect: { exit: 0, stdout: "a 1\\nb 2\\nc 3\\nd 4" }

      """)

    outcome.expectExit(0)
  }
}
