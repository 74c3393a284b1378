import Testing

@testable import ScenarioRunner

@Suite("What outlives a recorded command")
struct SurvivorTests {
  private static func file(_ text: String?, isChanged: Bool = true) -> WatchedRun.File {
    WatchedRun.File(
      before: nil, linkBefore: nil, mode: 0o644, use: .none, isChanged: isChanged,
      after: text.map { Array($0.utf8) }, linkAfter: nil, modeAfter: text == nil ? nil : 0o644)
  }

  private static func seen(
    behind files: [String: WatchedRun.File],
    _ change: (inout WatchedRun.Survivors) -> Void = { _ in }
  ) -> WatchedRun.Seen {
    var seen = WatchedRun.Seen()
    seen.files = ["own": file("own"), "log": file("one\n")]
    var survivors = WatchedRun.Survivors()
    survivors.files = seen.files.merging(files) { $1 }
    change(&survivors)
    seen.leave(to: survivors)
    return seen
  }

  @Test("Who ends without a trace is not told of")
  func traceless() {
    let seen = Self.seen(behind: [:])
    #expect(seen.notes == [])
    #expect(!seen.isOutlived)
    #expect(seen.files.values.allSatisfy { $0.isChanged })
  }

  @Test(
    "A file that is written or continued behind the end is expected no more, and all others are")
  func written() {
    let seen = Self.seen(behind: ["g": Self.file("g"), "log": Self.file("one\ntwo\n")])
    #expect(
      seen.notes == [
        "processes that outlived the command changed \"g\", \"log\" after its exit: the scenario does not expect that"
      ])
    #expect(seen.isOutlived)
    #expect(seen.files.filter { $0.value.isChanged }.keys.sorted() == ["own"])
  }

  @Test(
    "A file that was written behind the end, but before anybody looked, is none of the command's")
  func early() {
    let seen = Self.seen(behind: [:]) { $0.latePaths = ["log"] }
    #expect(seen.notes.first?.contains("changed \"log\" after its exit") ?? false)
    #expect(seen.files.filter { $0.value.isChanged }.keys.sorted() == ["own"])
  }

  @Test("A file that is only read behind the end is there for a replay, and nobody is told")
  func read() {
    let seen = Self.seen(behind: ["conf": Self.file("a", isChanged: false)])
    #expect(seen.notes == [])
    #expect(seen.files["conf"]?.isChanged == false)
  }

  @Test("Output behind the end, and who does not end, is told of")
  func output() {
    let written = Self.seen(behind: [:]) { $0.haveWritten = true }
    #expect(written.notes.first?.contains("changed its output after its exit") ?? false)
    let left = Self.seen(behind: [:]) {
      $0.left = [(program: "sh", number: 7), (program: "sleep", number: 8)]
    }
    #expect(left.isOutlived)
    #expect(left.notes.first?.hasPrefix("sh (process 7) and 1 more outlived the command") ?? false)
    #expect(left.notes.first?.contains("ended after SIGTERM") ?? false)
    let killed = Self.seen(behind: [:]) {
      ($0.left, $0.wereKilled) = ([(program: "sh", number: 7)], true)
    }
    #expect(killed.notes.first?.contains("was killed") ?? false)
  }
}
