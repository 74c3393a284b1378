import Foundations
@testable import MockEngine
@testable import Patterns
@testable import ScenarioPlan
import Testing

/// `xml:` on the bodies of requests.
@Suite("Requests with XML")
struct XMLRequestTests {
  private static let envelope = """
    <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:q="urn:quotes">
      <soap:Body><q:GetPrice><q:Item>Apples</q:Item></q:GetPrice></soap:Body>
    </soap:Envelope>
    """

  private func wanted(_ pattern: String) throws -> PlannedRequest {
    let planned = try Samples.onlyCase(
      "target: { command: [x] }\nresponses:\n  - request: { url: https://h/x, \(pattern) }\n    reply: { status: 204 }\n"
    )
    guard case .http(let wanted)? = planned.network?.responses.first?.match else { throw Failure() }
    return wanted
  }

  private struct Failure: Error {}

  private func verdict(
    _ pattern: String, _ body: [UInt8], _ headers: [(String, String)] = [], bodyLength: Int? = nil
  ) throws -> RequestVerdict {
    let request = IncomingRequest(
      method: "POST", target: try RequestTarget(scheme: "https", authority: "h", target: "/x"),
      headers: headers.map { .init(name: $0.0, value: $0.1) }, body: body, bodyLength: bodyLength)
    return RequestVerdict(
      try wanted(pattern), request, scope: CaseScope(directory: "/case"))
  }

  private func verdict(_ pattern: String, _ body: String = envelope) throws -> RequestVerdict {
    try verdict(pattern, Array(body.utf8))
  }

  @Test(
    "An envelope is matched by names, by bound prefixes, or as a whole",
    arguments: [
      ("xml: { //Envelope/Body/GetPrice/Item: Apples }", true), ("xml: { //Item: Pears }", false),
      ("xml: { //soap:Body/q:GetPrice: { exists: true } }", true),
      (
        "xml: { namespaces: { e: http://schemas.xmlsoap.org/soap/envelope/ }, //e:Body//Item: Apples }",
        true
      ),
      (
        "xml: { namespaces: { e: http://www.w3.org/2003/05/soap-envelope }, //e:Body//Item: Apples }",
        false
      ),
      ("xml: { //GetPrice: { absent: true } }", false),
      ("xml: { //Fault: { absent: true } }", true),
      (
        "xml: '<E:Envelope xmlns:E=\"http://schemas.xmlsoap.org/soap/envelope/\"><E:Body><GetPrice xmlns=\"urn:quotes\"><Item> Apples </Item></GetPrice></E:Body></E:Envelope>'",
        true
      ),
      ("xml: '<Envelope/>'", false), ("body: { xml: { //Item: Apples } }", true),
      ("body: { all_of: [{ xml: { //Item: Apples } }, { contains: soap }] }", true),
    ])
  func envelopes(pattern: String, holds: Bool) throws {
    let verdict = try verdict(pattern)
    #expect(verdict.holds == holds, "\(verdict.objections)")
  }

  @Test("Each path that is not met is told, with what is there")
  func objections() throws {
    let found = try verdict("xml: { //Item: Pears, //Itm: Pears, count(//Body): 1 }").objections
    #expect(found.first == "xml //Item: expected \"Pears\", got \"Apples\"", "\(found)")
    #expect(found.contains("  line 2: <q:Item>Apples</q:Item>"), "\(found)")
    #expect(
      found.contains { $0.hasPrefix("xml //Itm: expected ") && $0.contains("has no \"Itm\"") },
      "\(found)")
    #expect(found.contains("  help: did you mean \"Item\"?"), "\(found)")
    #expect(!found.contains { $0.contains("count(//Body)") }, "\(found)")
  }

  @Test("A body that is no XML is told where it goes wrong")
  func malformed() throws {
    #expect(
      try verdict("xml: { //a: 1 }", "<a>\n<b></a>").objections == [
        "xml: expected //a equals 1, got a body that is not XML (2:4: </a> does not close <b>, which begins in line 2)"
      ])
    #expect(
      try verdict("xml: { //a: { absent: true } }", "").objections == [
        "xml: expected //a is absent, got no body"
      ])
    #expect(try !verdict("xml: { //a: { absent: true } }", "{\"a\": 1}").holds)
    let cut = try verdict("xml: { //a: 1 }", Array("<a>1".utf8), bodyLength: 9)
    #expect(cut.objections.first?.contains("only 4 are kept") == true, "\(cut.objections)")
  }

  @Test("A body counts in the encoding that it declares")
  func encodings() throws {
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>M".utf8) + [0xFC]
      + Array("ller</a>".utf8)
    let wide: [UInt8] =
      [0xFF, 0xFE] + Array("<a>Müller</a>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for body in [latin, wide] { #expect(try verdict("xml: { //a: Müller }", body).holds) }
  }

  @Test("A part of a multipart body may be XML")
  func parts() throws {
    let body =
      "--b\r\nContent-Disposition: form-data; name=\"order\"\r\n\r\n<o id=\"7\"/>\r\n--b--\r\n"
    let headers = [("content-type", "multipart/form-data; boundary=b")]
    #expect(
      try verdict("parts: { order: { xml: { //o/@id: 7 } } }", Array(body.utf8), headers).holds)
    let other = try verdict("parts: { order: { xml: { //o/@id: 8 } } }", Array(body.utf8), headers)
    #expect(
      other.objections.first?.hasPrefix("part \"order\" xml //o/@id: expected 8") == true,
      "\(other.objections)")
  }

  @Test("An entry is suggested for a request that no entry answers")
  func suggestion() throws {
    let request = IncomingRequest(
      method: "POST", target: try RequestTarget(scheme: "https", authority: "h", target: "/x"),
      headers: [], body: Array("<a>1</a>".utf8))
    #expect(RequestSuggestion.lines(for: request).contains("    xml: \"<a>1</a>\""))
  }
}
