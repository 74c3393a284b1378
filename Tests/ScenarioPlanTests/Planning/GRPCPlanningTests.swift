import Foundations
import MockEngine
import Patterns
import ProtocolBuffers
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

@Suite("gRPC in a plan")
struct GRPCPlanningTests {
  private static let proto = """
    syntax = "proto3"; package shop;
    service Cart {
      rpc Add (Item) returns (Added); rpc Watch (Item) returns (stream Added); rpc Load (stream Item) returns (Added);
    }
    enum Size { SMALL = 0; LARGE = 1; }
    message Item { string sku = 1; int64 item_count = 2; Size size = 3; repeated Item parts = 4; }
    message Added { string id = 1; oneof note { string remark = 2; int32 code = 3; } map<string, Item> items = 4; }
    """

  private func plan(
    _ responses: String, grpc: String = "{ protos: [api/shop.proto] }", more: [String: String] = [:]
  ) -> (network: PlannedNetwork?, problems: [String]) {
    let text = """
      version: 2
      target: { command: [a] }
      network: { unused: ignore, grpc: \(grpc) }
      responses:
      \(responses)
      """
    let (file, found) = ScenarioFile.parse(text: text, path: "f.yaml")
    guard let file, found.isEmpty else { return (nil, found.map(\.message)) }
    let files = more.merging(["api/shop.proto": Self.proto]) { first, _ in first }
    var options = PlannerOptions(
      fileExists: { files[$0] != nil }, readFile: { files[$0].map { Array($0.utf8) } })
    options.filesBelow = { folder in
      let below = files.keys.filter { $0.hasPrefix(folder + "/") }.sorted()
      return below.isEmpty ? nil : below
    }
    let (plan, diagnostics) = Planner.plan(files: [file], options: options)
    let lines = diagnostics.map {
      "\($0.range?.description ?? "-"): \($0.message)" + ($0.help.map { "; \($0)" } ?? "")
    }
    return (plan?.cases.first?.network, lines)
  }

  private func reply(_ messages: String, to method: String = "Add") -> String {
    "  - POST http://a.test/shop.Cart/\(method): { grpc: { messages: \(messages) } }"
  }

  @Test("Messages that fit are planned, and the plan brings their types along")
  func fits() throws {
    let (network, problems) = plan(
      reply(
        "{ message: { id: \"${{ request.message.sku }}\", remark: x, items: { a: { item_count: 5, size: LARGE } } } }"
      ))

    #expect(problems == [])
    let types = CallTypes(try #require(network))
    let method = try #require(types.method(atPath: "/shop.Cart/Add"))
    #expect(method.input.name == "shop.Item")
    #expect(method.output.name == "shop.Added")
  }

  @Test(
    "A folder, a pattern and a file mean the same",
    arguments: ["[api]", "[api/*.proto]", "[api/shop.proto]", "[\"api/sh*\"]"])
  func paths(protos: String) {
    let (network, problems) = plan(
      reply("{ message: { id: x } }"), grpc: "{ protos: \(protos) }")

    #expect(problems == [])
    #expect(network?.descriptors != nil)
  }

  @Test(
    "A message that does not fit is an error at the place of what is wrong",
    arguments: [
      (
        "{ message: { idd: x } }", "idd",
        "shop.Added has no field \"idd\"; did you mean \"id\"?"
      ),
      ("{ message: { id: 5 } }", "5 }", "expected text (string), got 5"),
      (
        "{ message: { items: { a: { siz: 1 } } } }", "siz:",
        "shop.Item has no field \"siz\"; did you mean \"size\"?"
      ),
      (
        "{ message: { items: { a: { size: BIG } } } }", "BIG",
        "shop.Size has no value \"BIG\""
      ),
      (
        "{ message: { remark: x, code: 1 } }", "code",
        "\"code\" cannot stand beside \"remark\""
      ),
      (
        "{ message: { remark: \"${{ request.message.sku }}\", code: 1 } }", "code",
        "\"code\" cannot stand beside \"remark\""
      ),
      (
        "{ message: { items: { a: { parts: [{ sku: \"${{ request.count }}\", x: 1 }] } } } }",
        "x: 1", "shop.Item has no field \"x\""
      ),
      (
        "[{ message: {} }, { message: {} }]", "{ message: {} }]", "\"Add\" replies with one message"
      ),
      (
        "[{ expect: { message: { skq: x } } }, { message: {} }]", "skq",
        "shop.Item has no field \"skq\"; did you mean \"sku\"?"
      ),
    ])
  func mistakes(messages: String, marked: String, message: String) throws {
    let line = reply(messages)
    let found = try #require(line.ranges(of: marked).last)
    let place = "f.yaml:5:\(line.distance(from: line.startIndex, to: found.lowerBound) + 1)"

    let (_, problems) = plan(line)

    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.hasPrefix("\(place): \(message)") == true, "\(problems)")
  }

