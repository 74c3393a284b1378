import Foundations
import ScenarioEvents
import ScenarioReport
import Testing

@Suite("Hosts and messages on the timeline of a browser", .serialized)
struct HostsInBrowserTests {
  private static func texts(_ selector: String) -> String {
    "eval:[...document.querySelectorAll('\(selector)')].map((each) => each.textContent).join('|')"
  }

  private static func labels(_ kind: String) -> String {
    "eval:[...document.querySelectorAll('.mark[data-kind=\(kind)]')].map((each) => each.getAttribute('aria-label')).join('|')"
  }

  /// A run of a case on two hosts, with a connection for each state, a partition, and a request elsewhere.
  private static func run(
    states: [HostConnectionDescription.State], isHealed: Bool = true
  ) -> SampleRun {
    var run = SampleRun()
    var now: Int64 = 0
    func add(_ kind: Event.Kind, process: Int32? = nil) {
      now += 1
      var event = Event(
        realTime: .milliseconds(now), scenario: "c", process: process, kind: kind)
      event.elapsed = .seconds(now)
      run.append(event)
    }
    add(
      .caseStarted(
        CaseDescription(
          file: "a.yaml", name: "n", range: SourceRange(file: "a.yaml", line: 1, column: 1),
          tags: [], seed: 1)))
    for (ordinal, host) in [(1, "n1.test"), (2, "n2.test")] {
      add(
        .processBorn(ProcessBirth(ordinal: ordinal, parent: nil, program: "etcd", host: host)),
        process: Int32(ordinal))
    }
    add(
      .processBorn(ProcessBirth(ordinal: 3, parent: 2, program: "worker", host: "n2.test")),
      process: 3)
    add(.processBorn(ProcessBirth(ordinal: 4, parent: nil, program: "client")), process: 4)
    add(
      .partitionChanged(
        PartitionDescription(name: "cable", groups: [["n1.test"], ["n2.test"]])))
    for (index, state) in states.enumerated() {
      add(
        .hostConnection(
          HostConnectionDescription(
            number: index + 1, from: "n1.test", to: "n2.test", port: 2380, processOrdinal: 1,
            began: .seconds(5), state: state, error: state == .failed ? "ECONNREFUSED" : nil)),
        process: 1)
    }
    if isHealed { add(.partitionChanged(PartitionDescription(name: nil, groups: nil))) }
    add(
      .requestReceived(
        RequestDescription(
          method: "GET", url: "http://api.test/", operation: nil, status: 200, entry: nil,
          time: .seconds(20))), process: 1)
    now = 30
    add(
      .caseFinished(
        CaseResult(
          outcome: .passed, duration: .seconds(1), virtualDuration: .seconds(30),
          standardOutput: "", standardError: "", directory: nil)))
    run.end()
    return run
  }

