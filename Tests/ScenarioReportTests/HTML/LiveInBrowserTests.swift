import ScenarioReport
import Testing

@Suite("A page that follows a run, in a browser", .serialized)
struct LiveInBrowserTests {
  private static func page(_ name: String, round: Int) throws -> BrowserPage {
    var run = SampleRun()
    run.addCase(name)
    run.end()
    return try BrowserPage(run, round: round)
  }

  private static func event(page: Int) -> String {
    "{\"page\":\(page),\"isRunning\":false,\"done\":1,\"count\":1,\"failed\":0,\"code\":0}"
  }

  private static let isHeard =
    "until:document.querySelector('.live')?.textContent.includes('waiting')"
  private static let name = "eval:document.querySelector('.row .what').firstChild.data"

  @Test(
    "One that was loaded before a round ended loads anew, also where it hears of the end only then")
  func outdated() throws {
    let look = try Self.page("before", round: 1).look(
      [
        "until:document.querySelector('.row .what')?.firstChild.data === 'after'", Self.isHeard,
        Self.name,
      ], before: [Self.page("after", round: 2)], event: Self.event(page: 2))

    #expect(look.results == ["\"after\""])
  }

  @Test("One that is the latest stays")
  func latest() throws {
    let look = try Self.page("before", round: 2).look(
      [Self.isHeard, Self.name], before: [Self.page("after", round: 3)],
      event: Self.event(page: 2))

    #expect(look.results == ["\"before\""])
  }
}
