package import Foundations
package import GraphQL
internal import OrderedCollections
package import Patterns
package import ScenarioPlan

/// Does a GraphQL server's work before and behind its resolvers: finds documents, validates
/// requests, and cuts replies to the selected fields.
package struct GraphQLEndpoint: Sendable {
  /// The reason why a request is not run.
  package struct Refusal: Error, Sendable, Hashable {
    /// The errors that the client gets.
    package var errors: [GraphQLError]
    /// The status, if it does not depend on what the client accepts.
    package var status: Int?
    /// The `allow` header.
    package var allow: String?
    /// True if the client did something wrong; asking for a document's text is part of the protocol.
    package var isMistake: Bool

    /// True if what came may be no GraphQL at all.
    package var isUnreadable: Bool { errors.contains { $0.code == "GRAPHQL_PARSE_FAILED" } }

    /// Creates a refusal.
    package init(
      errors: [GraphQLError], status: Int? = nil, allow: String? = nil, isMistake: Bool = true
    ) {
      self.errors = errors
      self.status = status
      self.allow = allow
      self.isMistake = isMistake
    }

    /// The refusal as lines of a report.
    package var lines: [String] { errors.map { "GraphQL: \($0.line)" } }

    /// The response.
    package var value: Value {
      .map(["errors": .list(errors.map(\.value))])
    }
  }

  /// True if GraphQL is answered at all.
  package let isOpen: Bool
  private let schema: GraphQLSchema?
  private let sampleSeed: Int64?
  private let url: URLPattern?
  private var documents: GraphQLPersistedDocuments
  /// Errors of documents that came before: clients send few, and those often.
  private var verdicts: [String: [GraphQLError]] = [:]
  private var verdictBytes = 0
  private static let verdictLimit = 1000
  /// The endpoints that are known by their URLs.
  private let endpoints: [URLPattern]
  /// The rules for the beginning of a WebSocket.
  package let initialisation: PlannedGraphQLInitialisation?

  /// Creates an endpoint for a case.
  ///
  /// - Parameters:
  ///   - network: the plan.
  ///   - schema: the schema, read.
  ///   - manifest: the documents of the manifest, read.
  package init(network: PlannedNetwork, schema: GraphQLSchema?, manifest: [String: String]) {
    self.schema = schema
    sampleSeed = network.graphQL?.sampleSeed
    url = network.graphQL?.url
    initialisation = network.graphQL?.initialisation
    let urls = network.responses.map { response -> URLPattern? in
      if case .graphQL(let match) = response.match { match.url } else { nil }
    }
    endpoints = ([url] + urls).compactMap { $0 }
    isOpen = network.graphQL != nil || network.responses.contains(where: \.isGraphQL)
    let mode: GraphQLPersistedDocuments.Mode =
      switch network.graphQL?.persisted {
      case nil, .automatic: .automatic
      case .reject: .reject
      case .manifest: .manifest
      }
    documents = GraphQLPersistedDocuments(mode: mode, manifest: manifest)
  }

  /// The schema of the endpoint at a URL; `nil` if it is not known.
  private func schema(at target: RequestTarget) -> GraphQLSchema? {
    guard let url else { return schema }
    return url.leads(to: target) ? schema : nil
  }

  /// Returns whether the author has declared GraphQL at a URL.
  package func isEndpoint(_ target: RequestTarget) -> Bool {
    endpoints.contains { $0.leads(to: target) }
  }

  /// Returns the request with its document found, checked as a server would.
  ///
  /// - Throws: The answer to the client in place of a result.
  package mutating func admit(
    _ request: GraphQLRequest, method: String, at target: RequestTarget
  ) throws(Refusal) -> GraphQLRequest {
    var request = request
    if let error = documents.resolve(&request) {
      let isProtocol = error.code == "PERSISTED_QUERY_NOT_FOUND"
      throw Refusal(errors: [error], status: isProtocol ? 200 : 400, isMistake: !isProtocol)
    }
    if let error = request.error { throw Refusal(errors: [error]) }
    if method == "GET", request.operation?.kind == .mutation {
      throw Refusal(
        errors: [GraphQLError("Can only perform a mutation operation from a POST request.")],
        status: 405, allow: "POST")
    }
    guard let schema = schema(at: target), let document = request.document,
      let operation = request.operation
    else {
      return request
    }
    let text = request.query ?? ""
    let errors = verdict(on: text, document, schema)
    guard errors.isEmpty else { throw Refusal(errors: errors) }
    let variables = operation.coerce(request.variables, in: schema)
    guard variables.errors.isEmpty else { throw Refusal(errors: variables.errors) }
    return request
  }

  private mutating func verdict(
    on text: String, _ document: GraphQLDocument, _ schema: GraphQLSchema
  ) -> [GraphQLError] {
    if let known = verdicts[text] { return known }
    let errors = document.errors(in: schema)
    let length = text.utf8.count
    if verdicts.count < Self.verdictLimit, verdictBytes + length <= GraphQLLimits.keptBytes {
      verdicts[text] = errors
      verdictBytes += length
    }
    return errors
  }

  /// Returns whether the schema answers a request that no entry does.
  package func answersAlone(_ request: IncomingRequest) -> Bool {
    projection(for: request)?.isIntrospection ?? false
  }

  /// The answer to a request for nothing but the schema itself; `nil` for others.
  package func introspection(_ request: IncomingRequest) -> Value? {
    guard let projection = projection(for: request), projection.isIntrospection else { return nil }
    let (data, problems) = projection.project(.map([:]))
    guard let problem = problems.first else { return .map(["data": data]) }
    return .map(["errors": .list([GraphQLError(problem.message).value])])
  }

  /// Returns the result of a query or mutation that no entry answers, by the schema alone; `nil` where it gives none.
  package func sample(
    for incoming: IncomingRequest
  ) -> Result<Value, GraphQLSample.Obstacle>? {
    guard let sampleSeed, let request = incoming.graphQL, let document = request.document,
      let operation = request.operation, operation.kind != .subscription,
      let schema = schema(at: incoming.target)
    else { return nil }
    var sample = GraphQLSample(
      schema: schema, document: document, operation: operation,
      variables: operation.coerce(request.variables, in: schema).values, seed: sampleSeed
    ) { GraphQLSampleLeaf.value(of: $0, for: $1, number: $2) }
    do throws(GraphQLSample.Obstacle) {
      return .success(.map(["data": try sample.data()]))
    } catch {
      return .failure(error)
    }
  }

  /// The result, with its data projected to the selected fields.
  ///
  /// - Parameter isPartial: whether more of it comes later.
  /// - Throws: `RunScopeError` that names every place where the data does not fit.
  package func result(
    _ result: Value, for request: IncomingRequest, at range: SourceRange, isPartial: Bool = false
  ) throws(RunScopeError) -> Value {
    guard case .map(var members) = result, let data = members["data"], members["path"] == nil,
      let projection = projection(for: request, isPartial: isPartial)
    else {
      return result
    }
    let (projected, problems) = projection.project(data)
    guard problems.isEmpty else {
      let lines = problems.map { problem in
        (problem.path.isEmpty ? "data" : "data.\(problem.place)") + ": \(problem.message)"
          + (problem.help.map { " (help: \($0))" } ?? "")
      }
      throw RunScopeError(
        "\(lines.joined(separator: "; ")); the reply stands at \(range.description)", at: range)
    }
    members["data"] = projected
    return .map(members)
  }

  private func projection(
    for incoming: IncomingRequest, isPartial: Bool = false
  ) -> GraphQLProjection? {
    guard let request = incoming.graphQL, let schema = schema(at: incoming.target),
      let document = request.document, let operation = request.operation
    else {
      return nil
    }
    return GraphQLProjection(
      schema: schema, document: document, operation: operation,
      variables: operation.coerce(request.variables, in: schema).values, isPartial: isPartial)
  }
}

extension URLPattern {
  /// Returns whether it is the pattern of a URL, whatever its query.
  fileprivate func leads(to target: RequestTarget) -> Bool {
    matchesScheme(target) && matchesHost(target) && matchesPort(target) && matchPath(target) != nil
  }
}
