import MockServer
import ScenarioPlan
import Testing

struct RangeTests {
  private func response(
    _ field: String, headers: [PlannedVariable] = [], more: String = ""
  ) throws -> Client.Response {
    let test = try TestServer([
      .entry("GET", "/n", replies: [.text("0123456789", headers: headers)])
    ])
    let client = try test.client()
    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\nrange: \(field)\r\n\(more)\r\n")
    return try client.response()
  }

  @Test(
    "A range is cut out of the body",
    arguments: [
      ("bytes=0-3", "0123", "0-3"), ("bytes=8-", "89", "8-9"), ("bytes=-3", "789", "7-9"),
      ("bytes=5-999", "56789", "5-9"), ("bytes=-99", "0123456789", "0-9"),
      ("bytes=2-99999999999999999999", "23456789", "2-9"),
    ])
  func partial(field: String, body: String, place: String) throws {
    let response = try response(field)

    #expect(response.status == 206)
    #expect(response.text == body)
    #expect(response.headers["content-range"] == "bytes \(place)/10")
    #expect(response.headers["content-length"] == String(body.utf8.count))
  }

  @Test("A range behind the end cannot be had", arguments: ["bytes=10-", "bytes=-0"])
  func unsatisfiable(field: String) throws {
    let response = try response(field)

    #expect(response.status == 416)
    #expect(response.headers["content-range"] == "bytes */10")
    #expect(response.body.isEmpty)
  }

  @Test(
    "What is no single range of bytes gets the whole",
    arguments: ["bytes=0-1,4-5", "lines=0-1", "bytes=3-1", "bytes=a-b", "bytes", "bytes=-"])
  func whole(field: String) throws {
    let response = try response(field)

    #expect(response.status == 200)
    #expect(response.text == "0123456789")
    #expect(response.headers["content-range"] == nil)
  }

  @Test("The author keeps a reply whole")
  func refused() throws {
    let headers = [PlannedVariable(name: "Accept-Ranges", value: PlannedText("none"))]

    #expect(try response("bytes=0-3", headers: headers).status == 200)
  }

  @Test(
    "A part of another version is not asked for",
    arguments: [("\"one\"", 206), ("\"two\"", 200), ("W/\"one\"", 200)])
  func condition(tag: String, status: Int) throws {
    let headers = [PlannedVariable(name: "ETag", value: PlannedText("\"one\""))]

    let response = try response("bytes=0-3", headers: headers, more: "if-range: \(tag)\r\n")

    #expect(response.status == status)
  }

  @Test("A range of a file is read from its place")
  func file() throws {
    let file = try TemporaryFile(String(repeating: "a", count: 300_000) + "the end")
    let test = try TestServer([.entry("GET", "/n", replies: [.with(.file(path: file.path))])])
    let client = try test.client()

    try client.send("GET /n HTTP/1.1\r\nhost: api.test\r\nrange: bytes=300000-\r\n\r\n")

    #expect(try client.response().text == "the end")
  }
}