  @Test(
    "A service or method that the files do not have is an error",
    arguments: [
      ("shop.Cart/Ad", "the service \"shop.Cart\" has no method \"Ad\"; did you mean \"Add\"?"),
      (
        "shop.Card/Add",
        "the .proto files have no service \"shop.Card\"; did you mean \"shop.Cart\"?"
      ),
      ("Add", "\"/Add\" is no method of gRPC"),
      ("shop.Cart/*", "\"message\" needs a URL that names one method"),
    ])
  func methods(path: String, message: String) {
    let (_, problems) = plan(
      "  - POST http://a.test/\(path): { grpc: { messages: { message: {} } } }")

    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.contains(message) == true, "\(problems)")
  }

  @Test(
    "Conditions on a request's message are compared with its fields",
    arguments: [
      ("{ $.skq: x }", "shop.Item has no field \"skq\""),
      ("{ \"$.parts[0].skq\": x }", "shop.Item has no field \"skq\""),
      ("{ \"$.parts[*].skq\": x }", "shop.Item has no field \"skq\""),
      (
        "{ \"$.parts[*].item_count\": 5 }",
        "a path with wildcards needs the name that JSON has for \"item_count\""
      ),
      ("{ contains: { size: HUGE } }", "shop.Size has no value \"HUGE\""),
      ("{ $.parts: { contains: { skq: A } } }", "shop.Item has no field \"skq\""),
      ("{ sku: 1 }", "expected text (string), got 1"),
    ])
  func conditions(condition: String, message: String) {
    let (_, problems) = plan(
      """
        - request: { method: POST, url: http://a.test/shop.Cart/Add, message: \(condition) }
          reply: { grpc: { messages: { message: {} } } }
      """)

    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.contains(message) == true, "\(problems)")
  }

  @Test("A condition on one message of a stream of requests is an error")
  func streams() {
    let (_, problems) = plan(
      """
        - request: { method: POST, url: http://a.test/shop.Cart/Load, message: { sku: a } }
          reply: { grpc: { messages: { message: {} } } }
      """)

    #expect(problems.count == 1)
    #expect(problems.first?.contains("\"Load\" streams its requests") == true, "\(problems)")
  }

  @Test(
    "A request matches whatever names and forms its conditions have",
    arguments: [
      ("{ sku: a, item_count: 5 }", true),
      ("{ sku: a, itemCount: \"5\", size: SMALL, parts: [] }", true),
      ("{ sku: a }", false), ("{ contains: { sku: a } }", true),
      ("{ contains: { size: 0 } }", true),
      ("{ $.item_count: 5 }", true), ("{ $.item_count: { at_least: 6 } }", false),
      ("{ $.size: SMALL }", true),
      ("{ $.parts: { empty: true } }", true),
      ("{ $.item_count: { all_of: [{ at_least: 5 }, { at_most: 5 }] } }", true),
      ("{ $.item_count: { any_of: [4, 5] } }", true), ("{ $.item_count: { not: 5 } }", false),
    ])
  func matches(condition: String, isMatch: Bool) throws {
    #expect(try meets(condition, [0x0A, 0x01, 0x61, 0x10, 0x05]) == isMatch)
  }

  @Test(
    "A list contains what one of its elements has",
    arguments: [
      ("{ $.parts: { contains: { sku: A } } }", true),
      ("{ $.parts: { contains: { sku: A, itemCount: 0 } } }", true),
      ("{ $.parts: { contains: { sku: B } } }", false),
      ("{ $.parts: { not: { contains: { sku: B } } } }", true),
    ])
  func elements(condition: String, isMatch: Bool) throws {
    #expect(try meets(condition, [0x22, 0x03, 0x0A, 0x01, 0x41]) == isMatch)
  }

  /// Whether a request whose only message has these bytes meets a condition.
  private func meets(_ condition: String, _ message: [UInt8]) throws -> Bool {
    let (planned, problems) = plan(
      """
        - request: { method: POST, url: http://a.test/shop.Cart/Add, message: \(condition) }
          reply: { grpc: { messages: { message: {} } } }
      """)
    #expect(problems == [])
    let network = try #require(planned)
    let types = CallTypes(network)
    var request = IncomingRequest(
      method: "POST",
      target: try RequestTarget(scheme: "http", authority: "a.test", target: "/shop.Cart/Add"),
      headers: [], body: [])
    let method = try #require(types.method(atPath: "/shop.Cart/Add"))
    request.call = types.call(method, [message])
    var queue = StubQueue(responses: network.responses)
    if case .reply = queue.claim(request, scope: CaseScope(directory: "/case")) { return true }
    return false
  }

  @Test("A mistake in a .proto file is one at its own place")
  func protoMistake() {
    let (_, problems) = plan(
      reply("{ message: {} }"), grpc: "{ protos: [b.proto] }",
      more: ["b.proto": "syntax = \"proto3\";\nmessage A { strin a = 1; }\n"])

    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix("b.proto:2:13: a type \"strin\" is not defined") == true,
      "\(problems)")
  }

  @Test("Imports count from the roots, and from the folder of the importing file")
  func imports() {
    let files = [
      "x/y/a.proto":
        "syntax = \"proto3\"; import \"y/b.proto\"; import \"c.proto\"; service S { rpc A (B) returns (C); }",
      "x/y/b.proto": "syntax = \"proto3\"; message B {}",
      "x/y/c.proto": "syntax = \"proto3\"; message C {}",
    ]
    let responses = "  - POST http://a.test/S/A: { grpc: { messages: { message: {} } } }"

    #expect(
      plan(responses, grpc: "{ protos: [x/y/a.proto], roots: [x] }", more: files).problems == [])
    let (_, problems) = plan(responses, grpc: "{ protos: [x/y/a.proto] }", more: files)
    #expect(
      problems.first?.contains("\"y/b.proto\" is imported, and cannot be found; add the folder")
        == true, "\(problems)")
  }

  @Test("A message without .proto files says what is missing")
  func noProtos() {
    let text = """
      version: 2
      target: { command: [a] }
      responses:
        - POST http://a.test/shop.Cart/Add: { grpc: { messages: { message: { id: x } } } }
      """
    let (file, _) = ScenarioFile.parse(text: text, path: "f.yaml")
    let (_, diagnostics) = Planner.plan(
      files: file.map { [$0] } ?? [],
      options: PlannerOptions(fileExists: { _ in true }, readFile: { _ in nil }))

    #expect(diagnostics.map(\.message) == ["\"message\" needs the .proto files that describe it"])
  }
}
