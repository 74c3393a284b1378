package import Foundations
package import GraphQL
internal import MockEngine
internal import OrderedCollections
package import Patterns
package import ScenarioModel
internal import ScenarioPlan

/// A request of scenarios, with the shapes of its replies.
package struct DriftSample: Sendable {
  /// A request that can be made anew.
  package struct Request: Sendable, Hashable {
    /// The method.
    package var method: String
    /// Its target.
    package var target: RequestTarget
    /// The JSON body, if it has one.
    package var json: Value?

    /// True if making it changes nothing: GET, HEAD, and queries of GraphQL.
    package var isSafe: Bool {
      if ["GET", "HEAD"].contains(method) { return true }
      return operation?.kind == .query
    }

    /// The GraphQL operation that it carries.
    package var operation: GraphQLOperation? { graphQL?.operation }

    /// The GraphQL document that it carries.
    package var document: GraphQLDocument? { graphQL?.document }

    private var graphQL: GraphQLRequest? {
      IncomingRequest(
        method: method, target: target, headers: [],
        body: json.map { Array($0.jsonText().utf8) } ?? []
      ).graphQL
    }
  }

  /// The name of the entry.
  package var name: String
  /// The place of its first occurrence.
  package var range: SourceRange
  /// The request; `nil` if the stub answers many different ones.
  package var request: Request?
  /// The kind of the GraphQL operation, if it answers one.
  package var operationKind: String?
  /// The shape of the replies, by status.
  package var shapes: [Int: Shape]
  /// Replies that have no shape to compare, each with the reason.
  package var uncompared: [String] = []
  /// The addresses of real hosts.
  package var upstreams: [UpstreamRule]
}

extension ExecutionPlan {
  /// Returns the samples of the plan's responses, each request once, in the order of the plan.
  ///
  /// - Parameter readFile: returns the content of a file, for bodies in files.
  package func driftSamples(readFile: (String) -> [UInt8]?) -> [DriftSample] {
    var samples: OrderedDictionary<String, DriftSample> = [:]
    for plannedCase in cases {
      guard let network = plannedCase.network else { continue }
      for response in network.responses {
        let sample = response.driftSample(in: network, readFile: readFile)
        let key = sample.request.map {
          "\($0.method) \($0.target.text) \($0.json?.jsonText() ?? "")"
        }
        let place = key ?? "\(sample.range.description) \(sample.name)"
        if samples[place] == nil {
          samples[place] = sample
        } else {
          samples[place]?.shapes.merge(sample.shapes) { $0.merged(with: $1) }
          let known = samples[place]?.uncompared ?? []
          samples[place]?.uncompared += sample.uncompared.filter { !known.contains($0) }
        }
      }
    }
    return samples.values.elements
  }
}

extension PlannedResponse {
  fileprivate func driftSample(
    in network: PlannedNetwork, readFile: (String) -> [UInt8]?
  ) -> DriftSample {
    var shapes: [Int: Shape] = [:]
    var uncompared: [String] = []
    for reply in store == nil ? replies : [] {
      guard let value = reply.plainValue(readFile: readFile) else {
        let line = "the reply with status \(reply.status) \(reply.reasonForNoShape)"
        if !uncompared.contains(line) { uncompared.append(line) }
        continue
      }
      let shape = Shape(of: value)
      shapes[reply.status] = shapes[reply.status]?.merged(with: shape) ?? shape
    }
    if store != nil { uncompared = ["the replies of a store are computed in the run"] }
    let request = plainRequest
    let kind: String? =
      if case .graphQL(let pattern) = match {
        pattern.kind?.rawValue
      } else {
        request?.operation?.kind.rawValue
      }
    var sample = DriftSample(
      name: name, range: range, request: request, operationKind: kind, shapes: shapes,
      upstreams: network.upstreams)
    sample.uncompared = uncompared
    return sample
  }

  /// The one request that the entry answers; `nil` if there are many.
  private var plainRequest: DriftSample.Request? {
    if case .graphQL(let planned) = match { return planned.plainRequest }
    guard case .http(let planned) = match, let url = planned.url, let host = url.host,
      !host.contains("*"), !url.path.contains("{"), !url.path.contains("*"),
      planned.query.allSatisfy({ planned.isExact == true && $0.condition == .exists }),
      planned.form.isEmpty, planned.parts.isEmpty, planned.xml == nil,
      planned.body.map({ $0.condition == .empty(true) }) ?? true, planned.bytes == nil
    else { return nil }
    let scheme = url.scheme ?? "https"
    let target = RequestTarget(
      scheme: scheme, host: host, port: url.port ?? URLParts.defaultPort(scheme), path: url.path,
      query: url.query)
    var value: Value?
    if let json = planned.json {
      guard let plain = json.plainValue else { return nil }
      value = plain
    }
    return DriftSample.Request(
      method: planned.methods?.first ?? (value == nil ? "GET" : "POST"), target: target, json: value
    )
  }
}

extension PlannedGraphQLMatch {
  /// The one request that the entry answers; `nil` if there are many.
  fileprivate var plainRequest: DriftSample.Request? {
    guard let document, matchers.isEmpty, let url, let host = url.host, !host.contains("*"),
      !url.path.contains("{"), !url.path.contains("*")
    else { return nil }
    var members: OrderedDictionary<String, Value> = ["query": .string(document)]
    if let operation { members["operationName"] = .string(operation) }
    if let variables {
      guard let values = try? variables.resolve(in: CaseScope(directory: "")) else { return nil }
      members["variables"] = values
    }
    let scheme = url.scheme ?? "https"
    return DriftSample.Request(
      method: "POST",
      target: RequestTarget(
        scheme: scheme, host: host, port: url.port ?? URLParts.defaultPort(scheme), path: url.path,
        query: url.query), json: .map(members))
  }
}

extension PlannedMatcher {
  /// The value that is asked for, if it is one.
  fileprivate var plainValue: Value? {
    switch condition {
    case .equals(let data), .contains(let data):
      try? data.resolve(in: CaseScope(directory: ""))
    default: nil
    }
  }
}

extension PlannedReply {
  /// The scope where only the shape of a reply matters: any instant is like all others.
  private static var shapeScope: ClockScope<CaseScope> {
    ClockScope(CaseScope(directory: ""), at: WallInstant(seconds: 0))
  }

  /// The reason why the reply has no shape, behind its status.
  fileprivate var reasonForNoShape: String {
    switch body {
    case .empty: fault.map { "is a fault: \($0.text)" } ?? "has no body"
    case .json: "is computed in the run"
    case .text, .template: "has text that is not JSON"
    case .file(let path): "has the file \"\(path)\", which is not read as JSON"
    case .computedFile: "has a file whose name is computed"
    case .bytes: "has bytes"
    case .stream, .graphQLStream: "is a stream"
    case .webSocket: "is a WebSocket"
    case .grpc: "is a call of gRPC"
    case .handler(let handler): "comes from \(handler.text)"
    }
  }

  /// The JSON that the reply carries, if all but its times is known beforehand.
  fileprivate func plainValue(readFile: (String) -> [UInt8]?) -> Value? {
    switch body {
    case .json(let data): try? data.resolve(in: Self.shapeScope)
    case .file(let path) where path.hasSuffix(".json"):
      readFile(path).flatMap { try? JSONText.parse(utf8: $0) }
    case .text(let text), .template(let text, _):
      (try? text.resolve(in: Self.shapeScope)).flatMap { text in
        text.hasPrefix("{") || text.hasPrefix("[") ? try? JSONText.parse(text) : nil
      }
    default: nil
    }
  }
}
