import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("The history of a case over many runs")
struct HistoryTests {
  /// A run of one case for each character: as `--ui dots` shows it, a case's letter standing for its outcome.
  private func report(
    _ outcomes: String, name: String = "ok", commit: String? = nil, plan: String? = nil,
    at seconds: Int64? = nil, took milliseconds: Int64 = 10, source: String = "r"
  ) -> ReportedRun {
    var run = ReportedRun(source: source)
    run.begin = seconds.map { WallInstant(seconds: $0) }
    run.labels["commit"] = commit
    run.planDigest = plan
    run.cases = outcomes.map { letter in
      let outcome: CaseResult.Outcome =
        switch letter {
        case "F": .failed
        case "E": .errored
        case "s": .skipped
        default: .passed
        }
      return ReportedCase(
        place: "a.yaml", name: name, outcome: outcome, failedAttempts: letter == "f" ? 1 : 0,
        duration: .milliseconds(milliseconds),
        message: outcome == .failed ? "it broke" : nil)
    }
    for place in run.cases.indices where Array(outcomes)[place] == "?" {
      run.cases[place].outcome = .errored
      run.cases[place].isCutOff = true
    }
    return run
  }

  /// The history of one case, whose runs each have a letter.
  private func found(
    _ outcomes: String, commits: String? = nil, plan: String? = nil, isOneVersion: Bool = false
  ) throws -> CaseHistory {
    var builder = HistoryBuilder()
    for (number, letter) in outcomes.enumerated() {
      let commit = commits.map { String(Array($0)[number]) }
      builder.add(report("\(letter)", commit: commit, plan: plan), given: number)
    }
    return try #require(builder.history(isOneVersion: isOneVersion).cases.first)
  }

  @Test(
    "Which failures no change explains",
    arguments: [
      // Of one commit: every failure beside a success.
      (".F.F.", "aaaaa", [1, 3]), ("F.", "aa", [0]), (".F", "aa", [1]), ("FFF", "aaa", []),
      ("...", "aaa", []),
      // Of several: a commit that broke the case, and one that mended it, make nothing flaky.
      ("..FF..", "aabbcc", []), (".F.F", "abab", []), (".FF.F", "abbcc", [4]),
      // A retry makes a success flaky, whatever the commits are.
      ("f.", "ab", [0]), (".E.", "aaa", [1]), (".s.", "aaa", []),
    ])
  func commits(outcomes: String, commits: String, flakes: [Int]) throws {
    #expect(try found(outcomes, commits: commits).flakes == Set(flakes))
  }

  @Test(
    "Without a commit, one plan may have met several programs: only failures between successes are flaky",
    arguments: [
      (".F.", [1]), ("FF..", []), ("..FF", []), ("F.F.F", [2]), (".F.F", [1]), ("f", [0]),
    ])
  func plans(outcomes: String, flakes: [Int]) throws {
    #expect(try found(outcomes, plan: "p").flakes == Set(flakes))
    // Where even the plan is not known, only a retry tells.
    let unknown = outcomes == "f" ? Set([0]) : []
    #expect(try found(outcomes).flakes == unknown)
    let bad = Set(outcomes.enumerated().filter { "FEf".contains($0.element) }.map(\.offset))
    #expect(try found(outcomes, isOneVersion: true).flakes == bad)
  }

  @Test("A case that its run was killed in is undecided: neither flaky, nor the first bad one")
  func cutOff() throws {
    let killed = try found(".?F", commits: "abc")
    #expect(killed.firstBad?.run == 2 && killed.lastBad?.run == 2 && killed.state == .newFailure)
    #expect(killed.decidedCount == 2 && killed.badCount == 1)
    let innocent = try found(".?", commits: "aa")
    #expect(innocent.flakes == [] && innocent.state == .passing && innocent.flakyRate == 0)
    // The twin: what fails by itself is.
    #expect(try found(".E", commits: "aa").flakes == [1])
  }

  @Test("A case that fails and passes in one run is flaky, whatever is known of versions")
  func oneRun() throws {
    var builder = HistoryBuilder()
    builder.add(report("F."), given: 0)
    let found = try #require(builder.history().cases.first)
    #expect(found.flakes == [0] && found.decidedCount == 2 && found.flakyRate == 0.5)
  }

