import Foundations
import MockEngine
import Patterns
import ScenarioCompiler
import ScenarioModel
import ScenarioPlan
import ScenarioSyntax
import Testing

/// Documents of OpenAPI in a plan, for tests of what is made of them.
enum APISample {
  /// Reads a document by a scenario that names it `api.yaml`.
  static func plan(
    _ document: String, responses: String = "[]", settings: String = "api.yaml",
    more: [String: String] = [:], seed: Int64? = nil
  ) -> (network: PlannedNetwork?, problems: [String]) {
    let text = """
      version: 2
      target: { command: [a] }
      network: { unused: ignore, openapi: \(settings) }
      responses: \(responses)
      """
    let (file, found) = ScenarioFile.parse(text: text, path: "f.yaml")
    guard let file, found.isEmpty else { return (nil, found.map(\.message)) }
    let files = more.merging(["api.yaml": document]) { first, _ in first }
    let options = PlannerOptions(
      seed: seed, fileExists: { files[$0] != nil }, readFile: { files[$0].map { Array($0.utf8) } })
    let (plan, diagnostics) = Planner.plan(files: [file], options: options)
    let lines = diagnostics.map {
      "\($0.range?.description ?? "-"): \($0.message)" + ($0.help.map { "; \($0)" } ?? "")
    }
    return (plan?.cases.first?.network, lines)
  }

  /// The operations of a document that must be right.
  static func operations(
    _ document: String, settings: String = "api.yaml", seed: Int64? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OpenAPIOperations {
    let (network, problems) = plan(document, settings: settings, seed: seed)
    #expect(problems == [], sourceLocation: sourceLocation)
    return OpenAPIOperations(
      try #require(network?.openAPI, sourceLocation: sourceLocation))
  }

  /// A document with one path.
  static func document(
    _ item: String, path: String = "/a", version: String = "3.1.0", more: String = ""
  )
    -> String
  {
    """
    openapi: \(version)
    servers: [{ url: https://a.test/v1 }]
    paths:
      \(path): \(item)
    \(more)
    """
  }

  /// A request to the server of such documents.
  static func request(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String = ""
  ) throws -> IncomingRequest {
    IncomingRequest(
      method: method,
      target: try RequestTarget(scheme: "https", authority: "a.test", target: "/v1" + target),
      headers: headers.map { .init(name: $0.0, value: $0.1) }, body: Array(body.utf8))
  }

  /// The target that a URL names.
  static func target(_ url: String) throws -> RequestTarget {
    try RequestTarget(scheme: "https", authority: "a.test", target: url)
  }

  /// The operation of a request.
  static func call(
    _ request: IncomingRequest, _ operations: OpenAPIOperations,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OpenAPIOperations.Call {
    guard case .call(let call)? = operations.find(request.method, request.target) else {
      throw PatternError("no operation", help: request.target.text)
    }
    return call
  }

  /// The reply that a document gives.
  static func reply(
    _ request: IncomingRequest, _ operations: OpenAPIOperations
  ) throws -> OpenAPIReply {
    try OpenAPIReply(to: request, by: try call(request, operations))
  }
}

extension OpenAPIReply {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
