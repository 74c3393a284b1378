import Testing

@Suite("Objects that steps build")
struct BuildStepTests {
  private static let text = """
    version: 2
    factories:
      order: { fields: { number: { $seq: 7 }, id: 0, tags: [a] } }
    target: { command: [bash, -c, 'cat order.json; curl -s http://api.example.com/orders'] }
    responses: [{ GET http://api.example.com/orders: { json: "${{ build.order }}" } }]
    steps:
      - exec: { command: echo id=42, capture: { id: { stdout: 'id=(\\d+)' } } }
      - build: { order: { $build: order, with: { id: "${{ parse_json(capture.id) }}" } } }
      - exec: { command: echo id=43, capture: { id: { stdout: 'id=(\\d+)' } } }
      - write: { path: order.json, json: "${{ build.order }}" }
      - run:
        expect: { stdout: { matches: '"id": ?42[^}]*}\\s*[{][^}]*"id": ?42' } }
      - expect: { files: { order.json: { json: { $.number: "${{ build.order.number }}" } } } }

    """

  private func run(_ text: String) throws -> BuiltRunner.Outcome {
    let folder = try TemporaryFolder()
    return try BuiltRunner.run(["run", folder.write(text, to: "build.yaml")])
  }

  @Test(
    "An object holds what was captured when it was built, and serves files, replies, expectations")
  func builds() throws {
    let outcome = try run(Self.text)
    outcome.expectExit(0)

    let other = try run(Self.text.replacing("echo id=42", with: "echo id=41"))
    other.expectExit(1)
  }

  @Test("A target that starts later sees it in its arguments and environment")
  func target() throws {
    let text = """
      version: 2
      target: { command: [sh, -c, 'echo "$0 $NAME"'], env: { NAME: "${{ build.user.name }}" } }
      steps:
        - build: { user: { name: Ada, id: 3 } }
        - run: ["${{ build.user.id }}"]
          expect: { stdout: 3 Ada }

      """
    try run(text).expectExit(0)
    try run(text.replacing("name: Ada", with: "name: Bob")).expectExit(1)
  }

  @Test(
    "A mistake is reported before anything runs",
    arguments: [
      ("path: order.json, json: \"${{ build.ordr }}\"", "\"build\" has no object \"ordr\""),
      ("path: order.json, json: \"${{ build.order.idd }}\"", "has no key \"idd\""),
    ])
  func mistakes(line: String, message: String) throws {
    let wrong = "path: order.json, json: \"${{ build.order }}\""
    let outcome = try run(Self.text.replacing(wrong, with: line))
    #expect(outcome.exitCode == 2 && outcome.text.contains(message), "\(outcome.text)")
  }

  @Test("What is built before the scenario begins is not built again; a step's object may be")
  func again() throws {
    let twice = try run(Self.text + "build: { order: 1 }\n")
    #expect(twice.exitCode == 2 && twice.text.contains("is already built"), "\(twice.text)")

    let step = "  - build: { n: 1 }\n"
    let other = "  - build: { n: 2 }\n  - expect: { stdout: \"${{ build.n }}\" }\n"
    let text = "version: 2\ntarget: { command: [echo, \"2\"] }\nsteps:\n  - run:\n"
    try run(text + step + other).expectExit(0)
    try run(text + other.replacing("n: 2", with: "n: 1")).expectExit(1)
    // Only what stands before is known.
    try run(text + "  - expect: { stdout: \"${{ build.n }}\" }\n" + step).expectExit(2)
  }
}
