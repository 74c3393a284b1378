internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

/// The entry that an author would write for a request.
package enum RequestSuggestion {
  /// Bodies longer than this are left out.
  private static let bodyLimit = 600
  /// The content of parts longer than this is left out.
  private static let partLimit = 100
  /// YAML 1.2, section 7.4.2: the longest key that needs no mark of its own.
  private static let keyLimit = 1000

  /// Returns lines of YAML, ready to be put below `responses:`.
  package static func lines(for request: IncomingRequest) -> [String] {
    if let graphQL = request.graphQL, let name = request.operationName,
      let kind = graphQL.operation?.kind
    {
      return operation(kind, name, graphQL.variables)
    }
    if let call = request.call, call.problem == nil { return self.call(call, request) }
    let line = "\(request.method) \(request.target.text)"
    let conditions = body(of: request)
    guard !conditions.isEmpty || line.utf8.count > keyLimit else {
      return ["- \(line): { status: 200 }"]
    }
    return [
      "- request:", "    method: \(request.method)", "    url: \(quoted(request.target.text))",
    ] + conditions.map { "    " + $0 } + ["  reply: { status: 200 }"]
  }

  private static func call(_ call: IncomingCall, _ request: IncomingRequest) -> [String] {
    var lines = [
      "- request:", "    method: \(request.method)", "    url: \(quoted(request.target.text))",
    ]
    var steps = ["{ message: {} }"]
    let messages = call.written.filter {
      isData($0) && $0.jsonText().utf8.count <= bodyLimit
    }
    if call.isStream {
      let awaited = messages.prefix(20).map { "{ expect: { message: { equals: \(flow($0)) } } }" }
      steps = awaited + steps
    } else if let message = messages.last {
      lines.append("    message: { equals: \(flow(message)) }")
    }
    guard steps.count > 1 else {
      return lines + ["  reply: { grpc: { messages: \(steps[0]) } }"]
    }
    return lines + ["  reply:", "    grpc:", "      messages:"] + steps.map { "        - \($0)" }
  }

  private static func operation(
    _ kind: GraphQLOperationKind, _ name: String, _ variables: Value
  ) -> [String] {
    var lines = ["- \(kind.rawValue): \(name)"]
    if case .map(let members) = variables, !members.isEmpty,
      variables.jsonText().utf8.count <= bodyLimit, isData(variables),
      !Matcher.mayStand(in: variables)
    {
      lines.append("  variables: \(flow(variables))")
    }
    let reply = kind == .subscription ? "{ stream: [{ next: { data: {} } }] }" : "{ data: {} }"
    return lines + ["  reply: \(reply)"]
  }

  private static func body(of request: IncomingRequest) -> [String] {
    if let json = request.json {
      guard request.body.count <= bodyLimit else { return [] }
      guard isData(json) else { return ["body: \(quoted(request.text))"] }
      return ["json: { equals: \(flow(json)) }"]
    }
    // Clients such as curl call a body a form whatever it is.
    if request.body.count <= bodyLimit, case .document = request.xml.content,
      let text = String(validating: request.body, as: UTF8.self)
    {
      return ["xml: \(quoted(text))"]
    }
    if let form = request.form, request.body.count <= bodyLimit {
      var fields: OrderedDictionary<String, [Value]> = [:]
      for item in form { fields[item.name, default: []].append(.string(item.value)) }
      let map = fields.mapValues { $0.count == 1 ? $0[0] : Value.list($0) }
      return ["form: \(flow(.map(map)))"]
    }
    if let parts = request.parts, !parts.isEmpty {
      // Each name is one key, whatever it names.
      var names: Set<String> = []
      return ["parts:"]
        + parts.filter { names.insert($0.name).inserted }.prefix(20).map { part in
          "  \(quoted(part.name)): \(condition(on: part))"
        }
    }
    guard !request.body.isEmpty, request.body.count <= bodyLimit else { return [] }
    guard let text = String(validating: request.body, as: UTF8.self) else {
      return ["body: { base64: \(quoted(Base64.encoded(request.body))) }"]
    }
    return ["body: \(quoted(text))"]
  }

  private static func condition(on part: MultipartPart) -> String {
    if let filename = part.filename { return "{ filename: \(quoted(filename)) }" }
    guard part.content.count <= partLimit else {
      return "{ content_type: \(quoted(part.contentType)) }"
    }
    guard let text = String(validating: part.content, as: UTF8.self) else {
      return "{ base64: \(quoted(Base64.encoded(part.content))) }"
    }
    return quoted(text)
  }

  /// Returns whether a value means itself in the language, where keys that begin with "$" generate, and keys hold no
  /// expressions.
  private static func isData(_ value: Value) -> Bool {
    switch value {
    case .list(let elements): elements.allSatisfy { isData($0) }
    case .map(let members):
      members.allSatisfy { !$0.key.hasPrefix("$") && !$0.key.contains("${{") && isData($0.value) }
    case .null, .bool, .integer, .number, .string: true
    }
  }

  /// Returns JSON as YAML, in which a `${{` must be literal.
  private static func flow(_ value: Value) -> String {
    Template.shielded(value.jsonText())
  }

  private static func quoted(_ text: String) -> String {
    flow(.string(text))
  }
}
