import FoundationEssentials
import Glibc
import Testing

@Suite("The timeline of a real run, in a browser and as a trace", .serialized)
struct TimelineTests {
  /// Processes, sleeps, a delayed reply, a fault, a clock that is set, output on both streams.
  private static func scenario(expecting output: String = "end") -> String {
    """
    version: 2
    name: a world with everything
    clock: { at: 2030-01-01T00:00:00Z, flow: auto, settable: true }
    target:
      command:
        - bash
        - -c
        - |
          echo begin
          (sleep 1800; exit 3) &
          curl -s http://api.example.com/slow
          sort -o sorted lines
          date -u -s '2031-05-06 07:08:09' > set
          sleep 3600
          wait
          echo end >&2
      files: { lines: "b\\na\\n" }
    responses:
      - GET http://api.example.com/slow: { text: late, after: 5s }
    chaos:
      - { name: disk full, call: "@write", where: { path: sorted }, provide: { error: ENOSPC } }
    steps:
      - run:
        name: all of it
        expect: { stderr: { contains: "\(output)" } }
    """
  }

  private static func run(
    _ text: String, _ report: String
  ) throws -> (folder: TemporaryFolder, outcome: BuiltRunner.Outcome) {
    let folder = try TemporaryFolder()
    let path = folder.write(text, to: "world.yaml")
    let outcome = try BuiltRunner.run(["run", path, "--report", "\(report)=\(folder.path)/report"])
    return (folder, outcome)
  }

  private static func look(_ folder: TemporaryFolder, _ steps: [String]) throws -> [Substring] {
    rename("\(folder.path)/report", "\(folder.path)/report.html")
    let outcome = try BuiltRunner.command(
      ["python3", "\(BuiltRunner.root)/Tests/Browser/look.py", "\(folder.path)/report.html"] + steps
    )
    try #require(outcome.exitCode == 0, "\(outcome.text)")
    return outcome.output.split(separator: "\n")
  }

