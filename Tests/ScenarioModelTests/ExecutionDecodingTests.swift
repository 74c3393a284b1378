@testable import Foundations
@testable import ScenarioModel
import Testing

@Suite("How a scenario is run: exclusive, grace, leaks and retries as they are written")
struct ExecutionDecodingTests {
  private static let start = "version: 2\ntarget: { command: [x] }\n"

  private func settings(_ text: String) throws -> ExecutionSettings {
    let result = parse(Self.start + text)
    #expect(result.messages == "")
    return try #require(result.file).defaults.execution
  }

  private func mistakes(_ text: String) -> [String] { brief(Self.start + text) }

  @Test("A scenario is exclusive by a name, by several, or alone")
  func exclusive() throws {
    #expect(try settings("exclusive: db").exclusive?.value == .names(["db"]))
    #expect(try settings("exclusive: [db, port 80]").exclusive?.value == .names(["db", "port 80"]))
    #expect(try settings("exclusive: true").exclusive?.value == .alone)
    #expect(try settings("exclusive: false").exclusive?.value == .names([]))
    #expect(try settings("").exclusive == nil)
  }

  @Test("Grace, leaks and retries are a time, a word and a number")
  func others() throws {
    let settings = try settings("grace: 250ms\nleaks: fail\nretries: 2")

    #expect(settings.grace?.value == .milliseconds(250))
    #expect(settings.leak?.value == .fail)
    #expect(settings.retries?.value == 2)
    #expect(try self.settings("grace: 0s").grace?.value == .zero)
  }

  @Test("What a scenario says comes before what the file says, key by key")
  func defaults() throws {
    var own = ExecutionSettings()
    own.retries = try settings("retries: 0").retries
    let merged = own.over(try settings("retries: 3\nleaks: ignore\nexclusive: db"))

    #expect(merged.retries?.value == 0)
    #expect(merged.leak?.value == .ignore)
    #expect(merged.exclusive?.value == .names(["db"]))
  }

  @Test(
    "What cannot be meant is an error",
    arguments: [
      ("leaks: never", "3:8: unknown value \"never\" for \"leaks\""),
      ("retries: -1", "3:10: \"retries\" must be from 0 to 100, not -1"),
      ("retries: 101", "3:10: \"retries\" must be from 0 to 100, not 101"),
      ("grace: -1s", "3:8: \"grace\" must not be negative"),
      ("exclusive: []", "3:12: \"exclusive\" is empty"),
      ("exclusive: ''", "3:12: a name in \"exclusive\" is empty"),
      ("exclusive: yes", "3:12: \"exclusive\" is the name \"yes\", which looks like a truth value"),
      ("exclusive: { a: b }", "3:12: \"exclusive\" must be true, a name, or a list of names"),
      ("exclusive: [{ a: b }]", "an entry of \"exclusive\""),
    ])
  func mistakes(text: String, message: String) {
    let found = mistakes(text)
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }
}
