import FoundationEssentials
import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("The trace that chrome://tracing and Perfetto open")
struct TraceRecorderTests {
  /// The format as far as both of them ask for it.
  struct Trace: Codable {
    struct Entry: Codable {
      struct Arguments: Codable {
        var name: String?
      }

      var ph: String
      var name: String
      var pid: Int
      var tid: Int
      var ts: Double?
      var dur: Double?
      var id: Int?
      var s: String?
      var cat: String?
      var args: Arguments?
    }

    var displayTimeUnit: String
    var traceEvents: [Entry]

    /// What is wrong with it.
    var problems: [String] {
      var problems: [String] = []
      for entry in traceEvents {
        switch entry.ph {
        case "X" where entry.ts == nil || (entry.dur ?? -1) < 0:
          problems.append("\(entry): no span")
        case "i" where entry.ts == nil || entry.s != "t": problems.append("\(entry): no moment")
        case "b", "e":
          if entry.id == nil || entry.cat == nil || entry.ts == nil {
            problems.append("\(entry): not joined")
          }
        case "M" where entry.args?.name == nil && entry.name != "process_sort_index":
          problems.append("\(entry): names nothing")
        case "X", "i", "M": break
        default: problems.append("\(entry): unknown")
        }
      }
      return problems + unjoined + overlapping
    }

    /// Beginnings without ends, and the other way round.
    private var unjoined: [String] {
      let joined = traceEvents.filter { $0.ph == "b" || $0.ph == "e" }
      let keys = Set(joined.map { "\($0.pid) \($0.id ?? 0)" })
      return keys.filter { key in
        joined.filter { "\($0.pid) \($0.id ?? 0)" == key }.map(\.ph) != ["b", "e"]
      }
    }

    /// Spans of one row that overlap without one holding the other: neither viewer can draw them.
    private var overlapping: [String] {
      let spans = traceEvents.filter { $0.ph == "X" }
      var problems: [String] = []
      for (index, one) in spans.enumerated() {
        for other in spans[(index + 1)...] where one.pid == other.pid && one.tid == other.tid {
          let (first, second) = (one.ts ?? 0) <= (other.ts ?? 0) ? (one, other) : (other, one)
          let firstEnd = (first.ts ?? 0) + (first.dur ?? 0)
          let secondEnd = (second.ts ?? 0) + (second.dur ?? 0)
          let isNested = secondEnd <= firstEnd + 0.01 || first.ts == second.ts
          if (second.ts ?? 0) < firstEnd - 0.01, !isNested {
            problems.append("\(first) and \(second) overlap")
          }
        }
      }
      return problems
    }
  }

  private func trace(_ events: [Event]) throws -> Trace {
    let sink = CollectingSink()
    let recorder = TraceRecorder(sink: sink)
    for event in events { recorder.record(event) }
    try recorder.finish()
    #expect(sink.isFinished)
    return try JSONDecoder().decode(Trace.self, from: Data(sink.text.utf8))
  }

  private static let range = SourceRange(file: "a.yaml", line: 1, column: 1)

  private static func event(
    _ kind: Event.Kind, real: Int64, virtual: Int64, process: Int32? = nil
  ) -> Event {
    var event = Event(
      realTime: .milliseconds(real), scenario: "a.yaml::n", process: process, kind: kind)
    event.elapsed = .seconds(virtual)
    return event
  }

  private static var world: [Event] {
    let request = RequestDescription(
      method: "GET", url: "http://a/", operation: nil, status: 200, entry: "e", time: .seconds(3))
    var delayed = request
    delayed.delay = .seconds(2)
    return [
      event(
        .caseStarted(
          CaseDescription(file: "a.yaml", name: "n", range: range, tags: [], seed: 1, index: 4)),
        real: 10, virtual: 0),
      event(.stepStarted(index: 1, name: "run", range: range), real: 10, virtual: 0),
      event(
        .processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")), real: 11, virtual: 0,
        process: 50),
      event(.processStarted(arguments: ["/bin/sh"]), real: 12, virtual: 0, process: 50),
      event(
        .waited(
          WaitSpan(
            processOrdinal: 1, threadOrdinal: 1, systemCall: "poll", from: .zero,
            to: .seconds(3600),
            requested: .seconds(3600), realLength: .milliseconds(2), end: .due)), real: 15,
        virtual: 3600, process: 50),
      event(.requestReceived(delayed), real: 15, virtual: 3600, process: 50),
      event(
        .outputWritten(OutputPiece(stream: "stdout", text: "x", byteCount: 1)), real: 16,
        virtual: 3600),
      event(.processEnded(exitCode: 0, signal: nil), real: 17, virtual: 3600, process: 50),
      event(.stepFinished(index: 1, duration: .milliseconds(8)), real: 18, virtual: 3600),
      event(
        .caseFinished(
          CaseResult(
            outcome: .passed, duration: .milliseconds(8), virtualDuration: .seconds(3600),
            standardOutput: "", standardError: "", directory: nil)), real: 18, virtual: 3600),
    ]
  }

  @Test("Every entry has what its kind needs, and spans of a row nest")
  func shape() throws {
    let trace = try trace(Self.world)

    #expect(trace.problems == [])
    #expect(trace.displayTimeUnit == "ms")
  }

  @Test("A case stands there twice: an hour on its virtual time, milliseconds on the real one")
  func clocks() throws {
    let trace = try trace(Self.world)
    let names = Dictionary(
      grouping: trace.traceEvents.filter { $0.name == "process_name" }, by: \.pid)
    let waits = trace.traceEvents.filter { $0.cat == "wait" }

    #expect(names.count == 2)
    #expect(waits.count == 2)
    for wait in waits {
      let isVirtual = names[wait.pid]?.first?.args?.name == "n (virtual time)"
      #expect(wait.dur == (isVirtual ? 3_600_000_000 : 2_000))
      #expect(wait.ts == (isVirtual ? 0 : 13_000))
    }
    let replies = trace.traceEvents.filter { $0.cat == "request" && $0.ts == 3_000_000 }
    #expect(replies.map(\.ph) == ["b"])
    #expect(trace.traceEvents.contains { $0.ph == "e" && $0.ts == 5_000_000 })
  }

  @Test("What still goes on when the run is cut off is closed there")
  func cutOff() throws {
    let whole = try trace(Self.world)
    let cut = try trace(Array(Self.world.prefix(7)))

    #expect(cut.problems == [])
    #expect(cut.traceEvents.filter { $0.cat == "process" }.count == 2)
    #expect(whole.traceEvents.filter { $0.cat == "process" }.count == 2)
    #expect(cut.traceEvents.filter { $0.cat == "step" }.count == 2)
  }

  @Test("A run without cases gives a trace without entries")
  func empty() throws {
    #expect(try trace([]).traceEvents.isEmpty)
  }

  @Test("The checker of these tests finds what is wrong")
  func twin() throws {
    func entry(_ text: String) throws -> Trace {
      let json = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\(text)]}"
      return try JSONDecoder().decode(Trace.self, from: Data(json.utf8))
    }

    #expect(try !entry(#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":1}"#).problems.isEmpty)
    #expect(
      try !entry(#"{"ph":"b","name":"a","pid":1,"tid":1,"ts":1,"id":1,"cat":"c"}"#).problems.isEmpty
    )
    #expect(
      try !entry(
        #"{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":2},"#
          + #"{"ph":"X","name":"b","pid":1,"tid":1,"ts":1,"dur":2}"#
      ).problems.isEmpty)
  }
}
