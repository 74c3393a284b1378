@testable import Foundations
@testable import ScenarioModel
@testable import ScenarioSyntax
import Testing

/// Nothing of a file is passed over so that more requests are answered, or other bytes sent.
@Suite("What files of other tools hold is kept, or missed aloud")
struct WholeImportTests {
  private enum Problem: Error {
    case unexpected
  }

  private func parse(_ text: String, path: String = "x.json") -> ImportedResponses.Result {
    ImportedResponses.parse(bytes: Array(text.utf8), path: path)
  }

  private func archive(_ request: String, _ response: String) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
    {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "cache": {}, "timings": {},
     "request": \(request), "response": \(response)} ]}}
    """
  }

  private func pattern(_ result: ImportedResponses.Result) throws -> HTTPRequestPattern {
    guard case .http(let pattern)? = result.entries.first?.match else { throw Problem.unexpected }
    return pattern
  }

  @Test("The parameters of an archived form and multipart body are conditions")
  func archivedParameters() throws {
    func result(_ postData: String) -> ImportedResponses.Result {
      parse(
        archive(
          #"{"method": "POST", "url": "https://a.test/x?q=1", "postData": \#(postData)}"#,
          #"{"status": 200}"#), path: "t.har")
    }
    let form = result(
      #"{"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}, {"name": "a", "value": "3"}]}"#
    )
    let parts = result(
      #"{"mimeType": "multipart/form-data; boundary=x", "text": "--x", "params": [{"name": "a", "value": "1"}, {"name": "f", "fileName": "f.png", "contentType": "image/png"}]}"#
    )
    let equal = result(
      #"{"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}"#
    )

    let bytes = result(
      #"{"mimeType": "multipart/form-data; boundary=x", "text": "--x\r\n\r\n--x--"}"#)
    #expect(bytes.diagnostics.map(\.code) == [.missingBody])
    #expect(bytes.diagnostics.first?.message.contains("\"params\"") == true)

    #expect(form.diagnostics.isEmpty, "\(form.diagnostics.map(\.message))")
    #expect(try pattern(form).more.form.map(\.name.value) == ["a", "b"])
    guard case .each(let values)? = try pattern(form).more.form.first?.condition else {
      throw Problem.unexpected
    }
    #expect(values.count == 2)
    #expect(try pattern(form).more.isExact)
    #expect(try pattern(parts).more.parts.map(\.name.value) == ["a", "f"])
    #expect(try pattern(parts).more.parts[0].text != nil)
    #expect(try pattern(parts).more.parts[1].filename != nil)
    // What was uploaded is not in the archive.
    #expect(parts.diagnostics.map(\.code) == [.missingBody])
    #expect(parts.diagnostics.first?.message.contains("the part \"f\"") == true)
    #expect(equal.diagnostics.map(\.code) == [.missingBody])
    #expect(try pattern(equal).body != nil)
  }

  @Test(
    "An archived body that is no text is compared byte by byte",
    arguments: ["encoding", "_encoding"])
  func archivedBytes(key: String) throws {
    let result = parse(
      archive(
        #"{"method": "POST", "url": "https://a.test/", "postData": {"mimeType": "application/octet-stream", "text": "AAH/", "\#(key)": "base64"}}"#,
        #"{"status": 200}"#), path: "t.har")

    #expect(result.diagnostics.isEmpty)
    guard case .literal(let bytes)? = try pattern(result).more.bytes else {
      throw Problem.unexpected
    }
    #expect(bytes == [0, 1, 0xFF])
  }

  @Test("What an archive says was sent and does not hold is warned of")
  func missingBodies() throws {
    func found(_ request: String, _ response: String) -> [Diagnostic] {
      parse(
        archive(#"{"method": "POST", "url": "https://a.test/"\#(request)}"#, "{\(response)}"),
        path: "t.har"
      ).diagnostics
    }
    let whole = #""status": 200, "content": {"size": 2, "mimeType": "text/plain", "text": "hi"}"#
    for (request, response) in [
      (#", "bodySize": 9"#, whole),
      (#", "bodySize": 9, "postData": {"mimeType": "text/plain", "text": ""}"#, whole),
      (#", "bodySize": 9, "postData": {"mimeType": "text/plain", "text": "hi"}"#, whole),
      ("", #""status": 200, "content": {"size": 2, "mimeType": "text/plain"}"#),
      ("", #""status": 200, "content": {"size": 3, "mimeType": "text/plain", "text": "hi"}"#),
    ] {
      let diagnostics = found(request, response)
      #expect(diagnostics.map(\.code) == [.missingBody], "\(request) \(response)")
      #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.help != nil })
    }
    for (request, response) in [
      ("", whole), (#", "bodySize": 0"#, whole), (#", "bodySize": -1"#, whole),
      (#", "bodySize": 0, "postData": {"mimeType": "text/plain", "text": ""}"#, whole),
      (#", "bodySize": 2, "postData": {"mimeType": "text/plain", "text": "hi"}"#, whole),
      ("", #""status": 304, "content": {"size": 9, "mimeType": "text/plain"}"#),
      ("", #""status": 200, "content": {"size": 0, "mimeType": "text/plain"}"#),
    ] {
      #expect(found(request, response).isEmpty, "\(request) \(response)")
    }
  }

  @Test("A header that comes several times comes so again")
  func repeatedHeaders() throws {
    let result = parse(
      archive(
        #"{"method": "GET", "url": "https://a.test/"}"#,
        #"{"status": 200, "headers": [{"name": "Set-Cookie", "value": "a=1"}, {"name": "X", "value": "1"}, {"name": "set-cookie", "value": "b=2"}]}"#
      ), path: "t.har")

    #expect(
      result.entries.first?.replies.first?.headers.map(\.key.value) == [
        "set-cookie", "set-cookie", "x",
      ])
  }

  @Test(
    "URLs of an archive, of Decoy and of WireMock's \"url\" are whole; those of \"urlPath\" are not"
  )
  func wholeURLs() throws {
    let har = parse(
      archive(#"{"method": "GET", "url": "https://a.test/?b=1"}"#, #"{"status": 200}"#),
      path: "t.har")
    let decoy = parse(#"[ {"identifier": "https://a.test/", "mock": {"json": 1}} ]"#)
    let url = parse(#"{"request": {"url": "/a?b=1"}, "response": {"statusMessage": "Fine"}}"#)
    let path = parse(#"{"request": {"urlPath": "/a"}, "response": {}}"#)

    #expect(
      try pattern(har).more.isExact && pattern(decoy).more.isExact && pattern(url).more.isExact)
    #expect(try !pattern(path).more.isExact)
    #expect(url.entries.first?.replies.first?.reason == "Fine")
  }

  @Test("An operation of Decoy's without a name is known by its variables, too")
  func unnamedVariables() throws {
    let result = parse(
      #"[ {"signature": {"operationName": "Unnamed", "query": "{ a }", "endpoint": "https://a.test/", "variables": {"n": 1}}, "mock": {"json": {}}} ]"#
    )

    #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
    guard case .json(.paths(let paths))? = try pattern(result).json?.condition else {
      throw Problem.unexpected
    }
    #expect(paths.map(\.name.value) == ["$.query", "$.variables"])
  }
}