  @Test(
    "How a case stands at the end",
    arguments: [
      ("..F", "abc", CaseHistory.State.newFailure), ("FFF", "abc", .failing),
      ("FF.", "abc", .fixed),
      ("F..", "abc", .passing), ("...", "abc", .passing), ("s", "a", .skipped),
      (".Fs", "abc", .newFailure),
      (".F", "aa", .flaky), (".F.", "aaa", .passing), ("E", "a", .failing),
      (".sF", "abb", .newFailure),
    ])
  func states(outcomes: String, commits: String, state: CaseHistory.State) throws {
    #expect(try found(outcomes, commits: commits).state == state)
  }

  @Test("The first bad run is the one behind the last success, and skipped runs count for nothing")
  func firstBad() throws {
    let found = try found(".F.sFsFF", commits: "abcdefgh")
    #expect(found.firstBad?.run == 4)
    #expect(found.lastGood?.run == 2)
    #expect(try self.found("FF", commits: "ab").firstBad?.run == 0)
    #expect(try self.found("F.", commits: "ab").firstBad == nil)
  }

  @Test(
    "Runs stand in the order of their own beginnings, those without one behind the one named before"
  )
  func order() {
    var builder = HistoryBuilder()
    for (number, run) in [
      report(".", at: 30, source: "c"), report(".", source: "c2"), report(".", at: 10, source: "a"),
      report(".", source: "a2"), report(".", at: 20, source: "b"),
    ].enumerated() {
      builder.add(run, given: number)
    }
    #expect(builder.history().runs.map(\.source) == ["a", "a2", "b", "c", "c2"])
    #expect(builder.history(order: .given).runs.map(\.source) == ["c", "c2", "a", "a2", "b"])
    #expect(builder.history(last: 2).runs.map(\.source) == ["c", "c2"])
    #expect(builder.history().undatedCount == 2)
  }

  @Test("The order in which reports are read changes nothing")
  func readOrder() {
    var forward = HistoryBuilder()
    var backward = HistoryBuilder()
    let runs = "..F.FsE".enumerated().map { number, letter in
      report("\(letter)", name: "case \(number % 2)", at: Int64(number), source: "\(number)")
    }
    for (number, run) in runs.enumerated() { forward.add(run, given: number) }
    for (number, run) in runs.enumerated().reversed() { backward.add(run, given: number) }
    let texts = [forward, backward].map { HistoryJSON.text(HistoryReport($0.history())) }
    #expect(texts[0] == texts[1])
  }

  @Test("What two reports tell of one run counts once, and what only one tells is not lost")
  func double() throws {
    var stream = report(".F")
    for index in stream.cases.indices {
      stream.cases[index].name = "case \(index)"
      stream.cases[index].origin = "run 1"
    }
    var document = stream
    document.cases.append(ReportedCase(place: "b.yaml", name: "more", outcome: .passed))
    var builder = HistoryBuilder()
    builder.add(stream, given: 1)
    builder.add(stream, given: 2)
    builder.add(document, given: 0)
    let history = builder.history()
    #expect(history.doubleCount == 1)
    #expect(history.runs.map(\.caseCount).sorted() == [1, 2])
    #expect(history.cases.allSatisfy { $0.observations.count == 1 })
  }

  @Test("The files of one folder make one run where that is wanted")
  func groups() throws {
    var builder = HistoryBuilder()
    builder.add(report(".", name: "a", commit: "c1", plan: "p", at: 20), given: 0, group: "one")
    builder.add(report("F", name: "b", plan: "q", at: 10), given: 1, group: "one")
    builder.add(report(".", name: "b", at: 30), given: 2, group: "two")
    let history = builder.history()
    #expect(history.runs.map(\.source) == ["one", "two"])
    let run = try #require(history.runs.first)
    #expect(run.begin == WallInstant(seconds: 10) && run.commit == "c1" && run.planDigest == nil)
    #expect(run.passed == 1 && run.failed == 1)
  }

  @Test("Median and worst of real and virtual time, and what has become slower")
  func times() throws {
    var builder = HistoryBuilder()
    for (number, milliseconds) in [10, 30, 20, 10, 50, 100, 110, 90, 100, 400].enumerated() {
      var run = report(".", took: Int64(milliseconds))
      run.cases[0].virtualDuration = .seconds(Int64(milliseconds))
      var other = report(".", name: "same", took: 500)
      other.cases += run.cases
      builder.add(other, given: number)
    }
    let report = HistoryReport(builder.history())
    let found = try #require(report.slower.first)
    #expect(report.slower.count == 1 && found.identity.name == "ok")
    #expect(found.times.before == .milliseconds(20) && found.times.recent == .milliseconds(100))
    #expect(found.times.worst == .milliseconds(400) && found.times.median == .milliseconds(50))
    #expect(found.virtualTimes.median == .seconds(50))
    #expect(report.slowest.map(\.identity.name) == ["same", "ok"])
  }

