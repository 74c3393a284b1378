internal import Foundations

/// A word of other tools, and what to write for it here.
struct ForeignWord: Sendable {
  /// A key of this language that says the same, in the maps that have it.
  struct Meaning: Sendable {
    /// The key.
    var key: String
    /// The form in which it is written, where the key alone does not show it; empty where it does.
    var text: String
    /// True if each value of the word means the same below the key.
    var takesSameValue = false
  }

  /// The word without what is a matter of taste: `aftereach`.
  var form: String
  /// The tools that have it, for messages.
  var tools: String
  /// The possible meanings: the first one counts whose key a map has.
  var meanings: [Meaning]

  private init(_ form: String, _ tools: String, _ meanings: KeyValuePairs<String, String>) {
    self.form = form
    self.tools = tools
    self.meanings = meanings.map { Meaning(key: $0, text: $1) }
  }

  /// The same word, for the same values; `other` is a key that may be meant where there is no such one.
  private static func same(
    _ form: String, _ tools: String, _ key: String, or other: String? = nil
  ) -> ForeignWord {
    var word = ForeignWord(form, tools, [:])
    word.meanings = [Meaning(key: key, text: "", takesSameValue: true)]
    if let other { word.meanings.append(Meaning(key: other, text: "")) }
    return word
  }

  /// Returns the meaning of the word in a map with these keys.
  func meaning(in keys: [String]) -> Meaning? { meanings.first { keys.contains($0.key) } }

  /// The entry of a word; `nil` if no tool is known to have it.
  static func of(_ word: String) -> ForeignWord? { table[WordForm(word).text] }

  private static let table = Dictionary(
    all.map { ($0.form, $0) }, uniquingKeysWith: { first, _ in first })
}

