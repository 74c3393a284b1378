internal import Foundations
internal import MockEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `network: { openapi: … }`; reads the documents.
  mutating func planOpenAPI() -> [PlannedOpenAPI]? {
    let settings = body.network?.openAPI ?? []
    guard !settings.isEmpty else { return nil }
    let planned = settings.compactMap { planDocument($0) }
    describedOperations = OpenAPIOperations(planned)
    return planned
  }

  private mutating func planDocument(_ settings: OpenAPISettings) -> PlannedOpenAPI? {
    guard let file = settings.file else { return nil }
    let path = existingFile(file)
    guard options.fileExists(path) else { return nil }
    let (document, problems) = openAPICache.read(path, options)
    for problem in problems { data.diagnostics.report(problem) }
    guard let document else {
      if problems.isEmpty {
        report(
          "the file \"\(path)\" cannot be read", code: .missingFile, at: file.range,
          help: "name a document in YAML or JSON")
      }
      return nil
    }
    var api = document.api
    if !settings.servers.isEmpty {
      api.servers = settings.servers.compactMap { planServer($0) }
      for index in api.operations.indices { api.operations[index].servers = nil }
    } else if let relative = Self.unreachable(document) {
      report(
        relative.value.isEmpty
          ? "the document names no servers" : "the server \"\(relative.value)\" names no host",
        code: .badOpenAPI, at: relative.range,
        help: "write servers: [https://api.example.com/v1] beside \"file\" in the scenario")
    }
    api.givesReplies = settings.replies == .examples
    api.checksRequests = settings.check.coversRequests
    api.checksReplies = settings.check.coversReplies
    api.seed = seed
    return api
  }

  /// A server without a host that some operation is reached at.
  private static func unreachable(_ document: OpenAPIReader.Document) -> Located<String>? {
    guard document.api.servers.isEmpty else { return nil }
    let operations = document.api.operations
    let areSharedNeeded = operations.isEmpty || operations.contains { $0.servers == nil }
    return document.relativeServers.first { areSharedNeeded || !$0.isShared }?.url
  }

  private mutating func planServer(_ url: Located<String>) -> PlannedOpenAPI.Server? {
    data.diagnostics.catching(as: .badAddress, at: url.range) { () throws(PatternError) in
      try PlannedOpenAPI.Server(url: url.value)
    }
  }

  // MARK: - Entries

  /// Compares the replies of an entry with the operation that it answers, as far as they are written out.
  mutating func checkDocumented(
    _ entry: ResponseEntry, _ replies: [PlannedReply?], _ match: PlannedResponse.Match?
  ) {
    guard let operations = describedOperations, case .http(let request)? = match,
      let method = request.methods?.first, request.methods?.count == 1, let url = request.url,
      let host = url.host, !host.contains("*"), !url.path.contains("*")
    else { return }
    let path = OpenAPIPath(url.path)
    for scheme in url.scheme.map({ [$0] }) ?? ["https", "http"] {
      let target = RequestTarget(
        scheme: scheme, host: host, port: url.port ?? URLParts.defaultPort(scheme),
        path: path.shape)
      switch operations.find(method, target) {
      case nil: continue
      case .unknown(let unknown)?:
        // What stands for a template may be any segment.
        guard unknown.document.checksRequests, unknown.isMistake, path.captureNames.isEmpty else {
          return
        }
        report(
          unknown.message, code: .badOpenAPIReply, at: entry.range,
          help:
            "the nearest is \(unknown.nearest.first ?? "none"); correct the entry or the document, "
            + "or write \"check: replies\" beside the document")
      case .call(let call)?:
        guard call.document.checksReplies else { return }
        for (reply, planned) in zip(entry.replies, replies) {
          if let planned { check(reply, planned, of: call) }
        }
      }
      return
    }
  }

  private mutating func check(
    _ reply: Reply, _ planned: PlannedReply, of call: OpenAPIOperations.Call
  ) {
    guard planned.fault == nil, planned.computation?.fault == nil,
      planned.computation?.status == nil
    else { return }
    let review = OpenAPIReview(of: call)
    switch (reply.body, planned.body) {
    case (.webSocket, _), (.grpc, _), (.handler, _): return
    case (_, .text(let text)):
      let body: [UInt8]? =
        switch text.segments.first {
        case .literal(let literal)? where text.segments.count == 1: Array(literal.utf8)
        case nil: []
        default: nil
        }
      let type = planned.header("content-type", "text/plain")
      reportFirst(
        review.violations(ofStatus: planned.status, type: type, body), of: call, at: reply.range)
    case (_, .empty):
      reportFirst(
        review.violations(ofStatus: planned.status, type: nil, []), of: call, at: reply.range)
    case (_, .stream), (_, .file), (_, .bytes), (_, .template), (_, .computedFile):
      let type = planned.header("content-type", nil)
      reportFirst(
        review.violations(ofStatus: planned.status, type: type, nil), of: call, at: reply.range)
    case (.json(let node), .json(let data)):
      if reportViolation(review.violation(ofStatus: planned.status), of: call, at: reply.range) {
        return
      }
      guard let value = data.literal, let type = planned.writtenType else { return }
      let violation = review.violation(ofBody: value, type: type, status: planned.status)
      let steps = violation?.bodyPath.flatMap { (try? JSONPathQuery($0))?.steps } ?? []
      reportViolation(violation, of: call, at: node.range(of: steps))
    default:
      reportViolation(review.violation(ofStatus: planned.status), of: call, at: reply.range)
    }
  }

  private mutating func reportFirst(
    _ violations: [OpenAPIViolation], of call: OpenAPIOperations.Call, at range: SourceRange
  ) {
    reportViolation(violations.first, of: call, at: range)
  }

  /// Reports what the document does not allow; answers whether there is anything.
  @discardableResult
  private mutating func reportViolation(
    _ violation: OpenAPIViolation?, of call: OpenAPIOperations.Call, at range: SourceRange
  ) -> Bool {
    guard let violation else { return false }
    let title = call.operation.title
    data.diagnostics.report(
      Diagnostic(
        "the reply to \(title) is not as \(call.document.path) says: \(violation.message)",
        code: .badOpenAPIReply, at: range,
        help: "correct the reply or the document; or write \"check: requests\" beside the document",
        notes: [Diagnostic.Note("\(title) is described here", at: violation.range)]))
    return true
  }
}

extension PlannedReply {
  /// The media type of a body that is JSON; `nil` if only the run knows it.
  fileprivate var writtenType: String? { header("content-type", "application/json") }

  /// The value of a header; `nil` if only the run knows it.
  fileprivate func header(_ name: String, _ usual: String?) -> String? {
    guard let header = headers.first(where: { $0.name.lowercased() == name }) else {
      return usual
    }
    guard case .literal(let text)? = header.value.segments.first, header.value.segments.count == 1
    else { return nil }
    return text
  }
}