  @Test("Lanes, waits, requests, faults and output stand where they were")
  func world() throws {
    let (folder, outcome) = try Self.run(Self.scenario(), "html")
    outcome.expectExit(0)
    let marks = { (kind: String) in
      "eval:[...document.querySelectorAll('[data-kind=\(kind)]')].map((each) => each.getAttribute('aria-label')).sort().join('|')"
    }

    let lines = try Self.look(
      folder,
      [
        "key:Enter",
        "eval:[...document.querySelectorAll('.lane')].map((each) => each.dataset.depth + each.firstChild.data).join(' ')",
        marks("wait"), marks("req"), marks("fault"), marks("set"), marks("out"), marks("end"),
        "eval:document.querySelector('.step').textContent",
        "click:.tools button:nth-child(2)", marks("wait"), "key:t", "key:ArrowRight",
        "eval:document.querySelector('.event').textContent.includes('program')",
        "eval:document.querySelector('.mark.selected').id === document.querySelector('.canvas').getAttribute('aria-activedescendant')",
      ])

    #expect(
      lines[0] == "\"0bash 1sleep 1curl 1sort 1date 1sleep 0output\""
        || lines[0].hasPrefix("\"0bash 1bash 2sleep") || lines[0].hasPrefix("\"0bash 1"), "\(lines)"
    )
    #expect(lines[0].contains("curl") && lines[0].contains("sort"), "\(lines[0])")
    #expect(lines[1].contains("clock_nanosleep for 30 m, at "), "\(lines[1])")
    #expect(lines[1].contains("clock_nanosleep for 1 h, at 5 s"), "\(lines[1])")
    #expect(
      lines[2].contains("GET http://api.example.com/slow → 200 after 5 s, at 0"), "\(lines[2])")
    #expect(lines[3].contains("ENOSPC in "), "\(lines[3])")
    #expect(lines[4].contains("wall clock on by "), "\(lines[4])")
    #expect(lines[5].contains("stderr") && lines[5].contains("begin, at 0"), "\(lines[5])")
    #expect(lines[6].contains("exit code 3, at 30 m"), "\(lines[6])")
    #expect(lines[7].contains("all of it"), "\(lines[7])")
    // Beside the real clock an hour is nothing, and its marks stand elsewhere.
    #expect(lines[8].contains("clock_nanosleep for 1 h, at ") && lines[8] != lines[1])
    #expect(lines[9] == "true" && lines[10] == "true")
    #expect(lines.last?.contains("\"problems\": []") ?? false, "\(lines)")
  }

  @Test("A scenario that fails shows where, and one without processes has no lanes for them")
  func twin() throws {
    let (folder, outcome) = try Self.run(Self.scenario(expecting: "never"), "html")
    outcome.expectExit(1)
    let lines = try Self.look(
      folder,
      [
        "eval:document.querySelector('h1').textContent", "key:Enter",
        "eval:document.querySelector('.caret').textContent.includes('^')",
        "eval:document.querySelectorAll('[data-kind=fail]').length",
        "eval:document.querySelector('.circumstances p').textContent",
        "eval:document.querySelector('.circumstances pre').textContent",
      ])
    #expect(lines.prefix(3) == ["\"1 of 1 scenario failed\"", "true", "1"], "\(lines)")
    #expect(lines[3].hasPrefix("\"failed after: 1h5s virtual (20"), "\(lines)")
    #expect(lines[4].contains("last events:\\n") && lines[4].contains("[1] bash"), "\(lines)")
    #expect(lines[4].contains("time +30m5s, in clock_nanosleep"), "\(lines)")

    let (skipped, _) = try Self.run(
      "version: 2\ntarget: { command: [true] }\nskip: later\n", "html")
    let none = try Self.look(
      skipped, ["key:Enter", "eval:document.querySelectorAll('.lane').length"])
    #expect(none.first == "0", "\(none)")
  }

  @Test("What is written on a timeline can be read, in both colours", arguments: [[], ["--dark"]])
  func colours(options: [String]) throws {
    let (folder, _) = try Self.run(Self.scenario(), "html")
    let check = try #require(
      TemporaryFolder.read("\(BuiltRunner.root)/Tests/Browser/contrast.js").map { "eval:\($0)" })
    let lines = try Self.look(
      folder,
      options + [
        "key:Enter", "key:t", "key:ArrowRight",
        "eval:document.querySelectorAll('.tick').length > 2",
        check, "eval:document.documentElement.style.setProperty('--ink', '#777')", check,
      ])

    #expect(lines.first == "true")
    #expect(lines[1] == "[]", "\(lines[1])")
    #expect(lines[3] != "[]")
  }

  @Test("The trace holds the same world on two clocks")
  func trace() throws {
    struct Trace: Codable {
      struct Entry: Codable {
        struct Arguments: Codable { var name: String? }
        var ph: String
        var name: String
        var pid: Int
        var cat: String?
        var dur: Double?
        var args: Arguments?
      }
      var traceEvents: [Entry]
    }
    let (folder, _) = try Self.run(Self.scenario(), "trace")
    let text = try #require(TemporaryFolder.read("\(folder.path)/report"))
    let entries = try JSONDecoder().decode(Trace.self, from: Data(text.utf8)).traceEvents

    let waits = entries.filter { $0.cat == "wait" && $0.name == "clock_nanosleep" }
    #expect(Set(waits.map(\.pid)).count == 2)
    let hours = waits.filter { $0.dur == 3_600_000_000 }
    #expect(hours.count == 1, "\(waits)")
    #expect(waits.filter { $0.pid != hours.first?.pid }.allSatisfy { ($0.dur ?? 0) < 600_000_000 })
    #expect(entries.contains { $0.cat == "fault" && $0.name.hasPrefix("ENOSPC") })
    #expect(entries.contains { $0.ph == "M" && $0.args?.name?.hasPrefix("curl #") ?? false })
  }

  @Test("The timeline is told to whoever asks for it, and to nobody else")
  func asked() throws {
    let (folder, _) = try Self.run(Self.scenario(), "jsonl")
    let told = try #require(TemporaryFolder.read("\(folder.path)/report"))

    #expect(told.contains("\"event\":\"waited\"") && told.contains("\"elapsed\":"))
    let (other, _) = try Self.run(Self.scenario(), "har")
    #expect(!(TemporaryFolder.read("\(other.path)/report")?.contains("waited") ?? true))
  }
}
