import Foundations
import ScenarioEvents

extension SampleRun {
  /// A run of a case with processes, a request, output and a fault, which fails, and of one that passes.
  ///
  /// - Parameters:
  ///   - body: the body of the reply.
  ///   - isAnswered: whether an entry has answered the request.
  static func traced(
    method: String = "GET", body: String = "[{\"title\":\"TAPL\"}]",
    type: String = "application/json", isAnswered: Bool = true
  ) -> SampleRun {
    var run = SampleRun(caseCount: 2)
    run.addTraced(method: method, body: body, type: type, isAnswered: isAnswered)
    run.addCase("passes", file: "scenarios/other.yaml", output: "nothing to see", index: 1)
    run.end()
    return run
  }

  private mutating func addTraced(
    method: String, body: String, type: String, isAnswered: Bool
  ) {
    func add(_ kind: Event.Kind, at seconds: Int64, process: Int32? = nil) -> Event {
      var event = Event(
        realTime: .milliseconds(seconds * 10), scenario: "shop", process: process, kind: kind)
      event.elapsed = .seconds(seconds)
      return event
    }
    let range = SourceRange(file: "scenarios/shop.yaml", line: 3, column: 5)
    var request = RequestDescription(
      method: method, url: "http://shop.test/books?q={a}", operation: nil, status: 200,
      entry: "GET /books", time: .seconds(1))
    request.number = 1
    request.delay = .seconds(3)
    var exchange = ExchangeDescription.sample(body: body)
    exchange.number = 1
    exchange.method = method
    exchange.url = request.url
    exchange.status = 200
    exchange.request.headers.append(.init(name: "Authorization", value: "Bearer it's"))
    exchange.response.headers = [.init(name: "content-type", value: type)]
    if !isAnswered {
      exchange.response.headers.append(.init(name: "x-scenario", value: "unmatched"))
    }
    let fault = FaultDescription(
      entry: "disk full", occurrence: 1, action: "ENOSPC", systemCall: "write", subject: "log",
      result: nil, error: "ENOSPC", processOrdinal: 1, threadOrdinal: 1)
    var failure = Failure.wrongOutput
    failure.range = SourceRange(file: "scenarios/shop.yaml", line: 9, column: 5)
    failure.details = [" first", "-third", "+second", "clients that gave up:"]
    failure.comparison = TextComparison(expected: "first\nthird", actual: "first\nsecond")
    func output(_ text: String, _ stream: String, process: Int? = nil) -> Event.Kind {
      .outputWritten(
        OutputPiece(
          stream: stream, text: text, byteCount: text.utf8.count, processOrdinal: process))
    }
    var result = CaseResult(
      outcome: .failed, duration: .milliseconds(60), virtualDuration: .seconds(6),
      standardOutput: "first\nsecond\n", standardError: "oops\n", directory: nil)
    result.isRetried = false
    let events = [
      add(
        .caseStarted(
          CaseDescription(
            file: "scenarios/shop.yaml", name: "buys a book", range: range, tags: [], seed: 1)),
        at: 0),
      add(.stepStarted(index: 1, name: "buy", range: range), at: 0),
      add(.processBorn(ProcessBirth(ordinal: 1, parent: nil, program: "sh")), at: 0, process: 50),
      add(.processStarted(arguments: ["sh", "-c", "buy"]), at: 0, process: 50),
      add(.processBorn(ProcessBirth(ordinal: 2, parent: 1, program: "sh")), at: 1, process: 51),
      add(.processStarted(arguments: ["curl", request.url]), at: 1, process: 51),
      add(.requestReceived(request), at: 1, process: 51),
      add(.exchanged(exchange), at: 1),
      add(output("first\n", "stdout", process: 1), at: 2),
      add(output("oops\n", "stderr", process: 2), at: 3),
      add(.faultInjected(fault), at: 4),
      add(output("second\n", "stdout", process: 1), at: 5),
      add(.failed(failure), at: 6),
      add(.caseFinished(result), at: 6),
    ]
    for event in events { append(event) }
  }
}
