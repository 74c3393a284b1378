package import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// What a request or a reply has that its document does not allow.
package struct OpenAPIViolation: Sendable, Hashable {
  /// The place and the mistake: lower case, no full stop.
  package var message: String
  /// The path of the value inside of a body that is JSON; `nil` for other mistakes.
  package var bodyPath: String?
  /// The place in the document that says so.
  package var range: SourceRange

  init(_ message: String, bodyPath: String? = nil, at range: SourceRange) {
    self.message = message
    self.bodyPath = bodyPath
    self.range = range
  }
}

/// Compares requests and replies with the operation that they are for.
package struct OpenAPIReview: Sendable {
  /// The fields that parameters of OpenAPI do not describe ("Parameter Object").
  private static let ignoredHeaders: Set<String> = ["accept", "authorization", "content-type"]

  private let call: OpenAPIOperations.Call

  /// Prepares the review of what is for an operation.
  package init(of call: OpenAPIOperations.Call) {
    self.call = call
  }

  // MARK: - Requests

  /// The mistakes of a request, in the order of the document.
  package func violations(of request: IncomingRequest) -> [OpenAPIViolation] {
    let schemas = call.document.requestSchemas
    let reader = OpenAPIParameterReader(
      request: request, captures: call.captures, schemas: schemas)
    let found = call.operation.parameters.compactMap { violation(of: $0, reader) }
    return found + (violation(ofBody: request).map { [$0] } ?? [])
  }

  private func violation(
    of parameter: PlannedOpenAPI.Parameter, _ reader: OpenAPIParameterReader
  ) -> OpenAPIViolation? {
    if parameter.place == .header, Self.ignoredHeaders.contains(parameter.name.lowercased()) {
      return nil
    }
    let kind = parameter.place == .query || parameter.place == .path ? " parameter" : ""
    let name = "\(parameter.place.rawValue)\(kind) \"\(parameter.name)\""
    func expected(_ expected: String, _ actual: String) -> OpenAPIViolation {
      OpenAPIViolation("\(name): expected \(expected), got \(actual)", at: parameter.range)
    }
    switch reader.reading(of: parameter) {
    case .missing:
      guard parameter.isRequired else { return nil }
      return OpenAPIViolation("\(name) is missing, but required", at: parameter.range)
    case .empty where parameter.allowsEmpty: return nil
    case .empty: return schemaViolation(of: .string(""), parameter, reader.schemas, expected)
    case .broken(let wish, let actual): return expected(wish, actual)
    case .values(let values):
      var first: OpenAPIViolation?
      for value in values {
        guard let found = schemaViolation(of: value, parameter, reader.schemas, expected) else {
          return nil
        }
        first = first ?? found
      }
      return first
    }
  }

  private func schemaViolation(
    of value: Value, _ parameter: PlannedOpenAPI.Parameter, _ schemas: JSONSchema,
    _ expected: (String, String) -> OpenAPIViolation
  ) -> OpenAPIViolation? {
    guard let schema = parameter.schema,
      let violation = schemas.firstViolation(in: value, of: schema)
    else { return nil }
    if let reason = violation.givenUp {
      return expected("a value of its schema", "one that \(reason.message)")
    }
    let place = violation.path == "$" ? "" : " at \(violation.path)"
    return expected(violation.expected + place, violation.actual.excerpt())
  }

  private func violation(ofBody request: IncomingRequest) -> OpenAPIViolation? {
    guard let body = call.operation.body else { return nil }
    guard request.bodyLength > 0 else {
      return body.isRequired
        ? OpenAPIViolation("body is missing, but required", at: body.range) : nil
    }
    guard !body.contents.isEmpty else { return nil }
    let type = request.header("content-type").map { OpenAPIMediaType.name(of: $0) }
    guard
      let content = OpenAPIMediaType.content(
        for: type ?? "application/octet-stream", among: body.contents)
    else {
      return Self.violation(ofType: type, body.contents, at: body.range)
    }
    guard request.truncation == nil, let schema = content.schema, let type else { return nil }
    let schemas = call.document.requestSchemas
    if OpenAPIMediaType.isJSON(type) {
      guard let json = request.json else {
        let reason = request.jsonError?.message ?? "nothing"
        return OpenAPIViolation("body: expected JSON, got \(reason)", at: body.range)
      }
      return Self.violation(ofBody: json, schemas, schema, at: body.range)
    }
    let shape = OpenAPIShape(schema, of: schemas)
    if let form = request.form {
      return violation(ofForm: form.map { ($0.name, $0.value) }, request, content, shape, body)
    }
    guard let parts = request.parts else { return nil }
    // What parts hold may be of any type: their names are compared.
    let missing = shape.required.first { name in !parts.contains { $0.name == name } }
    return missing.map {
      OpenAPIViolation("body: the part \"\($0)\" is missing, but required", at: body.range)
    }
  }

  /// The mistake of a form, whose fields are written as its `encoding` says.
  private func violation(
    ofForm fields: [(name: String, value: String)], _ request: IncomingRequest,
    _ content: PlannedOpenAPI.Content, _ shape: OpenAPIShape, _ body: PlannedOpenAPI.Body
  ) -> OpenAPIViolation? {
    guard let schema = content.schema else { return nil }
    let schemas = call.document.requestSchemas
    let reader = OpenAPIParameterReader(
      request: request, captures: [:], schemas: schemas, form: fields)
    var known: OrderedDictionary<String, Value> = [:]
    for field in content.fields ?? [] {
      guard case .values(let values) = reader.reading(of: field), let first = values.first else {
        continue
      }
      known[field.name] =
        values.first { value in
          field.schema.map { schemas.firstViolation(in: value, of: $0) == nil } ?? true
        } ?? first
    }
    let value = shape.map(ofForm: fields.map { (name: $0.name, text: $0.value) }, known: known)
    let found = Self.violation(ofBody: value, schemas, schema, at: body.range)
    let unread = (content.unreadFields ?? []).map { "$" + PathStep.key($0).text }
    guard let path = found?.bodyPath, unread.contains(where: { path.hasPrefix($0) }) else {
      return found
    }
    return nil
  }

  private static func violation(
    ofType type: String?, _ contents: [PlannedOpenAPI.Content], at range: SourceRange
  ) -> OpenAPIViolation {
    let types = contents.map(\.type).joined(separator: " or ")
    return OpenAPIViolation(
      "header \"content-type\": expected \(types), got \(type ?? "none")", at: range)
  }

  private static func violation(
    ofBody value: Value, _ schemas: JSONSchema, _ schema: String, at range: SourceRange
  ) -> OpenAPIViolation? {
    guard let violation = schemas.firstViolation(in: value, of: schema) else { return nil }
    if let reason = violation.givenUp {
      return OpenAPIViolation("body: \(reason.message)", at: range)
    }
    return OpenAPIViolation(
      "body: \(violation.path): expected \(violation.expected), got \(violation.actual.excerpt())",
      bodyPath: violation.path, at: range)
  }

  // MARK: - Replies

  /// The mistake of a reply's status; `nil` if the document has it.
  ///
  /// That a server fails, or someone on the way to it, is never a part of its description: 500 to 599 are always allowed.
  package func violation(ofStatus status: Int) -> OpenAPIViolation? {
    let responses = call.operation.responses
    guard !responses.isEmpty, status < 500, response(for: status) == nil else { return nil }
    let known = responses.map(\.status).sorted().joined(separator: ", ")
    return OpenAPIViolation(
      "status: expected \(known), got \(status)", at: call.operation.range)
  }

  /// The mistake of a reply's body that is JSON; `nil` if the document allows it.
  ///
  /// - Parameter type: the media type that the reply names.
  package func violation(
    ofBody value: Value, type: String, status: Int
  ) -> OpenAPIViolation? {
    guard let response = response(for: status), !response.contents.isEmpty else { return nil }
    guard
      let content = OpenAPIMediaType.content(
        for: OpenAPIMediaType.name(of: type), among: response.contents)
    else {
      return Self.violation(
        ofType: OpenAPIMediaType.name(of: type), response.contents, at: response.range)
    }
    guard let schema = content.schema else { return nil }
    return Self.violation(ofBody: value, call.document.replySchemas, schema, at: response.range)
  }

  /// The mistakes of a reply.
  ///
  /// - Parameters:
  ///   - type: the media type that the reply names.
  ///   - body: its bytes; `nil` if they are not known yet.
  ///   - mayBeEmpty: whether the request is one whose replies have no body (HEAD).
  package func violations(
    ofStatus status: Int, type: String?, _ body: [UInt8]?, mayBeEmpty: Bool = false
  ) -> [OpenAPIViolation] {
    if let violation = violation(ofStatus: status) { return [violation] }
    guard let response = response(for: status), !response.contents.isEmpty else { return [] }
    let name = type.map { OpenAPIMediaType.name(of: $0) }
    let content = name.flatMap { OpenAPIMediaType.content(for: $0, among: response.contents) }
    // A proxy's failure is not what "default" describes.
    if status >= 500, response.status == "default", body?.isEmpty == true || content == nil {
      return []
    }
    if let body, body.isEmpty {
      let isMissing =
        !mayBeEmpty && status >= 200 && status != 204 && status != 304
        && response.contents.allSatisfy { OpenAPIMediaType.isNeverEmpty($0.type) }
      let types = response.contents.map(\.type).joined(separator: " or ")
      return isMissing
        ? [OpenAPIViolation("body: expected \(types), got none", at: response.range)] : []
    }
    guard let type, let name else { return [] }
    guard content != nil else {
      return [Self.violation(ofType: name, response.contents, at: response.range)]
    }
    guard let body, OpenAPIMediaType.isJSON(name) else { return [] }
    do throws(JSONParseError) {
      let value = try JSONText.parse(utf8: body)
      return violation(ofBody: value, type: type, status: status).map { [$0] } ?? []
    } catch {
      return [OpenAPIViolation("body: expected JSON, got \(error.message)", at: response.range)]
    }
  }

  private func response(for status: Int) -> PlannedOpenAPI.Response? {
    call.operation.responses.first { $0.status == "\(status)" }
      ?? call.operation.responses.first { $0.status == "\(status / 100)XX" }
      ?? call.operation.responses.first { $0.status == "default" }
  }
}
