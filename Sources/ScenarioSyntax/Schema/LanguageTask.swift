/// A task of an author, and the key that does it.
struct LanguageTask: Sendable {
  /// The task, behind "I want to".
  var wish: String
  /// The definition that has the key.
  var definition: String
  /// The key, with a value as it may be written.
  var text: String

  private init(_ wish: String, _ definition: String, _ text: String) {
    self.wish = wish
    self.definition = definition
    self.text = text
  }

  /// The key.
  var key: String { String(text.prefix { $0 != ":" }) }

  /// The tasks in the order in which a file is written; a test holds each against the language.
  static let all: [LanguageTask] = [
    LanguageTask("say which program is tested", "file", "target: { command: [./program, --flag] }"),
    LanguageTask(
      "test several programs together", "file", "targets: { api: { command: [./api] } }"),
    LanguageTask("put several scenarios into a file", "file", "scenarios: [{ name: first, … }]"),
    LanguageTask("share parts with other files", "file", "include: [base.yaml]"),
    LanguageTask("run a scenario once for each row", "file", "matrix: { who: [a, b] }"),
    LanguageTask("leave a scenario out for a while", "file", "skip: waits for a fix"),
    LanguageTask("do something whatever happened", "file", "cleanup: [{ exec: [./clean-up] }]"),
    LanguageTask("give the program files to read", "target", "files: { input.txt: text }"),
    LanguageTask("set a variable of its environment", "target", "env: { NAME: value }"),
    LanguageTask("give it something on standard input", "target", "stdin: text"),
    LanguageTask("wait until a server answers", "target", "ready: { port: 8080 }"),
    LanguageTask("run it at a terminal", "target", "terminal: 80x24"),
    LanguageTask("run the program to its end", "step", "run: [--flag]"),
    LanguageTask("start it and go on", "step", "start: [--flag]"),
    LanguageTask("let time pass", "step", "tick: 1h"),
    LanguageTask("set the wall clock", "step", "travel: 2030-01-01"),
    LanguageTask("stop all clocks", "step", "freeze:"),
    LanguageTask("wait for output", "step", "wait: { stdout: listening }"),
    LanguageTask("keep a part of the output", "step", "capture: { id: { stdout: \"id=(.*)\" } }"),
    LanguageTask("send a signal", "step", "signal: TERM"),
    LanguageTask("type at the terminal", "step", "send: { key: enter }"),
    LanguageTask("run a command beside the program", "step", "exec: [./prepare]"),
    LanguageTask("expect an exit code", "expect", "exit: 0"),
    LanguageTask("expect output", "expect", "stdout: { contains: done }"),
    LanguageTask("expect a file", "expect", "files: { out.txt: text }"),
    LanguageTask("expect requests", "expect", "requests: [{ request: GET https://host/ }]"),
    LanguageTask("answer requests", "file", "responses: [{ GET https://host/: { json: {} } }]"),
    LanguageTask(
      "answer differently after another request", "httpResponse", "when: { todo: added }"),
    LanguageTask(
      "keep items that requests read and change", "storeResponse", "store: todos"),
    LanguageTask("let an answer come late", "reply", "after: 3s"),
    LanguageTask("choose between mock server and real hosts", "network", "mode: offline"),
    LanguageTask("let a call fail", "file", "chaos: [{ call: fsync, provide: { error: EIO } }]"),
    LanguageTask("find the faults that a program does not handle", "file", "explore: {}"),
    LanguageTask(
      "make objects of one kind", "file", "factories: { user: { fields: { name: Ada } } }"),
    LanguageTask("use an object in several places", "file", "build: { me: { $build: user } }"),
  ]
}
