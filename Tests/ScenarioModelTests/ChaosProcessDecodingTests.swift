@testable import Foundations
@testable import ScenarioModel
import Testing

@Suite("Processes of chaos entries")
struct ChaosProcessDecodingTests {
  private func entry(_ text: String) throws -> ChaosEntry {
    let file = try #require(parse("version: 2\nchaos: [{ \(text) }]\n").file)
    return try #require(file.defaults.chaos.first)
  }

  @Test("An entry names one process or several, by program or number")
  func reads() throws {
    for (text, expected) in [
      ("worker*", [ProcessName.program("worker*")]), ("2", [.ordinal(2)]),
      ("[a, 3]", [.program("a"), .ordinal(3)]),
    ] {
      guard case .processes(let found) = try entry("process: \(text), provide: kill").victim else {
        Issue.record("\(text) names no process")
        continue
      }
      #expect(found.map(\.value) == expected)
    }
    #expect(try entry("process: [a, 3], provide: kill").name.value == "a/process 3")
  }

  @Test("What pauses and what starts again says how long")
  func providers() throws {
    func content(_ text: String) throws -> FaultAction.Content {
      try entry("process: a, provide: \(text)").provider.content
    }

    guard case .stop(.seconds(5)) = try content("{ pause: 5s }"),
      case .restart(after: .seconds(2)) = try content("{ restart: { after: 2s } }"),
      case .restart(after: .seconds(3)) = try content("{ restart: 3s }"),
      case .restart(after: .zero) = try content("restart")
    else {
      Issue.record("not as written")
      return
    }
  }

  @Test(
    "What an entry about processes cannot say is an error where it stands",
    arguments: [
      ("process: a, call: read, provide: kill", "\"call\" cannot be combined with \"process\"", 23),
      (
        "process: a, function: f, provide: kill",
        "\"function\" cannot be combined with \"process\"", 23
      ),
      ("process: 0, provide: kill", "\"process\" must be at least 1, not 0", 20),
      ("process: [], provide: kill", "\"process\" is empty", 20),
      ("process: '', provide: kill", "\"process\" is empty", 20),
      ("proces: a, provide: kill", "unknown key \"proces\"", 11),
      ("process: a, provide: { pause: -5s }", "\"pause\" must not be negative", 41),
      ("process: a, provide: { pause: soon }", "\"soon\"", 41),
      ("process: a, provide: pause", "\"pause\" needs a value", 32),
      ("process: a, provide: { restart: {} }", "missing required key \"after\"", 43),
      (
        "process: a, provide: { restart: { afer: 2s } }",
        "unknown key \"afer\" in \"restart\"", 45
      ),
      ("process: a, provide: { kill: child }", "unknown value \"child\" for \"kill\"", 40),
    ])
  func mistakes(entry: String, message: String, column: Int) {
    let messages = parse("version: 2\nchaos: [{ \(entry) }]\n").messages

    #expect(messages.contains(":2:\(column): error["), "\(messages)")
    #expect(messages.contains("]: \(message)"), "\(messages)")
    #expect(messages.contains("help: "))
  }
}
