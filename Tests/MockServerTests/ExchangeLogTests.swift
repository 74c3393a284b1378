import Foundations
import MockEngine
import Patterns
import ScenarioModel
import ScenarioPlan
import Testing

@testable import MockServer

/// What the log keeps of requests and their answers.
struct ExchangeLogTests {
  private func log(_ responses: [PlannedResponse] = []) -> ExchangeLog {
    ExchangeLog(
      network: PlannedNetwork(unused: .ignore, responses: responses),
      scope: CaseScope(directory: "/case", captures: CapturedValues()))
  }

  private func request(_ number: Int) -> RecordedRequest {
    RecordedRequest(
      number: number, method: "GET", url: "http://api.test/n", headers: [], body: [],
      bodyLength: 0, operation: nil, entry: nil, status: 0, time: .zero, delay: .zero)
  }

  private func message(of length: Int) -> RecordedMessage {
    RecordedMessage(
      request: 1, isFromClient: true, isText: false, bytes: [UInt8](repeating: 0, count: length),
      length: length, time: .zero)
  }

  @Test("Requests are numbered from 1 in the order in which they come")
  func numbers() {
    let log = log()

    let records = (0..<3).map { _ in log.append(request) }

    #expect(records.map(\.number) == [1, 2, 3])
    #expect(log.requests().map(\.number) == [1, 2, 3])
  }

  @Test("A status or a body that comes later is that of its request, and of no other")
  func later() {
    let log = log()
    for _ in 0..<2 { _ = log.append(request) }
    let kept = RecordedRequest.maximumKeptBody

    let changed = log.setStatus(204, ofRequest: 2)
    log.setBody([UInt8](repeating: 1, count: kept + 1), length: kept + 1, ofRequest: 1)

    #expect(changed?.status == 204)
    #expect(log.setStatus(204, ofRequest: 3) == nil)
    #expect(log.setStatus(204, ofRequest: 0) == nil)
    #expect(log.requests().map(\.status) == [0, 204])
    #expect(log.requests().map(\.body.count) == [RecordedRequest.maximumShownBody, 0])
    #expect(log.requests().map(\.bodyLength) == [kept + 1, 0])
    #expect(log.requests().map { $0.bodyDigest?.count } == [64, nil])
  }

  @Test("Bodies are kept whole as long as there is room for all, and then their beginnings")
  func bodies() {
    let log = log()
    let size = RecordedRequest.maximumKeptBody
    let body = [UInt8](repeating: 1, count: size)
    let count = ExchangeLog.maximumBodyBytes / size

    for _ in 0...count { _ = log.append(request) }
    for number in 1...(count + 1) { log.setBody(body, length: size, ofRequest: number) }

    let requests = log.requests()
    #expect(requests.prefix(count).allSatisfy { $0.body.count == size && $0.bodyDigest == nil })
    #expect(requests.last?.body.count == RecordedRequest.maximumShownBody)
    #expect(requests.last?.bodyDigest?.count == 64)
  }

  @Test("No more messages are kept than there is room for")
  func messages() {
    let many = log()
    let large = log()

    for _ in 0...ExchangeLog.maximumMessages { many.append(message(of: 0)) }
    for _ in 0..<3 { large.append(message(of: ExchangeLog.maximumMessageBytes / 2)) }

    #expect(many.messages().count == ExchangeLog.maximumMessages)
    #expect(large.messages().count == 2)
  }

  @Test(
    "Exchanges with real hosts keep the order of their requests, without those that have no end")
  func exchanges() throws {
    let log = log()
    let places = (0..<3).map { _ in log.openExchange() }
    func exchange(_ path: String) throws -> RecordedExchange {
      RecordedExchange(
        method: "GET",
        target: try RequestTarget(scheme: "http", authority: "api.test", target: path),
        headers: [], body: [], outcome: .fault(.reset))
    }

    log.closeExchange(try exchange("/2"), at: places[2])
    log.closeExchange(try exchange("/0"), at: places[0])

    #expect(log.exchanges().map(\.target.path) == ["/0", "/2"])
  }

  @Test("A host that cannot be reached is reported once for each way in which it fails")
  func unreachable() {
    let log = log()

    #expect(log.recordUnreachable("a:80", .refuse, isRecorded: true))
    #expect(!log.recordUnreachable("a:80", .refuse, isRecorded: true))
    #expect(log.recordUnreachable("a:80", .unreachable, isRecorded: true))
    #expect(log.recordUnreachable("b:80", .refuse, isRecorded: false))
    #expect(log.unreachable() == ["a:80": .unreachable])
  }

  @Test("A stub that nobody asked for is reported with the request that came nearest")
  func unused() throws {
    let log = log([.entry("GET", "/n", replies: [.text("x")])])
    _ = log.append { number in
      var record = request(number)
      record.url = "http://api.test/m"
      return record
    }

    let unused = log.unused()

    #expect(unused.count == 1)
    #expect(unused.first?.nearest != nil)
  }
}

/// Which side of a faulty link has to wait.
struct BackPressureTests {
  private let limit = 1 << 20

  @Test("A client is read as long as the link holds little, and again once it does")
  func reading() {
    var pressure = BackPressure()

    let steps = [
      pressure.mayRead(held: limit - 1), pressure.takesPostponedRead(held: 0),
      pressure.mayRead(held: limit), pressure.takesPostponedRead(held: limit),
      pressure.takesPostponedRead(held: limit - 1), pressure.takesPostponedRead(held: 0),
    ]

    #expect(steps == [true, false, false, false, true, false])
  }

  @Test("A link that was full takes more once it has half of its room again")
  func writing() {
    var pressure = BackPressure()

    let steps = [0, limit, limit / 2, limit / 2 - 1, 0].map {
      pressure.becomesWritable(held: $0)
    }

    #expect(steps == [false, false, false, true, false])
  }
}
