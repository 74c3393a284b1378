import FoundationEssentials
import Foundations
import ScenarioEvents
import Testing

@testable import ScenarioReport

@Suite("Requests on the HTML report")
struct PageExchangesTests {
  struct Exchange: Codable {
    struct Message: Codable {
      var h: [[String]]
      var b: String?
      var e: Bool?
      var l: Int
      var x: Bool?
    }
    var n: Int?
    var m: String
    var u: String
    var s: Int
    var d: Int64?
    var q: Message
    var a: Message
  }

  private func exchanges(
    _ list: [ExchangeDescription], hasPassed: Bool = false
  ) throws -> [Exchange] {
    var page = PageExchanges()
    for each in list { page.add(each) }
    guard let json = page.json(hasPassed: hasPassed) else { return [] }
    return try JSONDecoder().decode([Exchange].self, from: Data(json.utf8))
  }

  @Test("Each comes with its number, headers and bodies, and the delay of its reply")
  func all() throws {
    let list = try exchanges([.sample(body: "{\"a\":1}")])

    #expect(list.map(\.n) == [7])
    #expect(list.map(\.s) == [201])
    #expect(list.map(\.d) == [3_000_000_000])
    #expect(list.first?.q.h == [["Accept", "*/*"]])
    #expect(list.first?.a.b == "{\"a\":1}")
    #expect(list.first?.a.x == nil)
    #expect(try exchanges([]).isEmpty)
  }

  @Test("A body is kept as far as its bound, and says that it is cut")
  func bounded() throws {
    let body = String(repeating: "x", count: 1 << 20)
    let message = try #require(try exchanges([.sample(body: body)]).first?.a)

    #expect(message.b?.utf8.count == PageExchanges.bodyLimit)
    #expect(message.x == true)
    #expect(message.l == 1 << 20)
  }

  @Test("A text that is shorter because a secret was taken out of it is not cut")
  func redacted() throws {
    var exchange = ExchangeDescription.sample(body: "***")
    exchange.response.bodyLength = 40

    #expect(try exchanges([exchange]).first?.a.x == nil)
  }

  @Test("All together are bounded, more so where the case has passed")
  func budget() throws {
    let many = (0..<200).map { _ in
      ExchangeDescription.sample(body: String(repeating: "x", count: 50_000))
    }
    let failed = try exchanges(many)
    let passed = try exchanges(many, hasPassed: true)

    #expect(failed.count > passed.count)
    #expect(passed.count == 6)
    #expect(failed.count == 42)
  }
}

extension ExchangeDescription {
  /// A request that is answered with a body.
  static func sample(body: String) -> ExchangeDescription {
    var exchange = ExchangeDescription(
      method: "POST", url: "http://shop.test/orders",
      request: Message(
        headers: [Header(name: "Accept", value: "*/*")], body: "", isBase64: false, bodyLength: 0),
      status: 201,
      response: Message(
        headers: [Header(name: "content-type", value: "application/json")], body: body,
        isBase64: false, bodyLength: body.utf8.count),
      startedAt: WallInstant(seconds: 0), delay: .seconds(3))
    exchange.number = 7
    return exchange
  }
}
