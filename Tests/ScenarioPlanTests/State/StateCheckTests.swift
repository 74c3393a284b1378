import Foundations
import OrderedCollections
import ScenarioPlan
import Testing

@Suite("Checks of state and stores")
struct StateCheckTests {
  private func error(_ responses: String, _ more: String = "") throws -> Diagnostic {
    let errors = try Samples.errors(
      "target: { command: [./program] }\nresponses:\n\(responses)\n\(more)")
    #expect(errors.count == 1, "\(errors.map(\.message))")
    return try #require(errors.first)
  }

  private static let added =
    "  - { request: POST https://h/a, set: { todo: added }, reply: {} }\n"

  @Test(
    "State that nothing sets is a mistake wherever it is asked for",
    arguments: [
      (
        "  - { request: GET https://h/a, when: { tood: added }, reply: {} }", "",
        "nothing sets the state \"tood\"", 4
      ),
      ("", "expect: { state: { tood: added } }", "nothing sets the state \"tood\"", 5),
      (
        "  - { request: GET https://h/a, reply: { text: \"${{ state.tood }}\" } }", "",
        "\"state\" has no \"tood\"", 4
      ),
      (
        "  - { request: GET https://h/a, reply: { text: \"${{ state?.tood ?? 'none' }}\" } }", "",
        "\"state\" has no \"tood\"", 4
      ),
      (
        "  - { request: GET https://h/a, reply: { text: \"${{ state?['tood'] ?? 'none' }}\" } }",
        "", "\"state\" has no \"tood\"", 4
      ),
    ])
  func unknownName(entry: String, more: String, message: String, line: Int) throws {
    let error = try error(Self.added + entry, more)

    #expect(error.message == message)
    #expect(error.help?.contains("did you mean \"todo\"?") == true, "\(error.help ?? "")")
    #expect(error.range?.line == line)
  }

  @Test("A value that the state never has is a mistake, where all that are set are known")
  func unknownValue() throws {
    let wrong = "  - { request: GET https://h/a, when: { todo: aded }, reply: {} }"
    let error = try error(Self.added + wrong)

    #expect(error.code == .unknownState)
    #expect(error.message == "nothing sets the state \"todo\" to \"aded\"")
    #expect(error.help?.contains("did you mean \"added\"?") == true)
    #expect(error.range?.column == 47)
    // What a request says, nobody knows before.
    _ = try Samples.onlyCase(
      """
      target: { command: [./program] }
      responses:
        - { request: "POST https://h/{state}", set: { todo: "${{ request.path.state }}" }, reply: {} }
      \(wrong)
      """)
  }

  @Test("A value that a step computes may be any, whatever the state is at the beginning")
  func computedByStep() throws {
    func errors(_ set: String) throws -> [String] {
      try Samples.plan(
        """
        target: { command: [./program] }
        state: { lvl: hi }
        vars: { n: 4 }
        responses:
          - { request: GET https://h/a, when: { lvl: "9" }, reply: {} }
        steps:
          - set: { lvl: \(set) }
          - run:
        """
      ).diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(try errors("\"${{ vars.n + 5 }}\"") == [])
    #expect(try errors("ho") == ["nothing sets the state \"lvl\" to \"9\""])
  }

  @Test("State that is set, and another value of that name, may be missing")
  func maybe() throws {
    _ = try Samples.onlyCase(
      """
      target: { command: [./program] }
      responses:
      \(Self.added)  - { request: GET https://h/a, reply: { text: "${{ state?.todo ?? 'none' }}" } }
      """)
  }

  @Test("State is known only in replies and in what is set")
  func place() throws {
    let errors = try Samples.errors(
      """
      target: { command: ["${{ state.todo }}"] }
      responses:
      \(Self.added)
      """)

    #expect(errors.first?.message == "\"state\" is known only in replies")
    #expect(errors.first?.code == .notKnownHere)
  }

  @Test(
    "A store that can never be asked is a mistake",
    arguments: [
      (
        "{ store: todos, at: \"https://h/{list}\" }",
        "the URL \"https://h/{list}\" of a store must have only a host and a plain path"
      ),
      (
        "{ store: todos, at: https://h/todos, items: { id: 1 } }",
        "the items of \"todos\" must be a list"
      ),
      (
        "{ store: todos, at: https://h/todos, items: [milk] }",
        "element 0 of \"todos\" is text, but an item must be a map"
      ),
      (
        "{ store: todos, at: https://h/todos, items: [{ id: 1 }, { id: 1 }] }",
        "two items of \"todos\" have the id 1"
      ),
      (
        "{ store: todos, at: https://h/todos, items: [{ id: [1] }] }",
        "\"id\" of element 0 of \"todos\" is a list, which cannot identify an item"
      ),
      (
        "{ store: todos, at: https://h/todos, items: { $build: todo } }",
        "unknown factory \"todo\""
      ),
      (
        "{ store: todos, at: https://h/todos }\n  - { store: todos, at: https://h/lists }",
        "duplicate store \"todos\""
      ),
      (
        "{ store: todos, at: https://h/todos }\n"
          + "  - { request: POST https://h/a, set: { todos: [] }, reply: {} }",
        "\"todos\" is a store, which only requests change"
      ),
    ])
  func store(entry: String, message: String) throws {
    #expect(try error("  - " + entry).message.hasPrefix(message))
  }

  @Test("A scenario's own store stands for that of its file's top")
  func replaced() throws {
    let result = try Samples.plan(
      """
      target: { command: [./program] }
      responses: [{ store: todos, at: https://h/todos, items: [{ id: 1 }] }]
      scenarios:
        - name: own
          responses: [{ store: todos, at: https://h/todos, items: [{ id: 7 }] }]
        - name: shared
      """)
    let stores = result.plan?.cases.map { ($0.network?.responses ?? []).compactMap(\.store?.items) }

    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    #expect(
      stores == [[[.map(["id": .integer(7)])]], [[.map(["id": .integer(1)])]]])
  }
}