  @Test("New failures name the first bad run, the commit, and the run before")
  func text() {
    var builder = HistoryBuilder()
    for (number, letter) in "..FF".enumerated() {
      builder.add(
        report(
          "\(letter)", commit: "\(number)\(number)\(number)\(number)aaaabbbbcccc",
          at: 1_767_323_045 + Int64(number) * 86_400, source: "\(number).xml"), given: number)
    }
    let text = HistoryText(HistoryReport(builder.history()), usesColour: false, limit: 10).text
    #expect(text.hasPrefix("4 runs, 1 case, 1 newly failing\n"), "\(text)")
    #expect(
      text.contains(
        """
        new failures (1)
          first bad run         commit        passed before in                   last runs  case
          2026-01-04T03:04:05Z  2222aaaabbbb  2026-01-03T03:04:05Z 1111aaaabbbb  ..FF       a.yaml › ok
            it broke

        """), "\(text)")
    #expect(!text.contains("flaky"), "\(text)")
  }

  @Test("Names of cases cannot steer a terminal, end an element or a line")
  func hostile() throws {
    var builder = HistoryBuilder()
    var run = report("F", name: "a\u{1B}[2J\n</td><script>alert(1)</script>")
    run.cases[0].message = "<img src=x>\u{1B}]0;x\u{7}"
    builder.add(run, given: 0)
    let report = HistoryReport(builder.history())
    let text = HistoryText(report, usesColour: false, limit: 10).text
    #expect(!text.contains("\u{1B}") && text.contains("\\n"), "\(text)")
    let page = HistoryPage(report, limit: 10).document()
    #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{1B}"))
    #expect(page.contains("&lt;script&gt;alert(1)"))
    let json = HistoryJSON.text(report)
    #expect(try JSONText.parse(utf8: Array(json.utf8)).jsonText(pretty: true) + "\n" == json)
  }

  @Test("Lists are as long as is asked for, and say how much there is")
  func limits() {
    var builder = HistoryBuilder()
    for number in 0..<30 { builder.add(report("F", name: "case \(number)"), given: number) }
    let report = HistoryReport(builder.history())
    let text = HistoryText(report, usesColour: false, limit: 3).text
    #expect(text.contains("failing in every run (3 of 30)"), "\(text)")
    #expect(text.contains("runs (3 of 30)"), "\(text)")
    let page = HistoryPage(report, limit: 3).document()
    #expect(page.contains("Failing in every run (3 of 30)") && page.contains("All cases (30)"))
  }

  @Test(
    "A share in per cent",
    arguments: [(0.4, "40%"), (0.005, "0.5%"), (0.0996, "10%"), (1, "100%"), (0.333, "33%")])
  func percent(share: Double, text: String) {
    #expect(share.percentText == text)
  }

  @Test(
    "axe-core and the check of contrast have nothing to object to in the page of a history",
    arguments: [[], ["--dark"]], Browser.sample)
  func accessible(options: [String], browser: Browser) throws {
    var builder = HistoryBuilder()
    for (number, letters) in ["..F.", "F.F.", ".fF.", "F.Fs"].enumerated() {
      builder.add(report(letters, commit: "abc\(number)", at: Int64(number)), given: number)
    }
    for (number, letter) in [".", ".", "F", "F"].enumerated() {
      builder.add(
        report(letter, name: "other", commit: "abc\(number)", took: 5_000), given: number + 10)
    }
    let contrast = try #require(BrowserPage.script("contrast.js"))
    let page = HistoryPage(HistoryReport(builder.history()), limit: 10).document()
    let look = try BrowserPage(document: page).look(
      [
        "axe:", contrast, "eval:document.querySelectorAll('table').length > 3",
        // The twin: a language that is missing, and ink that is too pale.
        "eval:document.documentElement.removeAttribute('lang')", "axe:",
        "eval:for (const each of document.querySelectorAll('td')) each.style.color = '\(options.isEmpty ? "#aaa" : "#444")'",
        contrast,
      ], options: options, in: browser)

    #expect(look.results[0] == "[]" && look.results[1] == "[]", "\(look.results)")
    #expect(look.results[2] == "true")
    #expect(look.results[4].contains("html-has-lang"), "\(look.results)")
    #expect(look.results.last != "[]")
    #expect(look.problems == [])
  }
}
