import Foundations
import MockEngine
import ScenarioPlan
import Testing

@Suite("Operations of OpenAPI")
struct OpenAPIMatchTests {
  @Test(
    "Templates match one segment, or a part of one",
    arguments: [
      ("/pets/{id}", "/pets/7", ["id": "7"]),
      ("/pets/{id}", "/pets/a%20b", ["id": "a%20b"]),
      ("/pets/{id}", "/pets/", nil),
      ("/pets/{id}", "/pets/7/toys", nil),
      ("/pets/{id}", "/pets", nil),
      ("/f/{name}.{ending}", "/f/a.tar.gz", ["name": "a", "ending": "tar.gz"]),
      ("/f/{name}.json", "/f/a.b.json", ["name": "a.b"]),
      ("/f/{name}.json", "/f/.json", nil),
      ("/f/{name}:copy", "/f/x:copy", ["name": "x"]),
      ("/{a-b.c}", "/1", ["a-b.c": "1"]),
      ("/", "/", [:]),
    ] as [(String, String, [String: String]?)])
  func templates(template: String, path: String, captures: [String: String]?) {
    #expect(OpenAPIPath(template).encodedMatch(path) == captures)
  }

  private static let document = """
    openapi: 3.1.0
    servers: [{ url: https://a.test/v1 }]
    paths:
      /pets/{id}: { get: { operationId: one }, delete: { operationId: gone } }
      /pets/mine: { get: { operationId: mine } }
      /{kind}/mine: { get: { operationId: any } }
      /pets/{id}.json: { get: { operationId: file } }
      /pets: { get: { operationId: list, servers: [{ url: https://b.test }] } }
    """

  @Test(
    "A concrete path goes before one with templates, if it has the method",
    arguments: [
      ("GET", "https://a.test/v1/pets/mine", "mine"), ("GET", "https://a.test/v1/pets/7", "one"),
      ("GET", "https://a.test/v1/cats/mine", "any"),
      ("GET", "https://a.test/v1/pets/7.json", "file"),
      ("DELETE", "https://a.test/v1/pets/mine", "gone"),
      ("HEAD", "https://a.test/v1/pets/mine", "mine"), ("GET", "https://b.test/pets", "list"),
      ("GET", "https://a.test/v1/pets", nil), ("POST", "https://a.test/v1/pets/7", nil),
    ] as [(String, String, String?)])
  func precedence(method: String, url: String, name: String?) throws {
    let operations = try APISample.operations(Self.document)
    let target = try APISample.target(url)
    let finding = operations.find(method, target)
    if case .call(let call)? = finding {
      #expect(call.operation.name == name)
    } else {
      #expect(name == nil)
      #expect(finding.isSome)
    }
  }

  @Test("Nothing is said of other servers, schemes and ports")
  func elsewhere() throws {
    let operations = try APISample.operations(Self.document)
    for url in [
      "https://c.test/v1/pets", "http://a.test/v1/pets/7", "https://a.test:8443/v1/pets/7",
      "https://a.test/v10/pets/7", "https://a.test/",
    ] {
      let finding = operations.find("GET", try APISample.target(url))
      #expect(!finding.isSome, "\(url)")
    }
  }

  @Test("A request for no operation shows those that are near, with their places")
  func nearest() throws {
    let operations = try APISample.operations(Self.document)
    let target = try APISample.target("https://a.test/v1/pet/7")
    guard case .unknown(let unknown)? = operations.find("GET", target) else {
      Issue.record("an operation")
      return
    }
    #expect(unknown.message == "api.yaml has no path \"/pet/7\"")
    #expect(unknown.nearest.first == "GET /pets/{id} (api.yaml:4:17, one)", "\(unknown.nearest)")
    #expect(unknown.nearest.count == 3)
    guard
      case .unknown(let method)? = operations.find(
        "POST", try APISample.target("https://a.test/v1/pets/7"))
    else {
      Issue.record("an operation")
      return
    }
    #expect(method.message == "api.yaml has no POST for the path \"/pets/7\", but DELETE, GET")
    #expect(method.isMistake)
  }

  @Test(
    "A browser's question beforehand is no mistake where the path is known",
    arguments: [
      ("https://a.test/v1/pets/7", false), ("https://a.test/v1/pet/7", true),
    ])
  func preflight(url: String, isMistake: Bool) throws {
    let operations = try APISample.operations(Self.document)
    guard case .unknown(let unknown)? = operations.find("OPTIONS", try APISample.target(url)) else {
      Issue.record("an operation")
      return
    }
    #expect(unknown.isMistake == isMistake)
  }
}

extension OpenAPIOperations.Finding? {
  fileprivate var isSome: Bool { if case .some = self { true } else { false } }
}