extension ForeignWord {
  /// The foreign words.
  ///
  /// A key that this language has in some map may be a foreign word in another one.
  static let all: [ForeignWord] = [
    // Steps.
    ForeignWord("sleep", "bats, Venom and GitHub Actions", ["tick": "tick: 3s"]),
    ForeignWord("delay", "hurl and MSW", ["after": "after: 3s", "tick": "tick: 3s"]),
    ForeignWord("fixeddelaymilliseconds", "WireMock", ["after": "after: 300ms"]),
    ForeignWord("advance", "fake timers", ["tick": "tick: 3s"]),
    ForeignWord("elapse", "fake timers", ["tick": "tick: 3s"]),
    ForeignWord("settime", "fake timers", ["travel": "travel: 2030-01-01"]),
    ForeignWord("resettime", "fake timers", ["return": "return:"]),
    ForeignWord("waitfor", "Playwright and Testing Library", ["wait": ""]),
    ForeignWord("waituntil", "Playwright and Cucumber", ["wait": ""]),
    ForeignWord("until", "Tavern and Ansible", ["wait": ""]),
    ForeignWord(
      "eventually", "Gomega and Kotest",
      ["wait": "", "expect": "expect: { eventually: { within: 5s, … } }"]),
    ForeignWord("kill", "bats and docker compose", ["signal": "signal: KILL"]),
    ForeignWord(
      "stopsignal", "docker compose", ["signal": "signal: TERM", "stop": "stop: { signal: TERM }"]),
    ForeignWord(
      "stopgraceperiod", "docker compose", ["grace": "grace: 5s", "stop": "stop: { within: 5s }"]),
    ForeignWord(
      "shell", "GitHub Actions",
      ["exec": "exec: \"a command for sh\"", "command": "command: \"a command for sh\""]),
    ForeignWord(
      "script", "GitLab and Venom",
      ["exec": "exec: \"a command for sh\"", "command": "command: \"a command for sh\""]),
    ForeignWord("bash", "GitHub Actions", ["exec": "exec: \"a command for sh\""]),
    ForeignWord("http", "Venom and Tavern", ["exec": "exec: [curl, -sS, \"http://…\"]"]),
    ForeignWord("click", "Playwright", ["send": "send: { key: enter }"]),
    ForeignWord("type", "Playwright and expect", ["send": "send: \"text\""]),
    ForeignWord("press", "Playwright", ["send": "send: { key: enter }"]),
    ForeignWord("keys", "tmux", ["send": "send: { key: enter }"]),
    ForeignWord("spawn", "expect", ["start": "start: [--flag]"]),
    ForeignWord("launch", "debuggers", ["start": "start: [--flag]"]),
    ForeignWord("restart", "docker compose", ["start": "stop:, then start:"]),
    ForeignWord("save", "Tavern", ["capture": ""]), ForeignWord("store", "Karate", ["capture": ""]),
    ForeignWord("extract", "Artillery", ["capture": ""]),
    ForeignWord("captures", "hurl", ["capture": ""]),
    ForeignWord("register", "Ansible", ["capture": ""]),
    ForeignWord("outputs", "GitHub Actions", ["capture": ""]),
    ForeignWord("intercept", "Cypress", ["responses": ""]),
    ForeignWord("enable", "Toxiproxy", ["apply": ""]),
    ForeignWord("disable", "Toxiproxy", ["revert": ""]),
    // Expectations.
    ForeignWord("assert", "Venom", ["expect": ""]), ForeignWord("asserts", "hurl", ["expect": ""]),
    ForeignWord("assertions", "Venom", ["expect": ""]), ForeignWord("check", "k6", ["expect": ""]),
    ForeignWord("verify", "WireMock", ["expect": ""]),
    ForeignWord("then", "Gherkin", ["expect": ""]),
    ForeignWord("should", "Cypress", ["expect": ""]),
    ForeignWord("took", "k6", ["duration": "duration: { less_than: 3s }"]),
    ForeignWord("time", "Venom", ["duration": "", "clock": ""]),
    ForeignWord("status", "bats and hurl", ["exit": "exit: 0"]),
    ForeignWord("code", "Venom", ["exit": "", "status": ""]),
    ForeignWord("success", "bats", ["exit": "exit: 0"]),
    ForeignWord("failure", "bats", ["exit": "exit: { not: 0 }"]),
    ForeignWord("lines", "bats", ["stdout": "stdout: { contains: \"text\" }"]),
    .same("exitcode", "Venom", "exit"), .same("exitstatus", "bats", "exit"),
    .same("returncode", "Python", "exit"),
    .same("statuscode", "Venom and Tavern", "status", or: "exit"),
    .same("systemout", "Venom", "stdout"), .same("systemerr", "Venom", "stderr"),
    ForeignWord("err", "Venom", ["stderr": ""]), ForeignWord("error", "most tools", ["stderr": ""]),
    ForeignWord("out", "Venom", ["stdout": ""]), ForeignWord("output", "bats", ["stdout": ""]),
    // Conditions.
    .same("contain", "Gherkin", "contains"), .same("includes", "hurl", "contains"),
    .same("eq", "Venom", "equals"), .same("equal", "Gomega", "equals"),
    .same("equalto", "WireMock", "equals"), .same("shouldequal", "Venom", "equals"),
    .same("shouldcontainsubstring", "Venom", "contains"),
    .same("gt", "Venom", "greater_than"), .same("lt", "Venom", "less_than"),
    ForeignWord("match", "Karate", ["matches": "", "equals": ""]),
    .same("regex", "hurl", "matches"),
    .same("regexp", "Gomega", "matches"),
    ForeignWord("pattern", "JSON Schema", ["matches": ""]),
    ForeignWord("atleast", "Gomega", ["at_least": "", "greater_than": ""]),
    ForeignWord("atmost", "Gomega", ["at_most": "", "less_than": ""]),
    ForeignWord("max", "JSON Schema", ["at_most": "", "less_than": ""]),
    ForeignWord("min", "JSON Schema", ["at_least": "", "greater_than": ""]),
    // The network.
    ForeignWord("replay", "mitmproxy", ["reply": ""]),
    ForeignWord(
      "mock", "Venom and MSW", ["responses": "responses: [{ GET https://host/: { json: {} } }]"]),
    ForeignWord("mocks", "Venom and MSW", ["responses": ""]),
    ForeignWord(
      "stub", "WireMock", ["responses": "responses: [{ GET https://host/: { json: {} } }]"]),
    ForeignWord("stubs", "WireMock", ["responses": ""]),
    ForeignWord("mappings", "WireMock", ["responses": ""]),
    ForeignWord("handlers", "MSW", ["responses": ""]),
    ForeignWord("response", "WireMock and hurl", ["reply": "", "responses": ""]),
    ForeignWord("returns", "MSW", ["reply": ""]),
    ForeignWord("willreturn", "WireMock", ["reply": ""]),
    ForeignWord(
      "when", "Gherkin, WireMock and Ansible",
      ["request": "", "steps": "", "if": "if: ${{ vars.slow == true }}"]),
    ForeignWord("urlpath", "WireMock", ["path": ""]),
    ForeignWord("urlpattern", "WireMock", ["url": ""]),
    ForeignWord("jsonbody", "WireMock", ["json": ""]),
    ForeignWord("queryparameters", "WireMock", ["query": ""]),
    ForeignWord("params", "Tavern", ["query": ""]),
    // The file and its scenarios.
    ForeignWord("beforeall", "Jest and bats", ["steps": "steps: [{ exec: [./prepare] }]"]),
    ForeignWord("before", "Mocha", ["steps": "steps: [{ exec: [./prepare] }]"]),
    ForeignWord("beforeeach", "Jest", ["steps": "steps: [{ exec: [./prepare] }]"]),
    ForeignWord("setup", "bats and pytest", ["steps": "steps: [{ exec: [./prepare] }]"]),
    ForeignWord("background", "Gherkin", ["steps": ""]),
    ForeignWord("given", "Gherkin", ["steps": ""]),
    ForeignWord("feature", "Gherkin", ["name": ""]),
    ForeignWord("title", "most tools", ["name": ""]),
    ForeignWord("aftereach", "Jest", ["cleanup": ""]),
    ForeignWord("afterall", "Jest", ["cleanup": ""]),
    ForeignWord("after", "Mocha", ["cleanup": ""]),
    ForeignWord("finally", "Tavern", ["cleanup": ""]),
    ForeignWord("teardown", "bats and pytest", ["cleanup": ""]),
    ForeignWord("cases", "Go's tests", ["scenarios": ""]),
    ForeignWord("tests", "pytest", ["scenarios": ""]),
    ForeignWord("testcases", "Venom", ["scenarios": ""]),
    ForeignWord("stages", "Tavern", ["steps": ""]),
    ForeignWord("jobs", "GitHub Actions", ["scenarios": ""]),
    ForeignWord("examples", "Gherkin", ["matrix": "matrix: { name: [a, b] }"]),
    ForeignWord("strategy", "GitHub Actions", ["matrix": "matrix: { name: [a, b] }"]),
    ForeignWord("parametrize", "pytest", ["matrix": "matrix: { name: [a, b] }"]),
    ForeignWord("extends", "docker compose and GitLab", ["include": ""]),
    ForeignWord("import", "most languages", ["include": ""]),
    ForeignWord("imports", "Tavern", ["include": ""]),
    ForeignWord("includefiles", "Tavern", ["include": ""]),
    ForeignWord(
      "needs", "GitHub Actions",
      [
        "exclusive":
          "exclusive: [name], which keeps two scenarios from running at once; none waits for another"
      ]),
    ForeignWord(
      "dependson", "docker compose", ["targets": "targets: { db: { command: [db], ready: … } }"]),
    ForeignWord(
      "services", "docker compose and GitHub Actions",
      ["targets": "targets: { db: { command: [db] } }"]),
    ForeignWord("healthcheck", "docker compose", ["ready": "ready: { port: 8080 }"]),
    ForeignWord("entrypoint", "docker compose", ["command": ""]),
    .same("environment", "docker compose", "env"), .same("envvars", "Tavern", "env"),
    .same("cmd", "Dockerfiles", "command"),
    ForeignWord("args", "Kubernetes", ["args": "", "command": "command: [./program, --flag]"]),
    ForeignWord("command", "most tools", ["exec": ""]),
    ForeignWord("exec", "Venom", ["command": ""]),
    ForeignWord("input", "Venom", ["stdin": "", "send": ""]),
    ForeignWord("tty", "docker compose", ["terminal": "terminal: 80x24"]),
    ForeignWord("variables", "Tavern and GitLab", ["vars": "", "env": "", "build": ""]),
    ForeignWord("vars", "Venom and Ansible", ["build": "", "env": ""]),
    ForeignWord("let", "most languages", ["build": ""]),
    ForeignWord("fixtures", "pytest and Cypress", ["build": ""]),
    ForeignWord("timeoutminutes", "GitHub Actions", ["timeout": "timeout: 5m"]),
    ForeignWord("retry", "GitLab", ["retry": "", "retries": "retries: 2"]),
    ForeignWord("retrycount", "Artillery", ["retry": "", "retries": "retries: 2"]),
    ForeignWord("continueonerror", "GitHub Actions", ["expect": "expect: { exit: { not: 0 } }"]),
    ForeignWord(
      "toxics", "Toxiproxy", ["chaos": "chaos: [{ link: host, provide: { latency: 2s } }]"]),
    ForeignWord("faults", "WireMock", ["chaos": "", "fault": ""]),
  ]
}