  @Test("Processes stand below their hosts, and arrows lead from who asks to who is asked")
  func lanes() throws {
    let look = try BrowserPage(
      Self.run(states: [.pending, .established, .failed, .closed])
    ).look([
      "key:Enter",
      "eval:[...document.querySelectorAll('.lane')].map((each) => each.dataset.depth + each.firstChild.data).join(' ')",
      Self.labels("conn"),
      "eval:[...document.querySelectorAll('.arrow')].map((each) => each.getAttribute('class')).sort().join('|')",
      Self.labels("cut"), Self.labels("heal"),
      "eval:document.querySelectorAll('rect.cut').length",
      // A connection is chosen as every event is, and found.
      "click:.mark[data-kind=conn]:nth-of-type(1)",
      "key:/", "type:ECONNREFUSED", "key:Enter", Self.texts(".event td"), "axe:",
    ])

    #expect(
      look.results[0] == "\"0client 0n1.test 1etcd 0n2.test 1etcd 2worker 0network 0api.test\"",
      "\(look.results)")
    #expect(
      look.results[1].contains("connection: n1.test → n2.test:2380 connected, at 8 s")
        && look.results[1].contains("n2.test:2380 has no answer yet")
        && look.results[1].contains("n2.test:2380 failed: ECONNREFUSED")
        && look.results[1].contains("n2.test:2380 closed"), "\(look.results)")
    // The end of a connection has none; the request elsewhere has one.
    #expect(look.results[2] == "\"arrow|arrow|arrow bad|arrow waiting\"", "\(look.results)")
    #expect(look.results[3].contains("partition: cable: n1.test | n2.test"), "\(look.results)")
    #expect(look.results[4].contains("all partitions are healed"), "\(look.results)")
    #expect(look.results[5] == "2")
    #expect(look.results[6].contains("n1.test → n2.test:2380 failed: ECONNREFUSED"))
    #expect(look.results[7] == "[]")
    #expect(look.problems == [])
  }

  @Test("A cut that nobody mends reaches to the end")
  func unhealed() throws {
    let width = "eval:Math.round(document.querySelector('rect.cut').getBoundingClientRect().width)"
    let healed = try BrowserPage(Self.run(states: [.closed])).look(["key:Enter", width])
    let lasting = try BrowserPage(Self.run(states: [.closed], isHealed: false)).look([
      "key:Enter", width,
    ])

    #expect(
      (Int(lasting.results[0]) ?? 0) > (Int(healed.results[0]) ?? 10_000) + 50,
      "\(lasting.results) \(healed.results)")
  }

  /// A run of a case whose request has messages.
  private static func conversation(_ messages: [(isSent: Bool, text: String)]) -> SampleRun {
    var run = SampleRun()
    run.append(
      .caseStarted(
        CaseDescription(
          file: "a.yaml", name: "n", range: SourceRange(file: "a.yaml", line: 1, column: 1),
          tags: [], seed: 1)), scenario: "c")
    run.append(
      .processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "chat")), scenario: "c",
      process: 7)
    var request = RequestDescription(
      method: "GET", url: "ws://chat.test/", operation: nil, status: 101, entry: nil, time: .zero)
    request.number = 1
    run.append(.requestReceived(request), scenario: "c", process: 7)
    for (index, message) in messages.enumerated() {
      run.append(
        .message(
          MessageDescription(
            request: 1, isFromTarget: message.isSent, text: message.text, isBase64: false,
            byteCount: message.text.utf8.count, time: .seconds(Int64(index + 1)))),
        scenario: "c")
    }
    run.append(
      .caseFinished(
        CaseResult(
          outcome: .passed, duration: .seconds(1), virtualDuration: .seconds(30),
          standardOutput: "", standardError: "", directory: nil)), scenario: "c")
    run.end()
    return run
  }

  @Test(
    "Messages stand with their request, with direction and time, tied to the timeline both ways")
  func messages() throws {
    let long = String(repeating: "x", count: 1_200) + "needle"
    let look = try BrowserPage(
      Self.conversation([(true, "hello"), (false, "welcome <b>you</b>"), (false, long)])
    ).look([
      "key:Enter", "click:.request-head", Self.texts(".utterance .when"),
      Self.texts(".utterance .who"),
      "eval:document.querySelector('.utterance:nth-child(2) pre').textContent",
      Self.labels("msg"), "click:.utterance:nth-child(2) button", Self.texts(".event td"),
      Self.texts(".utterance.chosen pre"),
      // What stands behind the beginning that an event tells is found.
      "key:/", "type:needle", "key:Enter", Self.texts(".finder [role=status]"),
      "eval:document.querySelector('.utterance.chosen pre').textContent.endsWith('needle')",
      "eval:document.querySelector('.lane').textContent", "axe:",
    ])

    #expect(look.results[0] == "\"+1 s|+2 s|+3 s\"", "\(look.results)")
    #expect(look.results[1] == "\"→ sent|← received|← received\"")
    #expect(look.results[2] == "\"welcome <b>you</b>\"")
    #expect(look.results[3].contains("message: sent 5 bytes: hello, at 1 s"), "\(look.results)")
    #expect(look.results[4].contains("received 18 bytes: welcome <b>you</b>"))
    #expect(look.results[5] == "\"welcome <b>you</b>\"")
    #expect(look.results[6] == "\"1 of 1 place\"", "\(look.results)")
    #expect(look.results[7] == "true")
    #expect(look.results[8].contains("chat"))
    #expect(look.results[9] == "[]")
    #expect(look.problems == [])
  }

  @Test("A hundred messages are shown at first, and more when they are asked for")
  func manyMessages() throws {
    let count = "eval:document.querySelectorAll('.utterance').length"
    let look = try BrowserPage(
      Self.conversation((1...450).map { ($0 % 2 == 0, "message \($0)") })
    ).look(["key:Enter", "click:.request-head", count, "click:.conversation + button", count])

    #expect(look.results == ["100", "450"])
  }
}
