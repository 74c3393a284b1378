import Testing

@Suite("State and stores, with real clients")
struct StateTests {
  private static let python = "\(BuiltRunner.root)/.build/python/bin/python"

  /// A list that is empty until a request adds to it, and again when another one takes from it.
  private func polls(expected: String, state: String) -> String {
    """
    version: 2
    target:
      command:
        - bash
        - -c
        - |
          poll() { curl -s "$1" https://a.test/todos; echo; }
          poll --http1.1; poll --http2
          curl -s --http2 -X POST https://a.test/todos; poll --http1.1; poll --http2
          curl -s --http1.1 -X DELETE https://a.test/todos; poll --http2
    responses:
      - { request: GET https://a.test/todos, when: { todo: added }, reply: { json: [x] }, then: repeat }
      - { request: POST https://a.test/todos, set: { todo: added }, reply: { text: "" }, then: repeat }
      - { request: DELETE https://a.test/todos, set: { todo: gone }, reply: { text: "" }, then: repeat }
      - GET https://a.test/todos: { json: [] }
    expect:
      exit: 0
      stdout: { lines: [\(expected)] }
      state: { todo: \(state) }

    """
  }

  @Test("Polls see what another request has set, over HTTP/1.1 and HTTP/2 alike")
  func machine() throws {
    let lines = #"'[]', '[]', '["x"]', '["x"]', '[]'"#
    try TwinRuns.check(
      passing: polls(expected: lines, state: "gone"),
      failing: polls(expected: #"'[]', '[]', '["x"]', '["x"]', '["x"]'"#, state: "gone"),
      polls(expected: lines, state: "added"))
  }

  @Test("What the scenario and its steps set is state as what requests set")
  func given() throws {
    func text(count: Int, expected: String) -> String {
      """
      version: 2
      clock: { flow: auto }
      state: { todo: open, count: \(count) }
      target: { command: "read x; curl -s http://a.test/todo; read x; curl -s http://a.test/todo" }
      responses:
        - { request: GET http://a.test/todo, when: { todo: open }, reply: { text: "open ${{ state.count }} " }, then: repeat }
        - { request: GET http://a.test/todo, when: { todo: done }, reply: { text: "done ${{ state.count }} " }, then: repeat }
      network: { unused: ignore }
      steps:
        - start:
        - send: "\\n"
        - set: { todo: done, count: "${{ state.count + 1 }}" }
          expect: { state: { count: \(count + 1) } }
        - send: "\\n"
        - wait: exit
      expect: { stdout: "\(expected)", state: { todo: done } }

      """
    }
    try TwinRuns.check(
      passing: text(count: 3, expected: "open 3 done 4 "),
      failing: text(count: 4, expected: "open 3 done 4 "),
      text(count: 3, expected: "open 3 open 3 "))
  }

  private func run(
    _ text: String, _ options: [String] = []
  ) throws -> (outcome: BuiltRunner.Outcome, events: String) {
    let folder = try TemporaryFolder()
    let report = folder.path + "/events.jsonl"
    let outcome = try BuiltRunner.run(
      ["run", folder.write(text, to: "state.yaml"), "--report", "jsonl=\(report)"] + options)
    let events = TemporaryFolder.read(report) ?? ""
    withExtendedLifetime(folder) {}
    return (outcome, events)
  }

  @Test("A failure names the state that was missing, and the one that is there")
  func messages() throws {
    let (outcome, events) = try run(
      """
      version: 2
      target: { command: [bash, -c, "curl -s -X PUT http://a.test/todos/none; curl -s http://a.test/todos"] }
      network: { unused: ignore }
      responses:
        - { request: GET http://a.test/todos, when: { todo: added }, reply: { json: [x] } }
        - request: PUT http://a.test/todos/{state}
          set: { todo: "${{ request.path.state }}" }
          reply: { text: "was ${{ state.todo ?? 'unset' }}" }
      expect:
        stdout: { starts_with: was unset }
        state: { todo: added }

      """)

    outcome.expectExit(1)
    #expect(
      outcome.output.contains(
        "state.yaml:5:5) would answer if \"todo\" were \"added\"; it is \"none\""),
      "\(outcome.text)")
    #expect(
      outcome.output.contains("state \"todo\": expected text equal to \"added\"")
        || outcome.output.contains("state \"todo\": expected \"added\""), "\(outcome.text)")
    #expect(outcome.output.contains("PUT http://a.test/todos/none: todo: \"none\""))
    #expect(events.contains(#""state":["todo: \"none\""]"#), "\(events)")
  }

  @Test(
    "The expectation of a state that nobody has set is told so, and says that it is absent where that is meant"
  )
  func unset() throws {
    func text(_ condition: String) -> String {
      """
      version: 2
      target: { command: [curl, -s, http://a.test/] }
      network: { unused: ignore }
      responses:
        - GET http://a.test/: { text: ok }
        - { request: PUT http://a.test/, set: { todo: added }, reply: {} }
      expect: { state: { todo: \(condition) } }

      """
    }
    let (outcome, _) = try run(text("added"))

    outcome.expectExit(1)
    #expect(outcome.output.contains("no request has changed it"), "\(outcome.text)")
    try TwinRuns.check(
      passing: text("{ exists: false }"), failing: text("{ exists: true }"), text("added"),
      text("{ not: gone }"))
  }

  /// A store, asked by a client of Python's.
  private func store(_ program: String, expected: String) -> String {
    let lines = program.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
    return """
      version: 2
      seed: 3
      factories: { todo: { fields: { id: { $seq: 1 }, title: "todo ${{ id }}", done: false } } }
      target:
        command: ["\(Self.python)", client.py]
        files:
          client.py: |
            import httpx, requests, threading
            url = "https://a.test/todos"
      \(lines)
      responses:
        - { store: todos, at: https://a.test/todos, items: { $build: todo, count: 3 } }
        - GET https://a.test/count: { json: "${{ length(state.todos) }}" }
      network: { unused: ignore }
      expect:
        exit: 0
        \(expected)

      """
  }

  @Test("A client of Python's creates, changes, pages and deletes items")
  func crud() throws {
    let program = """
      s = requests.Session()
      made = s.post(url, json={"title": "tea"})
      print(made.status_code, made.headers["location"], made.json())
      print(s.patch(url + "/4", json={"done": True, "title": None}).json())
      print(s.put(url + "/1", json={"title": "new"}).json())
      print(s.delete(url + "/2").status_code, s.get(url + "/2").status_code)
      print(s.put(url).status_code, s.put(url).headers["allow"], s.post(url, data="{").status_code)
      page = s.get(url, params={"_page": 2, "_limit": 2, "_sort": "-id"})
      print([i["id"] for i in page.json()], page.headers["x-total-count"], page.links["prev"]["url"])
      print([i["id"] for i in s.get(url, params={"done": "true"}).json()], s.get("https://a.test/count").json())
      print(s.head(url + "/4").status_code, s.options(url).headers["allow"])
      """
    let lines = [
      "201 https://a.test/todos/4 {'id': 4, 'title': 'tea'}", "{'id': 4, 'done': True}",
      "{'id': 1, 'title': 'new'}", "204 404", "405 GET, HEAD, OPTIONS, POST 400",
      "[1] 3 https://a.test/todos?_page=1&_limit=2&_sort=-id", "[4] 3",
      "200 GET, HEAD, OPTIONS, POST",
    ]
    let right =
      "stdout: { lines: [" + lines.map { "\"\($0)\"" }.joined(separator: ", ") + "] }\n"
      + "  state: { todos: { '$[0].title': new, '$[2].done': true, $: { length: 3 } } }"
    let state = "state: { todos: { '$[0].title': new, '$[2].done': false } }"

    try TwinRuns.check(
      passing: store(program, expected: right),
      failing: store(program, expected: "stdout: { contains: \"204 200\" }"),
      store(program, expected: state))
  }

  @Test("Of many requests at once, over one connection of HTTP/2 or many of HTTP/1, none is lost")
  func together() throws {
    // Tasks and not threads for HTTP/2: this client's threads may write into each other's frames.
    let tasks = """
      import asyncio
      async def main():
        async with httpx.AsyncClient(http2=True) as client:
          replies = await asyncio.gather(*[client.post(url, json={"n": n}) for n in range(40)])
          made = [reply.json()["id"] for reply in replies]
          print(sorted(made) == list(range(4, 44)), (await client.get("https://a.test/count")).json())
      asyncio.run(main())
      """
    let threads = """
      made = []
      def post(client, n):
        made.append(client.post(url, json={"n": n}).json()["id"])
      with httpx.Client() as client:
        threads = [threading.Thread(target=post, args=(client, n)) for n in range(40)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print(sorted(made) == list(range(4, 44)), client.get("https://a.test/count").json())
      """
    for program in [tasks, threads] {
      try TwinRuns.check(
        passing: store(program, expected: "stdout: True 43"),
        failing: store(program, expected: "stdout: True 42"))
    }
  }

  @Test("The same file and seed make the same bytes, and each row and repetition begins anew")
  func deterministic() throws {
    func text(_ expected: String) -> String {
      """
      version: 2
      seed: 11
      matrix: { client: [--http1.1, --http2] }
      target:
        command: [bash, -c, "curl -s ${{ matrix.client }} --json '{}' https://a.test/todos; curl -s https://a.test/todos"]
      responses:
        - { store: todos, at: https://a.test/todos, items: [{ id: 6ba7b810-9dad-11d1-80b4-00c04fd430c8 }] }
      expect: { stdout: { \(expected) }, state: { todos: { $: { length: 2 } } } }

      """
    }
    let (outcome, events) = try run(text("not: { empty: true }"), ["--repeat", "2"])
    let outputs = events.split(separator: "\n").filter { $0.contains("\"caseFinished\"") }
      .compactMap { line in
        line.firstRange(of: "\"standardOutput\":").map { begin in
          let rest = line[begin.upperBound...]
          return String(rest[..<(rest.firstRange(of: "\"elapsed\"")?.lowerBound ?? rest.endIndex)])
        }
      }

    outcome.expectExit(0)
    #expect(outputs.count == 4 && Set(outputs).count == 1, "\(outputs)")
    #expect(outputs.first?.contains("6ba7b810") == true)
    try TwinRuns.check(
      passing: text("length: { at_least: 10 }"), failing: text("length: { less_than: 10 }"))
  }

  @Test("A WebSocket is opened, and an operation of GraphQL answered, as the state says")
  func protocols() throws {
    func text(_ expected: String) -> String {
      """
      version: 2
      target:
        command: ["\(Self.python)", client.py]
        files:
          client.py: |
            import requests, websockets.sync.client as sockets
            def ask(query):
              return requests.post("https://a.test/graphql", json={"query": query}).json()["data"]
            def greet():
              with sockets.connect("wss://a.test/chat") as socket:
                return socket.recv()
            print(ask("query Todos { todos }"), greet())
            print(ask("mutation Add { add }"))
            print(ask("query Todos { todos }"), greet())
      responses:
        - { query: Todos, when: { todo: added }, reply: { data: { todos: [milk] } } }
        - { query: Todos, reply: { data: { todos: [] } } }
        - { mutation: Add, set: { todo: added }, reply: { data: { add: true } } }
        - request: GET https://a.test/chat
          when: { todo: added }
          reply: { websocket: [ { send: "you have ${{ state.todo }}" } ] }
        - GET https://a.test/chat: { websocket: [ { send: nothing } ] }
      expect:
        exit: 0
        stdout: { lines: [\(expected)] }

      """
    }
    try TwinRuns.check(
      passing: text(
        "\"{'todos': []} nothing\", \"{'add': True}\", \"{'todos': ['milk']} you have added\""),
      failing: text("\"{'todos': []} nothing\", \"{'add': True}\", \"{'todos': []} nothing\""))
  }

  @Test("Scenarios of WireMock's are state")
  func wireMock() throws {
    let folder = try TemporaryFolder()
    _ = folder.write(
      """
      { "mappings": [
        { "scenarioName": "To do list", "requiredScenarioState": "Started",
          "request": { "method": "GET", "url": "/todo/items" }, "response": { "body": "milk" } },
        { "scenarioName": "To do list", "requiredScenarioState": "Started",
          "newScenarioState": "Cancel newspaper item added",
          "request": { "method": "POST", "url": "/todo/items" }, "response": { "status": 201 } },
        { "scenarioName": "To do list", "requiredScenarioState": "Cancel newspaper item added",
          "request": { "method": "GET", "url": "/todo/items" }, "response": { "body": "milk, newspaper" } },
        { "scenarioName": "To do list", "newScenarioState": "Started",
          "request": { "method": "DELETE", "url": "/todo/items" }, "response": { "status": 204 } } ] }
      """, to: "mappings.json")
    func run(_ last: String) throws -> BuiltRunner.Outcome {
      try BuiltRunner.run([
        "run",
        folder.write(
          """
          version: 2
          network: { import: [mappings.json] }
          target:
            command:
              - bash
              - -c
              - |
                get() { curl -s http://a.test/todo/items; echo; }
                get; get; curl -s -X POST http://a.test/todo/items; get; get
                curl -s --http1.1 -X DELETE http://a.test/todo/items; get
          expect:
            stdout: { lines: [milk, milk, "milk, newspaper", "milk, newspaper", \(last)] }
            state: { To do list: Started }

          """, to: "list.yaml"),
      ])
    }

    let outcome = try run("milk")
    outcome.expectExit(0)
    let twin = try run("\"milk, newspaper\"")
    twin.expectExit(1)
    withExtendedLifetime(folder) {}
  }
}
