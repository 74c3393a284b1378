import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

@Suite("The time that replies tell")
struct ReplyTimeTests {
  private static let nine = "2026-03-01T09:00:00Z"

  /// The first reply of a case with one entry, whose JSON is given.
  private func reply(
    _ json: String, clock: String = "{ at: \(nine) }", more: String = ""
  ) throws -> PlannedData {
    let planned = try Samples.onlyCase(
      """
      target: { command: [./program] }
      clock: \(clock)
      responses: [ { GET https://h/a: { json: \(json) } } ]
      \(more)
      """)
    guard case .json(let data)? = planned.network?.responses.first?.replies.first?.body else {
      Issue.record("no JSON")
      return .value(.null)
    }
    return data
  }

  private func told(_ data: PlannedData, at instant: String) throws -> String {
    var request = IncomingRequest(
      method: "GET", target: try RequestTarget(scheme: "https", authority: "h", target: "/a"),
      headers: [], body: [])
    request.instant = try WallInstant(text: instant)
    let scope = RequestScope(
      request: request, captures: [:], base: CaseScope(directory: "/case"))
    return try data.resolve(in: scope).jsonText()
  }

  @Test(
    "Everything that is seen from the present is seen from the request's instant",
    arguments: [
      ("'${{ clock.now }}'", #""2026-03-01T11:30:00Z""#), ("'${{ clock.unix }}'", "1772364600"),
      ("'${{ clock.today }}'", #""2026-03-01""#),
      ("\"at ${{ clock.unix + 1 }}\"", #""at 1772364601""#),
      ("\"${{ add_time(clock.now, '1h') }}\"", #""2026-03-01T12:30:00Z""#),
      ("\"${{ format_time(clock.now, '%H:%M') }}\"", #""11:30""#),
      ("{ $time: +0s }", #""2026-03-01T11:30:00Z""#),
      ("{ $time: -90m }", #""2026-03-01T10:00:00Z""#),
      ("{ $time: tomorrow 09:00:05.5 }", #""2026-03-02T09:00:05.5Z""#),
      ("{ $time: 2020-01-01 }", #""2020-01-01T00:00:00Z""#),
      (
        "{ a: [ { $json: { now: '${{ clock.now }}' } } ] }",
        #"{"a":["{\"now\":\"2026-03-01T11:30:00Z\"}"]}"#
      ),
      ("{ $list: { count: 2, of: '${{ clock.unix }}' } }", "[1772364600,1772364600]"),
    ])
  func forms(json: String, expected: String) throws {
    let data = try reply(json)

    #expect(try told(data, at: "2026-03-01T11:30:00Z") == expected)
  }

  @Test("A second reply of the same entry tells its own time")
  func second() throws {
    let data = try reply("'${{ clock.now }}'")

    #expect(try told(data, at: Self.nine) == "\"\(Self.nine)\"")
    #expect(try told(data, at: "2026-03-01T10:00:00Z") == #""2026-03-01T10:00:00Z""#)
  }

  @Test(
    "A random instant lies as far from the request as from any other, and depends on the seed alone"
  )
  func random() throws {
    let data = try reply("{ $time: { from: -1d, to: +1d } }")
    func seconds(_ instant: String) throws -> Int64 {
      let text = try told(data, at: instant).dropFirst().dropLast()
      return try WallInstant(text: String(text)).seconds
    }

    let first = try seconds(Self.nine)
    #expect(try seconds("2026-03-01T10:00:00Z") == first + 3_600)
    #expect(try seconds(Self.nine) == first)
    let backwards = try Samples.errors(
      """
      target: { command: [./program] }
      responses: [ { GET https://h/a: { json: { $time: { from: +1d, to: -1d } } } } ]
      """)
    #expect(backwards.map(\.code) == [.badRange])
  }

  @Test("An object that the reply itself builds is of its time, one of \"build\" of the beginning")
  func objects() throws {
    let factories = """
      factories:
        token:
          fields: { exp: "${{ add_time(clock.now, '1h') }}", iat: { $time: +0s } }
          after_build: [ { assert: "${{ exp > iat }}" } ]
      build: { old: { $build: token } }
      """
    let inline = try reply("{ $build: token }", more: factories)
    let named = try reply("'${{ build.old.exp }}'", more: factories)

    #expect(
      try told(inline, at: "2026-03-01T11:30:00Z")
        == #"{"exp":"2026-03-01T12:30:00Z","iat":"2026-03-01T11:30:00Z"}"#)
    #expect(try told(named, at: "2026-03-01T11:30:00Z") == #""2026-03-01T10:00:00Z""#)
  }

  @Test("What an object asserts is looked at before the run, with the time of the beginning")
  func assertion() throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      clock: { at: \(Self.nine) }
      factories:
        token:
          fields: { exp: "${{ add_time(clock.now, '-1h') }}" }
          after_build: [ { assert: "${{ exp > clock.now }}" } ]
      responses: [ { GET https://h/a: { json: { $build: token } } } ]
      """)

    #expect(errors.map(\.code) == [.failedAssertion])
  }

  @Test(
    "A reply knows the time also where the scenario does not say when it begins; data before does not"
  )
  func withoutBeginning() throws {
    let data = try reply("'${{ clock.now }}'", clock: "{ flow: auto }")

    #expect(try told(data, at: Self.nine) == "\"\(Self.nine)\"")
    let errors = try Samples.errors(
      """
      target: { command: [./program], stdin: "${{ clock.now }}" }
      responses: [ { GET https://h/a: { text: "${{ clock.now }}" } } ]
      """)
    #expect(errors.map(\.message) == ["the scenario does not set the time at which it starts"])
  }

  @Test("A name that the clock does not have is found before the run, in replies as everywhere")
  func unknownName() throws {
    let errors = try Samples.errors(
      """
      target: { command: [./program] }
      responses: [ { GET https://h/a: { text: "${{ clock.nwo }}" } } ]
      """)

    #expect(errors.map(\.code) == [.unknownMember])
  }

  @Test("An instant seen from the present reads back as it is written for the run")
  func textForms() throws {
    for text in ["+0s", "-90m", "+1h30m0.25s", "tomorrow 09:00:00", "monday 23:59:59.000000001"] {
      let instant = try InstantExpression(text: text)
      #expect(try InstantExpression(text: instant.text) == instant)
    }
  }
}
