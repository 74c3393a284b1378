import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("The trace of a case in a browser", .serialized)
struct ViewerInBrowserTests {
  private static func text(_ selector: String) -> String {
    "eval:document.querySelector('\(selector)')?.textContent ?? null"
  }

  private static func texts(_ selector: String) -> String {
    "eval:[...document.querySelectorAll('\(selector)')].map((each) => each.textContent).join('|')"
  }

  private static let form = ".request [aria-label=form] button"
  private static let opened = ["key:Enter", "click:.request-head"]

  @Test(
    "A request shows its headers and bodies, JSON in lines, and both times",
    arguments: Browser.sample)
  func request(browser: Browser) throws {
    let page = try BrowserPage(.traced())
    let look = try page.look(
      Self.opened + [
        Self.texts(".request-head > span"), Self.texts(".message h3"),
        Self.texts(".request-body .facts-table tr"), Self.text(".message .body"),
        Self.text(".event"), "eval:location.hash",
      ], in: browser)

    #expect(look.results[0].contains("+1 s|GET|http://shop.test/books?q={a}|200|after 3 s|#2 curl"))
    #expect(look.results[1] == "\"request|reply\"")
    #expect(look.results[2].contains("virtual time+1 s, reply at +4 s|real time+10 ms"))
    #expect(look.results[2].contains("AuthorizationBearer it's"))
    #expect(look.results[3] == #""[\n  {\n    \"title\": \"TAPL\"\n  }\n]""#)
    // A request that is opened is chosen on the timeline, and in the address.
    #expect(look.results[4].contains("GET http://shop.test/books?q={a} → 200 after 3 s"))
    #expect(look.results[5] == "\"#case=shop&event=6\"")
    #expect(look.problems == [])
  }

