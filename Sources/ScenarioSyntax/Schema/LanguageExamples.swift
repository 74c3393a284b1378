/// Whole files that show a part of the language; a test checks each of them.
enum LanguageExamples {
  /// The files by the definitions that they show, without a final newline.
  static let all: [String: String] = [
    "file": """
    version: 2
    target: { command: [date, +%F] }
    clock: { at: 1985-10-26 }
    steps:
      - run:
    expect: { exit: 0, stdout: "1985-10-26" }
    """,
    "scenario": """
    version: 2
    target: { command: [echo, hello] }
    scenarios:
      - name: the greeting is printed
        expect: { exit: 0, stdout: hello }
      - name: the name is printed behind it
        steps: [{ run: [Ada] }]
        expect: { stdout: hello Ada }
    """,
    "matrix": """
    version: 2
    target: { command: [echo] }
    matrix: { who: [Ada, Grace] }
    steps:
      - run: ["${{ matrix.who }}"]
        expect: { stdout: "${{ matrix.who }}" }
    """,
    "target": """
    version: 2
    target:
      command: [cat, input.txt]
      env: { LANG: C }
      files: { input.txt: "hello" }
    expect: { stdout: hello }
    """,
    "clock": """
    version: 2
    target: { command: [date, +%F] }
    clock: { at: 2030-01-01T09:00:00Z, flow: held }
    expect: { stdout: "2030-01-01" }
    """,
    "step": """
    version: 2
    target: { command: [sh, -c, "sleep 3600; echo awake"] }
    clock: { flow: held }
    steps:
      - start:
      - tick: 1h
      - wait: exit
        expect: { stdout: awake }
    """,
    "capture": """
    version: 2
    target: { command: [echo, "id=42"] }
    steps:
      - run:
      - capture: { id: { stdout: "id=([0-9]+)" } }
      - run: ["${{ capture.id }}"]
    """,
    "expect": """
    version: 2
    target: { command: [sh, -c, "echo done > out.txt"] }
    expect:
      exit: 0
      stderr: { empty: true }
      files: { out.txt: { contains: done } }
    """,
    "response": """
    version: 2
    target: { command: [curl, -sS, "https://api.example.com/users/1"] }
    responses:
      - GET https://api.example.com/users/{id}:
          json: { id: "${{ request.path.id }}", name: Ada }
    expect: { stdout: { contains: Ada } }
    """,
    "httpResponse": """
    version: 2
    target: { command: [curl, -sS, --retry, "1", "https://api.example.com/"] }
    responses:
      - request: GET https://api.example.com/
        reply: [{ status: 503 }, { text: well }]
    expect:
      requests: [{ request: GET https://api.example.com/, count: 2 }]
    """,
    "storeResponse": """
    version: 2
    target: { command: [curl, -sS, --json, '{"title":"tea"}', "https://api.example.com/todos"] }
    responses:
      - { store: todos, at: https://api.example.com/todos, items: [{ id: 1, title: milk }] }
    expect:
      state: { todos: { length: 2, contains: [{ id: 2, title: tea }] } }
    """,
    "chaos": """
    version: 2
    target: { command: [cp, input.txt, copy.txt], files: { input.txt: text } }
    chaos:
      - { name: full, call: "@write", provide: { error: ENOSPC } }
    expect: { exit: { not: 0 } }
    """,
    "factory": """
    version: 2
    target: { command: [echo, "${{ build.me.mail }}"] }
    factories:
      user:
        fields: { name: ada, mail: "${{ name }}@example.com" }
        traits: { admin: { fields: { name: root } } }
    build: { me: { $build: user, traits: admin } }
    expect: { stdout: root@example.com }
    """,
  ]
}
