@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

@Suite("What explore says")
struct ExploreDecodingTests {
  private func settings(_ text: String) throws -> ExploreSettings {
    try #require(parse("version: 2\n" + text).file?.defaults.explore)
  }

  @Test("Every key is read")
  func keys() throws {
    let settings = try settings(
      """
      explore:
        call: ["@write", fsync, { function: deflate, in: libz }]
        where: { path: "*.db" }
        errors: [EIO, ENOSPC]
        times: [onwards, once, once]
        provide: [error, short]
        each: site
        budget: { runs: 20, timeout: 60s }
        ignore: ["ld.so", "/etc/**"]
        steps: [ { run: [check] } ]
        folder: found
      """)

    #expect(settings.points.count == 3)
    #expect(settings.conditions?.value.value.pattern(.path) == "*.db")
    if case .among(let names)? = settings.errors {
      #expect(names.map(\.value) == ["EIO", "ENOSPC"])
    } else {
      Issue.record("the errors are no list")
    }
    #expect(settings.modes == [.onwards, .once])
    #expect(settings.kinds == [.error, .short])
    #expect(settings.grain == .site)
    #expect(settings.runLimit == 20)
    #expect(settings.timeLimit == .seconds(60))
    #expect(settings.ignored.map(\.value) == ["ld.so", "/etc/**"])
    #expect(settings.then.count == 1)
    #expect(settings.save?.value == "found")
  }

  @Test("Words stand for lists, and nothing for what is usual")
  func short() throws {
    let settings = try settings("explore: { call: read, provide: short, times: once }")
    #expect(settings.points.count == 1)
    #expect(settings.kinds == [.short])
    #expect(settings.modes == [.once])
    #expect(try self.settings("explore:").points.isEmpty)
  }

  @Test(
    "Mistakes are reported with their places",
    arguments: [
      ("{ call: [] }", 1, 18, "\"call\" is empty"),
      (
        "{ call: [{ funktion: x }] }", 1, 21, "unknown key \"funktion\" in an entry of \"call\""
      ),
      ("{ times: [twice] }", 1, 20, "unknown value \"twice\" for \"times\""),
      ("{ provide: slow }", 1, 21, "unknown value \"slow\" for \"provide\""),
      ("{ each: place }", 1, 18, "unknown value \"place\" for \"each\""),
      ("{ errors: all }", 1, 20, "unknown value \"all\" for \"errors\""),
      ("{ budget: { runs: 0 } }", 1, 28, "\"runs\" must be at least 1, not 0"),
      ("{ budget: { timeout: 0s } }", 1, 31, "the budget must be longer than 0s, not \"0s\""),
      ("{ folder: \"\" }", 1, 20, "\"folder\" is empty"),
    ])
  func mistakes(text: String, line: Int, column: Int, message: String) throws {
    let result = ScenarioFile.parse(text: "explore: \(text)\nversion: 2\n", path: "f")
    let mistake = try #require(result.diagnostics.first { $0.severity == .error })
    #expect(mistake.message == message)
    #expect(mistake.range?.line == line)
    #expect(mistake.range?.column == column)
    #expect(mistake.help != nil)
  }

  @Test("What a fault may do is an expectation")
  func expectations() throws {
    let file = try #require(
      parse(
        """
        version: 2
        expect:
          processes: { left: 0, crashed: { less_than: 2 } }
          tolerated: { exit: 0, stdout: a, files: { out: { absent: true } } }
        """
      ).file)
    let entries = try #require(file.defaults.expect?.entries)
    #expect(entries.count == 3)
    guard case .tolerated(let inner)? = entries.last?.subject else {
      Issue.record("the last is not \"tolerated\"")
      return
    }
    #expect(inner.count == 3)
  }
}
