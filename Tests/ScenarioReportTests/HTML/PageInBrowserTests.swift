import FoundationEssentials
import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("The HTML report in a browser", .serialized)
struct PageInBrowserTests {
  private static let cases: SampleRun = {
    var run = SampleRun(caseCount: 60)
    for index in 0..<60 {
      let isBad = index % 10 == 3
      run.addCase(
        "case \(index)", file: "scenarios/\(index % 2 == 0 ? "login" : "shop").yaml",
        outcome: isBad ? .failed : index % 10 == 7 ? .skipped : .passed,
        failures: isBad ? [.wrongOutput] : [], virtual: .seconds(3_600),
        output: "output of \(index)\n", index: index)
    }
    run.end()
    return run
  }()

  @Test(
    "It opens from a file without a word of complaint, and asks for nothing else",
    arguments: Browser.sample)
  func offline(browser: Browser) throws {
    let page = try BrowserPage(Self.cases)
    let look = try page.look(
      ["eval:document.querySelectorAll('.row').length > 10"], in: browser)

    #expect(look.results == ["true"])
    #expect(look.problems == [])
    #expect(look.requests.count == 1 && look.requests[0].hasPrefix("file://"))
  }

  @Test(
    "A page into which somebody has put something does not run it, nor fetch it",
    arguments: [
      "<script>window.isChanged = true</script>", "<img src=\"http://127.0.0.1:2/x.png\">",
      "<link rel=\"stylesheet\" href=\"http://127.0.0.1:2/x.css\">",
    ])
  func policy(addition: String) throws {
    let page = try BrowserPage(Self.cases) {
      $0.replacing("<main id=\"main\">", with: "\(addition)<main id=\"main\">")
    }
    let look = try page.look(["eval:window.isChanged === true"])

    #expect(look.results == ["false"])
    #expect(!look.problems.isEmpty)
    #expect(look.requests.allSatisfy { $0.hasPrefix("file://") })
  }

  @Test(
    "Without its policy such a page would fetch: the check can tell", arguments: Browser.sample)
  func noPolicy(browser: Browser) throws {
    let page = try BrowserPage(Self.cases) {
      $0.replacing("http-equiv=\"Content-Security-Policy\"", with: "name=\"none\"").replacing(
        "<main id=\"main\">", with: "<img src=\"http://127.0.0.1:2/x.png\"><main id=\"main\">")
    }

    #expect(try page.look([], in: browser).requests.contains("http://127.0.0.1:2/x.png"))
  }