  @Test("A request is copied as a command of curl and as an entry of responses")
  func forms() throws {
    let page = try BrowserPage(.traced())
    let look = try page.look(
      Self.opened + [
        "click:\(Self.form):nth-child(2)", Self.text(".form pre"),
        "click:\(Self.form):nth-child(3)", Self.text(".form pre"),
        "click:.form .copy", Self.text(".form .copy"),
      ])

    #expect(
      look.results[0]
        == #""curl 'http://shop.test/books?q={a}' \\\n  -H 'Accept: */*' \\\n  -H 'Authorization: Bearer it'\\''s'""#
    )
    #expect(
      look.results[1]
        == #""- request: \"GET http://shop.test/books?q=%7Ba%7D\"\n  reply:\n    status: 200\n    after: 3s\n    json: [{\"title\": \"TAPL\"}]\n""#
    )
    #expect(["\"copied\"", "\"select and copy\""].contains(look.results[2]))
  }

  @Test("A command for HEAD waits for no body, and what nothing has answered has no reply to copy")
  func awkwardForms() throws {
    let look = try BrowserPage(.traced(method: "HEAD", isAnswered: false)).look(
      Self.opened + [
        "click:\(Self.form):nth-child(2)", Self.text(".form pre"),
        "click:\(Self.form):nth-child(3)", Self.text(".form pre"),
      ])

    #expect(look.results[0].hasPrefix(#""curl --head 'http://shop.test/books?q={a}'"#))
    #expect(
      look.results[1]
        == #""- request: \"HEAD http://shop.test/books?q=%7Ba%7D\"\n  reply: { status: 200 }\n""#)
  }

  @Test(
    "A body that is no plain JSON is written as text, and nothing in it becomes an expression",
    arguments: [
      ("{\"$time\":\"+1h\"}", #"text: \"{\\\"$time\\\":\\\"+1h\\\"}\""#),
      ("{\"a\":1.10}", #"text: \"{\\\"a\\\":1.10}\""#),
      ("{\"a\":1,\"a\":2}", #"text: \"{\\\"a\\\":1,\\\"a\\\":2}\""#),
      ("${{ vars.x }} {{ y }}", #"text: \"$${{ vars.x }} ${{ '{{' }} y }}\""#),
      ("{\"a\":\"${{ x }}\"}", #"json: {\"a\": \"$${{ x }}\"}"#),
    ])
  func bodies(body: String, entry: String) throws {
    let look = try BrowserPage(.traced(body: body)).look(
      Self.opened + ["click:\(Self.form):nth-child(3)", Self.text(".form pre")])

    #expect(look.results[0].contains(entry), "\(look.results)")
  }

  @Test("What was expected stands beside what came, and the source shows which line failed")
  func comparison() throws {
    let look = try BrowserPage(.traced()).look([
      "key:Enter", Self.texts(".comparison th"), Self.texts(".comparison tbody tr"),
      Self.texts(".comparison del"), Self.texts(".comparison ins"), Self.texts(".failure > pre"),
      Self.texts(".source-line.bad .gutter"), Self.texts(".source-note span:last-child"),
      Self.texts(".source-line.first .gutter"),
      "eval:document.querySelector('.source').scrollTop >= 0",
    ])

    #expect(look.results[0] == "\"expected|actual\"")
    #expect(look.results[1] == "\"1first1first|2third2second\"")
    #expect(look.results[2] == "\"thir\"" && look.results[3] == "\"secon\"", "\(look.results)")
    // What stands side by side is not told twice; what else is known is.
    #expect(look.results[4].contains("clients that gave up") && !look.results[4].contains("third"))
    #expect(look.results[5] == "\"9\"")
    #expect(look.results[6] == "\"stdout: expected to contain \\\"welcome, ada\\\"\"")
    #expect(look.results[7] == "\"3\"")
    #expect(look.problems == [])
  }

  @Test(
    "A part that is missing stands beside the nearest line, in which only what differs is marked",
    arguments: [
      (
        .part, "total 43", "at 9 total 42 items", "expected part",
        "|total 43|501|at 9 total 42 items",
        "3|2"
      ),
      (.start, "ad: x", "ab: x and more", "expected beginning", "|ad: x|501|ab: x and more", "d|b"),
      (.end, "the end", "not the ens", "expected end", "|the end|501|not the ens", "d|s"),
      (
        .expression, "/to\\d/", "total 42", "expected match", "|/to\\\\d/|501|total 42", ""
      ),
      // The twin: where both are to be the same, all that differs is marked.
      (
        nil, "total 43", "a total 42", "expected", "501|total 43|501|a total 42",
        "total 43|a total 42"
      ),
    ] as [(TextComparison.Relation?, String, String, String, String, String)])
  func missingPart(
    relation: TextComparison.Relation?, expected: String, actual: String, heading: String,
    row: String, marked: String
  ) throws {
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.comparison = TextComparison(
      expected: expected, actual: actual, line: 501, relation: relation)
    run.addCase("part", outcome: .failed, failures: [failure])
    run.end()
    let look = try BrowserPage(run).look([
      "key:Enter", Self.texts(".comparison th"), Self.texts(".comparison td"),
      Self.texts(".comparison del, .comparison ins"),
    ])

    #expect(
      look.results == ["\"\(heading)|actual\"", "\"\(row)\"", "\"\(marked)\""])
    #expect(look.problems == [])
  }

  @Test(
    "Output stands in the order of time, with its process, and is tied to the timeline both ways",
    .inAllBrowsers)
  func output() throws {
    let chosen = "eval:document.querySelector('.mark.selected')?.getAttribute('aria-label') ?? null"
    let look = try BrowserPage(.traced()).look([
      "key:Enter", Self.texts(".piece"), "click:.piece:nth-child(2)", chosen,
      Self.text(".piece.chosen pre"), "key:k", "key:k", Self.text(".piece.chosen pre"),
      // The event leads to the output, and the address leads to the event.
      "click:.links button", "eval:document.activeElement.className",
      "go:#case=shop&event=10", Self.text(".piece.chosen pre"), chosen,
      // Only one process, only one stream.
      "click:[aria-label=\"output of\"] button:nth-child(4)",
      "eval:[...document.querySelectorAll('.piece')].map((each) => each.hidden).join()",
    ])

    #expect(
      look.results[0]
        == "\"+2 sstdout #1 shfirst|+3 sstderr #2 curloops|+5 sstdout #1 shsecond\"")
    #expect(look.results[1] == "\"output: stderr 5 bytes: oops, at 3 s\"")
    #expect(look.results[2] == "\"oops\"")
    #expect(look.results[3] == "null")
    #expect(look.results[4] == "\"request-head\"")
    #expect(look.results[5] == "\"second\"")
    #expect(look.results[6] == "\"output: stdout 7 bytes: second, at 5 s\"")
    #expect(look.results[7] == "\"false,true,false\"", "\(look.results)")
    #expect(look.problems == [])
  }

  @Test(
    "Keys go through the events in the order of time, and leave the search as they should",
    .inAllBrowsers)
  func keys() throws {
    let look = try BrowserPage(.traced()).look([
      "key:j", "key:k", "key:Enter", "key:j", Self.text(".event td"), "key:j", "key:j",
      Self.text(".event td"), "key:k", Self.text(".event td"), "key:/",
      "eval:document.activeElement.id", "type:disk", Self.text(".finder [role=status]"),
      "key:Enter", Self.text(".event td"), "eval:document.activeElement.id", "key:Escape",
      "eval:document.activeElement.id", "key:Escape", "eval:document.activeElement.id",
    ])

    #expect(look.results[0] == "\"1 buy\"")
    #expect(look.results[1] == "\"runs curl http://shop.test/books?q={a}\"")
    #expect(look.results[2] == "\"runs sh -c buy\"")
    #expect(look.results[3] == "\"find\"")
    #expect(look.results[4] == "\"2 places\"")
    #expect(look.results[5] == "\"ENOSPC in write of log (disk full)\"")
    #expect(look.results[6] == "\"find\"")
    #expect(look.results[7] == "\"case-title\"")
    #expect(look.results[8] == "\"list\"")
  }

  @Test(
    "The list finds cases by what is in them, and opens them there", .inAllBrowsers,
    arguments: [
      ("tapl", "reply: ", "6"), ("oops", "output: ", "8"), ("third", "failure: ", "0"),
      ("it's", "request: ", "6"), ("ENOSPC", "fault: ", "9"),
    ])
  func search(word: String, place: String, event: String) throws {
    let page = try BrowserPage(.traced())
    let look = try page.look([
      "key:/", "type:\(word)", BrowserPage.searched, Self.text(".bar [role=status]"),
      Self.texts(".row .where"),
      "key:ArrowDown", "key:Enter",
      "eval:new URLSearchParams(location.hash.slice(1)).get('event') ?? '0'",
      "go:#q=nowhere-\(word)", BrowserPage.searched, Self.text(".bar [role=status]"),
    ])

    #expect(look.results[1] == "\"1 of 2 scenarios\"", "\(look.results)")
    #expect(look.results[2].hasPrefix("\"\(place)"), "\(look.results)")
    #expect(look.results[3] == "\"\(event)\"", "\(look.results)")
    #expect(look.results.last == "\"0 of 2 scenarios\"", "\(look.results)")
  }

  @Test("Siblings of one program are one lane where there are many, and unfold", .inAllBrowsers)
  func lanes() throws {
    var run = SampleRun()
    run.append(.caseStarted(.many), scenario: "c")
    for ordinal in 1...10_000 {
      var born = Event(
        realTime: .milliseconds(Int64(ordinal)), scenario: "c", process: Int32(ordinal),
        kind: .processBorn(
          ProcessBirth(ordinal: ordinal, parent: ordinal == 1 ? nil : 1, program: "sleep")))
      born.elapsed = .seconds(Int64(ordinal))
      run.append(born)
    }
    run.append(.caseFinished(.many), scenario: "c")
    run.end()
    let nodes = "eval:document.querySelectorAll('.timeline *').length"
    let look = try BrowserPage(run).look([
      "key:Enter", Self.texts(".lane"), nodes, "click:.lane.group",
      "eval:document.querySelectorAll('.lane').length", nodes,
      "eval:{ const canvas = document.querySelector('.canvas'); canvas.scrollTop = canvas.scrollHeight; }",
      "eval:[...document.querySelectorAll('.lane + .small')].at(-1).textContent", nodes,
    ])
    let counts = [1, 3, 6].compactMap { Int(look.results[$0]) }

    #expect(look.results[0].contains("▸ sleep × 9,999"), "\(look.results)")
    #expect(Int(look.results[2]) ?? 0 > 10)
    #expect(look.results[5] == "\"#10000\"", "\(look.results)")
    #expect(counts.count == 3 && counts.allSatisfy { $0 < 2_000 }, "\(look.results)")
    #expect(look.problems == [])
  }

  /// Fifty processes that start every second, of which the last one sleeps for an hour.
  private static var sleepers: SampleRun {
    var run = SampleRun()
    func add(_ kind: Event.Kind, _ process: Int, at seconds: Int) {
      var event = Event(
        realTime: .milliseconds(Int64(seconds)), scenario: "c", process: Int32(process), kind: kind)
      event.elapsed = .seconds(Int64(seconds))
      run.append(event)
    }
    run.append(.caseStarted(.many), scenario: "c")
    for ordinal in 1...50 {
      let program = ordinal == 1 ? "sh" : "sleep"
      let birth = ProcessBirth(ordinal: ordinal, parent: ordinal == 1 ? nil : 1, program: program)
      add(.processBorn(birth), ordinal, at: ordinal)
      add(.processStarted(arguments: [program]), ordinal, at: ordinal)
    }
    add(.processEnded(exitCode: 0, signal: nil), 50, at: 3_600)
    run.append(.caseFinished(.many), scenario: "c")
    run.end()
    return run
  }

  @Test("On the timeline f folds and unfolds the group of the selected event", .inAllBrowsers)
  func foldingKey() throws {
    let lanes = "eval:document.querySelectorAll('.lane').length"
    let selected = "eval:document.querySelectorAll('.mark.selected').length"
    let look = try BrowserPage(Self.sleepers).look([
      "key:Enter", "key:t", "key:ArrowRight", "key:f", lanes, "key:ArrowDown", "key:f", lanes,
      selected, Self.texts(".lane.group"), "key:f", lanes, selected, Self.texts(".lane.group"),
    ])
    let counts = [0, 1, 4].compactMap { Int(look.results[$0]) }

    // The shell, and its children in one lane; of what is in no group nothing is folded.
    #expect(counts.count == 3 && counts[0] == 2 && counts[1] > 10 && counts[2] == 2, "\(look)")
    #expect(look.results[2] == "1" && look.results[5] == "1", "\(look.results)")
    #expect(look.results[3].contains("▾ sleep × 49"), "\(look.results)")
    #expect(look.results[6].contains("▸ sleep × 49"), "\(look.results)")
    #expect(look.problems == [])
  }

  @Test(
    "On the timeline + and − zoom around the selected event, and 0 shows all again", .inAllBrowsers)
  func zoomKeys() throws {
    let ticks = Self.texts(".tick")
    let place =
      "eval:Math.round(document.querySelector('.mark.selected circle').getAttribute('cx'))"
    let look = try BrowserPage(Self.sleepers).look([
      "key:Enter", "key:t", ticks, "key:ArrowRight", "key:ArrowDown", "key:ArrowRight", place,
      "key:+", ticks, place, "key:-", ticks, place, "key:+", "key:+", ticks, "key:0", ticks, place,
    ])
    let results = look.results

    #expect(results.count == 9)
    #expect(results[2] != results[0] && results[6] != results[2], "\(results)")
    #expect([results[4], results[7]] == [results[0], results[0]], "\(results)")
    #expect(Set([results[1], results[3], results[5], results[8]]).count == 1, "\(results)")
    #expect(look.problems == [])
  }

  @Test("Short pauses can be drawn as long as they are", .inAllBrowsers)
  func shortPauses() throws {
    let button = ".tools [title^=shorten]"
    let state = [
      "eval:document.querySelector('\(button)').getAttribute('aria-pressed')",
      "eval:document.querySelectorAll('.break').length",
      // How far the fiftieth second is from the first one, of the whole hour.
      "eval:{ const marks = [...document.querySelectorAll('.mark[data-kind=exec] circle')].map((each) => Number(each.getAttribute('cx'))); Math.max(...marks) - Math.min(...marks) > 200; }",
    ]
    let look = try BrowserPage(Self.sleepers).look(
      ["key:Enter"] + state + ["click:\(button)"] + state + ["click:\(button)"] + state)

    #expect(
      look.results == [
        "\"true\"", "1", "true", "\"false\"", "0", "false", "\"true\"", "1", "true",
      ])
    #expect(look.problems == [])
  }

  @Test(
    "Hosts have lanes where there are several, and a request there is the one of its process",
    .inAllBrowsers)
  func hosts() throws {
    func run(_ hosts: [String]) -> SampleRun {
      var run = SampleRun()
      run.append(.caseStarted(.many), scenario: "c")
      for (index, host) in hosts.enumerated() {
        run.append(
          .requestReceived(
            RequestDescription(
              method: "GET", url: "http://\(host)/", operation: nil, status: 200, entry: nil,
              time: .seconds(Int64(index)))), scenario: "c")
      }
      run.append(.caseFinished(.many), scenario: "c")
      run.end()
      return run
    }
    let several = try BrowserPage(run(["a.test", "b.test:8080", "a.test"])).look([
      "key:Enter", Self.texts(".lane"),
      "eval:document.querySelectorAll('.mark[data-kind=req]').length",
      "click:.mark[data-kind=req]:last-of-type", Self.text(".event td"),
      "eval:new Set([...document.querySelectorAll('.mark')].map((each) => each.id)).size",
    ])
    let one = try BrowserPage(run(["a.test", "a.test"])).look(["key:Enter", Self.texts(".lane")])

    #expect(
      several.results[0].contains("a.testa.test|b.test:8080b.test:8080"), "\(several.results)")
    #expect(several.results[1] == "6" && several.results[3] == "6", "\(several.results)")
    #expect(several.results[2] == "\"GET http://b.test:8080/ → 200\"", "\(several.results)")
    #expect(one.results == ["\"networknetwork\""])
    #expect(several.problems == [])
  }

  @Test("A chain of ten thousand processes does not exhaust the page", .inAllBrowsers)
  func chain() throws {
    var run = SampleRun()
    run.append(.caseStarted(.many), scenario: "c")
    for ordinal in 1...10_000 {
      run.append(
        .processBorn(
          ProcessBirth(
            ordinal: ordinal, parent: ordinal == 1 ? nil : ordinal - 1, program: "p\(ordinal)")),
        scenario: "c")
    }
    run.append(.caseFinished(.many), scenario: "c")
    run.end()
    let look = try BrowserPage(run).look([
      "key:Enter", "eval:document.querySelectorAll('.lane').length > 10",
    ])

    #expect(look.results == ["true"])
    #expect(look.problems == [])
  }

  @Test(
    "axe-core and the check of contrast have nothing to object to", .inAllBrowsers,
    arguments: [[], ["--dark"]],
    Browser.sample)
  func accessible(options: [String], browser: Browser) throws {
    let page = try BrowserPage(.traced())
    let contrast = try #require(BrowserPage.script("contrast.js"))
    let look = try page.look(
      [
        "axe:", "key:?", "axe:", "key:Escape", "key:Enter", "axe:", contrast,
        "click:.request-head", "axe:", contrast, "click:\(Self.form):nth-child(2)", "axe:",
        "click:.piece", "axe:", contrast,
        // The twin: a name and a colour that are missing.
        "eval:{ document.querySelector('#find').removeAttribute('aria-label'); document.querySelector('#find').placeholder = ''; }",
        "axe:", "eval:document.documentElement.style.setProperty('--ink', '#777')", contrast,
      ], options: options, in: browser)

    let judged = look.results.filter { $0.hasPrefix("[") }
    #expect(judged.dropLast(2).allSatisfy { $0 == "[]" }, "\(judged)")
    #expect(judged.count == 11)
    #expect(judged.suffix(2).allSatisfy { $0 != "[]" }, "\(judged.suffix(2))")
  }

  @Test("On 400 pixels nothing of a trace sticks out to the right", .inAllBrowsers)
  func narrow() throws {
    let excess = "eval:document.documentElement.scrollWidth - document.documentElement.clientWidth"
    let look = try BrowserPage(.traced()).look(
      Self.opened + [excess, "click:\(Self.form):nth-child(3)", excess],
      options: ["--width", "400"])

    #expect(look.results == ["0", "0"])
  }

  @Test(
    "A case that passed before is compared, and says when that was; one that is the same as well",
    .inAllBrowsers)
  func compared() throws {
    var cases: [String: String] = [:]
    let recorder = PassedCaseRecorder { cases[$0] = $1 }
    var former = SampleRun()
    former.append(.caseStarted(.many), scenario: "shop")
    former.append(.caseFinished(.many), scenario: "shop")
    former.end()
    try former.play(to: recorder)
    let steps = [
      "key:Enter", Self.texts("#difference + .box p"), Self.texts("#difference + .box td.come"),
    ]
    let look = try BrowserPage(.traced(), passed: { [cases] in cases[$0] }).look(steps)
    let alone = try BrowserPage(.traced()).look(["key:Enter", Self.text("#difference")])

    #expect(look.results[0].contains("it passed in the run of 2026-01-02 03:04:05Z"))
    #expect(look.results[0].contains("steps is new, at +0"), "\(look.results)")
    #expect(look.results[1].contains("step: 1 buy"), "\(look.results)")
    #expect(alone.results == ["null"])
    #expect(look.problems == [])
  }

  /// Two processes that write at one moment; the second is born first where `isTurned`.
  private static func race(isTurned: Bool, pid: Int32, file: String, reply: String) -> SampleRun {
    var run = SampleRun()
    func add(_ kind: Event.Kind, process: Int32? = nil) {
      var event = Event(realTime: .zero, scenario: "c", process: process, kind: kind)
      event.elapsed = .zero
      run.append(event)
    }
    add(.caseStarted(.many))
    add(.processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")), process: pid)
    add(.processStarted(arguments: ["sh"]), process: pid)
    let programs = isTurned ? ["tr", "curl"] : ["curl", "tr"]
    for (index, program) in programs.enumerated() {
      let process = pid + 1 + Int32(index)
      add(
        .processBorn(ProcessBirth(ordinal: 2 + index, parent: 1, program: "sh")), process: process)
      add(.processStarted(arguments: [program, file]), process: process)
      if program == "curl" {
        var request = RequestDescription(
          method: "GET", url: "http://shop.test/", operation: nil, status: 200, entry: nil,
          time: .zero)
        request.number = 1
        add(.requestReceived(request), process: process)
        var exchange = ExchangeDescription.sample(body: reply)
        exchange.number = 1
        add(.exchanged(exchange))
      }
      let text = "\(program) of \(pid)\n"
      add(
        .outputWritten(
          OutputPiece(
            stream: "stdout", text: text, byteCount: text.utf8.count, processOrdinal: 2 + index)))
    }
    add(.failed(.wrongOutput))
    let result = CaseResult(
      outcome: .failed, duration: .seconds(1), virtualDuration: .zero, standardOutput: "",
      standardError: "", directory: nil)
    add(.caseFinished(result))
    run.end()
    return run
  }

  @Test(
    "What the scheduler, the kernel and mktemp choose is no difference; a reply's body is one",
    .inAllBrowsers,
    arguments: [
      ("/tmp/tmp.Ok7YwBugqx", "a", "each process did the same"),
      ("/tmp/tmp.Ok7YwBugqx", "b", "curl differs from event 2 on"),
      ("/tmp/other", "a", "differs from event 1 on"),
      ("/srv/tmp.Ok7YwBugqx", "a", "differs from event 1 on"),
    ])
  func chance(file: String, reply: String, told: String) throws {
    var former = Self.race(isTurned: false, pid: 7_000, file: "/tmp/tmp.jkJA0rK11s", reply: "a")
    // The same run, but that it passed.
    former = former.passing()
    var cases: [String: String] = [:]
    try former.play(to: PassedCaseRecorder { cases[$0] = $1 })
    let run = Self.race(isTurned: true, pid: 31_000, file: file, reply: reply)
    let look = try BrowserPage(run, passed: { [cases] in cases[$0] }).look([
      "key:Enter", Self.texts("#difference + .box p"),
    ])

    #expect(look.results[0].contains(told), "\(look.results)")
    #expect(look.problems == [])
  }

  /// A process that writes before and behind an exec.
  private static func replaced(_ first: String, _ last: String) -> SampleRun {
    var run = SampleRun()
    func add(_ kind: Event.Kind, process: Int32? = nil) {
      var event = Event(realTime: .zero, scenario: "c", process: process, kind: kind)
      event.elapsed = .zero
      run.append(event)
    }
    func write(_ text: String) {
      add(
        .outputWritten(
          OutputPiece(
            stream: "stdout", text: text, byteCount: text.utf8.count, processOrdinal: 1)))
    }
    add(.caseStarted(.many))
    add(.processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "scenario")), process: 7)
    add(.processStarted(arguments: ["bash"]), process: 7)
    write(first)
    add(.processStarted(arguments: ["/bin/cat"]), process: 7)
    write(last)
    add(.failed(.wrongOutput))
    add(
      .caseFinished(
        CaseResult(
          outcome: .failed, duration: .seconds(1), virtualDuration: .zero,
          standardOutput: first + last, standardError: "", directory: nil)))
    run.end()
    return run
  }

  @Test("Output is of the program that its process ran then", .inAllBrowsers)
  func replacedProgram() throws {
    let look = try BrowserPage(Self.replaced("before\n", "after\n")).look([
      "key:Enter", Self.texts(".piece .who"),
    ])

    #expect(look.results == ["\"stdout #1 bash|stdout #1 cat\""])
    #expect(look.problems == [])
  }

  @Test("A difference in output is shown as it was written", .inAllBrowsers)
  func writtenOrder() throws {
    var cases: [String: String] = [:]
    try Self.replaced("good\n", "end\n").passing().play(to: PassedCaseRecorder { cases[$0] = $1 })
    let look = try BrowserPage(
      Self.replaced("xextra\n", "bad\n"), passed: { [cases] in cases[$0] }
    ).look(["key:Enter", Self.texts("#difference + .box td.come")])

    #expect(look.results[0].contains("xextra bad"), "\(look.results)")
    #expect(look.problems == [])
  }

  @Test(
    "Output without a secret stands at its own moment, and that of several targets below its own",
    .inAllBrowsers)
  func tied() throws {
    func run(_ output: String, _ pieces: [(text: String, count: Int, process: Int)]) -> SampleRun {
      var run = SampleRun()
      run.append(.caseStarted(.many), scenario: "c")
      for (ordinal, target) in [(1, "shop"), (2, "bank")]
      where output.hasPrefix("---") || ordinal == 1 {
        run.append(
          .processBorn(
            ProcessBirth(
              ordinal: ordinal, parent: nil, program: "sh",
              target: output.hasPrefix("---") ? target : nil)), scenario: "c")
      }
      for (index, piece) in pieces.enumerated() {
        var event = Event(
          realTime: .seconds(Int64(index + 1)), scenario: "c",
          kind: .outputWritten(
            OutputPiece(
              stream: "stdout", text: piece.text, byteCount: piece.count,
              processOrdinal: piece.process)))
        event.elapsed = .seconds(Int64(index + 1))
        run.append(event)
      }
      var result = CaseResult.many
      result.standardOutput = output
      run.append(.caseFinished(result), scenario: "c")
      run.end()
      return run
    }
    let steps = ["key:Enter", Self.texts(".piece"), Self.texts("pre.output")]
    // The event tells of 20 bytes, of which a secret of 17 was taken out.
    let secret = try BrowserPage(run("***\nlater\n", [("***\n", 20, 1), ("later\n", 6, 1)])).look(
      steps)
    let several = try BrowserPage(
      run(
        "--- shop ---\none\nready\n--- bank ---\nready\n",
        [("one\n", 4, 1), ("ready\n", 6, 2), ("ready\n", 6, 1)])
    ).look(
      steps + [
        "click:[aria-label=\"output of\"] button:nth-child(3)",
        "eval:[...document.querySelectorAll('.piece')].map((each) => each.hidden).join()",
      ])
    // The twin: what does not fit together is not tied.
    let other = try BrowserPage(run("***\nlater\n", [("**\n", 20, 1), ("later\n", 6, 1)])).look(
      steps)

    #expect(secret.results == ["\"+1 sstdout #1 sh***|+2 sstdout #1 shlater\"", "\"\""])
    #expect(
      several.results == [
        "\"+1 sshop stdout #1 shone|+2 sbank stdout #2 shready|+3 sshop stdout #1 shready\"",
        "\"\"",
        "\"true,false,true\"",
      ])
    #expect(other.results[1].contains("later"), "\(other.results)")
  }

  @Test(
    "At the widths of phones axe has nothing to object to in a case that failed", .inAllBrowsers,
    arguments: ["320", "360"])
  func phone(width: String) throws {
    let look = try BrowserPage(.traced()).look(
      [
        "axe:",
        // Firefox gives the style as it is written, Chromium what it stands for.
        "eval:{ const state = document.querySelector('.row .state.failed'); getComputedStyle(state, '::before').content.replace('attr(data-sign)', state.dataset.sign) }",
        "key:Enter", "axe:", "eval:document.querySelector('.failure .frame').tabIndex",
        // The twin: a box that scrolls, and that no key reaches.
        "eval:{ const frame = document.querySelector('.failure .frame'); frame.removeAttribute('tabindex'); frame.textContent = 'x'.repeat(500); }",
        "axe:",
      ], options: ["--width", width])

    #expect(look.results[0] == "[]" && look.results[2] == "[]", "\(look.results)")
    #expect(look.results[1].contains("✗"))
    #expect(look.results[3] == "0")
    #expect(look.results.last?.contains("scrollable-region-focusable") ?? false)
  }

  @Test("A failure in another file has its line there", .inAllBrowsers)
  func included() throws {
    var run = SampleRun()
    var failure = Failure.wrongOutput
    failure.range = SourceRange(file: "scenarios/shared.yaml", line: 7, column: 1)
    run.addCase("includes", outcome: .failed, failures: [failure])
    run.end()
    let look = try BrowserPage(run).look([
      "key:Enter", Self.texts(".source-line.bad .gutter"),
      "eval:[...document.querySelectorAll('.source')].map((each) => each.getAttribute('aria-label')).join()",
    ])

    #expect(look.results[0] == "\"7\"")
    #expect(
      look.results[1] == "\"source of scenarios/login.yaml,source of scenarios/shared.yaml\"")
  }

  @Test(
    "An address leads to an attempt before the last one, and a search finds what is in it",
    .inAllBrowsers)
  func attempts() throws {
    var run = SampleRun()
    run.addFlakyCase("flaky", output: "x")
    run.end()
    let pressed = Self.text(".tabs [aria-pressed=true]")
    let look = try BrowserPage(run).look([
      "key:Enter", pressed, "click:.tabs button",
      "eval:new URLSearchParams(location.hash.slice(1)).get('attempt')",
      "go:#", "key:/", "type:welcome", BrowserPage.searched, Self.texts(".row .where"),
      "key:ArrowDown", "key:Enter", pressed,
    ])

    #expect(look.results[0].contains("attempt 2: passed"))
    #expect(look.results[1] == "\"1\"")
    #expect(look.results[3].hasPrefix("\"failure: "), "\(look.results)")
    #expect(look.results[4].contains("attempt 1: failed"), "\(look.results)")
  }

  @Test(
    "A case is searched for the source, the command and the last events too, and every word must be met",
    .inAllBrowsers,
    arguments: [
      ("--seed", "1 place"), ("key value", "20 places"), ("first nowhere", "nothing found"),
      ("disk ENOSPC", "1 place"),
    ])
  func within(words: String, told: String) throws {
    let look = try BrowserPage(.traced()).look([
      "key:Enter", "key:/", "type:\(words)", Self.text(".finder [role=status]"),
    ])

    #expect(look.results == ["\"\(told)\""])
  }

  @Test("What a reply, a header and a URL hold is shown, and does nothing")
  func hostile() throws {
    let text = "</script><img src=x onerror='window.isRun=1'>\u{202E}"
    let look = try BrowserPage(.traced(body: text, type: text)).look(
      Self.opened + [
        "eval:window.isRun === undefined && document.images.length === 0",
        "eval:document.querySelector('.message:last-child').textContent.includes(\"</script><img src=x onerror='window.isRun=1'>\\\\x{202E}\")",
        "click:\(Self.form):nth-child(2)", "click:\(Self.form):nth-child(3)",
        Self.text(".form pre"), "eval:window.isRun === undefined && document.images.length === 0",
      ])

    #expect(look.results[0] == "true" && look.results[1] == "true", "\(look.results)")
    #expect(look.results[2].contains("</script><img"))
    #expect(look.results[3] == "true")
    #expect(look.problems == [])
  }
}

extension CaseDescription {
  fileprivate static let many = CaseDescription(
    file: "a.yaml", name: "n", range: SourceRange(file: "a.yaml", line: 1, column: 1), tags: [],
    seed: 1)
}

extension CaseResult {
  fileprivate static let many = CaseResult(
    outcome: .passed, duration: .seconds(20), virtualDuration: .seconds(10_000),
    standardOutput: "", standardError: "", directory: nil)
}