  @Test("Filters find by status, tag, file and text, and stand in the address")
  func filters() throws {
    let page = try BrowserPage(Self.cases)
    let count = "eval:document.querySelector('[role=status]').textContent"
    let look = try page.look([
      count, "key:/", "type:s:failed", count, "eval:location.hash",
      "go:#q=file%3Ashop+-s%3Afailed", count, "go:#q=%22case+5%22", BrowserPage.searched, count,
      "go:#q=s%3Afailed+s%3Askipped+file%3Ashop", count,
      "go:#q=nothing+like+it", BrowserPage.searched, count,
      "eval:document.querySelector('.empty').textContent",
      "go:#", "click:.counts button:nth-child(2)", "eval:location.hash", count,
      "go:#case=lost", count,
    ])

    #expect(
      look.results == [
        "\"60 scenarios\"", "\"6 of 60 scenarios\"", "\"#q=s%3Afailed\"", "\"24 of 60 scenarios\"",
        "0", "\"11 of 60 scenarios\"", "\"12 of 60 scenarios\"", "0", "\"0 of 60 scenarios\"",
        "\"no scenario matches\"", "\"#q=s%3Apassed\"", "\"48 of 60 scenarios\"",
        "\"the linked scenario is not in this run\"",
      ])
    #expect(look.problems == [])
  }

  @Test(
    "A case opens and closes by keys alone, and the list stands where it stood",
    arguments: Browser.sample)
  func keyboard(browser: Browser) throws {
    let page = try BrowserPage(Self.cases)
    let title = "eval:document.querySelector('h1[tabindex]')?.textContent ?? null"
    let look = try page.look(
      [
        title, "key:ArrowDown", "key:ArrowDown", "key:ArrowDown", "key:Enter", title,
        "eval:document.activeElement.id",
        "eval:document.querySelector('.caret').textContent.trim().slice(0, 3)",
        "eval:document.querySelector('#reproduce').textContent", "key:n", title, "key:p", "key:p",
        title, "key:Escape", title, "eval:document.activeElement.id",
        "eval:document.querySelector('.row.selected .what').firstChild.data",
        "key:?", "eval:document.querySelector('dialog').open", "key:Escape",
        "eval:document.querySelector('dialog').open", "key:/", "eval:document.activeElement.type",
      ], in: browser)

    #expect(
      look.results == [
        "null", "\"case 3\"", "\"case-title\"", "\"^^^\"",
        "\"scenario run scenarios/shop.yaml:3 --seed 42\"", "\"case 4\"", "\"case 2\"", "null",
        "\"list\"", "\"case 2\"", "true", "false", "\"search\"",
      ])
    #expect(look.problems == [])
  }

  @Test("What a target writes is shown, and does nothing")
  func hostile() throws {
    var run = SampleRun()
    let text =
      "a</script><img src=x onerror='window.isRun=1'><!--\u{0}\u{202E}\u{1B}[31mred\u{1B}[0m\u{FEFF}z"
    run.addCase(
      text, outcome: .failed,
      failures: [
        Failure(
          category: .expectation, type: "t", message: text, actual: text, details: [text],
          help: text)
      ], warnings: [text], output: text, errorOutput: text)
    run.end()
    let look = try BrowserPage(run).look([
      "key:Enter", "eval:window.isRun === undefined", "eval:document.images.length",
      "eval:document.querySelector('.output').textContent",
      "eval:document.title.includes('\\u202e')",
    ])

    #expect(
      look.results == [
        "true", "0",
        #""a</script><img src=x onerror='window.isRun=1'><!--\\x{00}\\x{202E}red\\x{FEFF}z""#,
        "false",
      ])
    #expect(look.problems == [])
  }

  @Test("Ten thousand cases are a list of which only what is in sight exists")
  func tenThousand() throws {
    var run = SampleRun(caseCount: 10_000)
    for index in 0..<10_000 { run.addCase("case \(index)", output: "\(index)", index: index) }
    run.end()
    let nodes = "eval:document.querySelectorAll('*').length"
    let look = try BrowserPage(run).look([
      "eval:document.querySelector('[role=status]').textContent", nodes, "key:ArrowDown", "key:End",
      "eval:document.querySelector('.row.selected').getAttribute('aria-label')", nodes, "key:Enter",
      "eval:document.querySelector('.output').textContent", "key:Escape",
      // For print more is drawn: the same count tells the difference.
      "eval:dispatchEvent(new Event('beforeprint'))", nodes,
    ])
    let counts = [1, 3, 6].compactMap { Int(look.results[$0]) }

    #expect(look.results[0] == "\"10,000 scenarios\"")
    #expect(look.results[2] == "\"passed: case 9999, scenarios/login.yaml line 3\"")
    #expect(look.results[4] == "\"9999\"")
    #expect(counts.count == 3 && counts[0] < 1_000 && counts[1] < 1_000, "\(look.results)")
    #expect((counts.last ?? 0) > 5_000)
    #expect(look.problems == [])
  }

  @Test(
    "Every text stands out from its ground as WCAG asks, in both colours",
    arguments: [[], ["--dark"]])
  func colours(options: [String]) throws {
    let page = try BrowserPage(Self.cases)
    let check = try #require(BrowserPage.script("contrast.js"))
    let look = try page.look(
      [
        "eval:getComputedStyle(document.body).backgroundColor", check, "go:#q=%22case+3%22",
        "key:Enter", "eval:document.querySelectorAll('.failure').length", check,
        // The twin: a quiet colour that is too quiet.
        "eval:document.documentElement.style.setProperty('--quiet', '#777')", check,
      ], options: options)

    #expect(
      look.results.first == (options.isEmpty ? "\"rgb(253, 253, 252)\"" : "\"rgb(22, 24, 27)\""))
    #expect(look.results[1] == "[]")
    #expect(look.results[2] == "1")
    #expect(look.results[3] == "[]")
    #expect(look.results.last != "[]")
  }

  @Test("The switch turns the colours, whatever the system prefers")
  func themeSwitch() throws {
    let colour = "eval:getComputedStyle(document.body).backgroundColor"
    let look = try BrowserPage(Self.cases).look([
      colour, "click:#theme", colour, "click:#theme", colour,
    ])

    #expect(look.results[0] != look.results[1])
    #expect(look.results[0] == look.results[2])
  }

  @Test("On 400 pixels nothing sticks out to the right")
  func narrow() throws {
    let excess = "eval:document.documentElement.scrollWidth - document.documentElement.clientWidth"
    let look = try BrowserPage(Self.cases).look(
      [
        excess, "key:ArrowDown", "key:ArrowDown", "key:ArrowDown", "key:Enter", excess,
        "eval:{ document.querySelector('h1').style.minWidth = '900px'; }", excess,
      ], options: ["--width", "400"])

    #expect(look.results[0] == "0")
    #expect(look.results[1] == "0")
    #expect(look.results.last != "0")
  }
}
