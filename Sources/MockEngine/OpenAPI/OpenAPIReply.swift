internal import Foundations
internal import OrderedCollections
package import Patterns
internal import ScenarioPlan

/// The reply to a request by what a document says: its examples, or values that its schemas allow.
package struct OpenAPIReply: Sendable, Hashable {
  /// The status.
  package var status: Int
  /// Names and values of the fields.
  package var headers: [IncomingRequest.Header]
  /// The body.
  package var body: [UInt8]

  /// Makes the reply to a request, always the same one to the same request.
  ///
  /// - Throws: If neither an example nor a schema gives a body.
  package init(
    to request: IncomingRequest, by call: OpenAPIOperations.Call
  ) throws(PatternError) {
    let response = Self.response(of: call.operation)
    status = response.map { Self.status($0.status) } ?? 200
    headers = []
    body = []
    guard let response else { return }
    var key = StreamKey(seed: call.document.seed, entry: "openapi \(call.operation.title)")
    key.add(request.target.text)
    for byte in request.body.prefix(4096) { key.add(byte) }
    let seed = key.value
    for header in response.headers where header.name.lowercased() != "content-type" {
      let value =
        try Self.value(header.example, header.schema, call, seed) ?? .string("text")
      headers.append(.init(name: header.name, value: Self.text(of: value)))
    }
    guard status >= 200, status != 204, status != 304, !response.contents.isEmpty else { return }
    let contents = OpenAPIMediaType.preferred(
      response.contents, by: request.header("accept"))
    guard let content = contents.first(where: { Self.canBeMade($0, call.document) }) else {
      throw PatternError(
        "\(call.document.path) has no example of \(contents[0].type) for \(call.operation.title)",
        help: Self.help)
    }
    let type = OpenAPIMediaType.concrete(content.type)
    let value = try Self.value(content.example, content.schema, call, seed) ?? .map([:])
    let isText = type.hasPrefix("text/") && !type.contains("charset")
    headers.append(.init(name: "content-type", value: isText ? type + "; charset=utf-8" : type))
    body = Array((OpenAPIMediaType.isJSON(type) ? value.jsonText() : Self.text(of: value)).utf8)
  }

  /// The lowest status that says success, then `default`, then the lowest there is.
  private static func response(of operation: PlannedOpenAPI.Operation) -> PlannedOpenAPI.Response? {
    let sorted = operation.responses.sorted { $0.status < $1.status }
    return sorted.first { $0.status.hasPrefix("2") }
      ?? sorted.first { $0.status == "default" } ?? sorted.first
  }

  private static func status(_ text: String) -> Int {
    if text == "default" { return 200 }
    return Int(text) ?? (text.first?.wholeNumberValue).map { $0 * 100 } ?? 200
  }

  /// Whether a body of a type can be written: JSON by any schema, any other by an example or as plain text.
  private static func canBeMade(
    _ content: PlannedOpenAPI.Content, _ document: PlannedOpenAPI
  ) -> Bool {
    if content.example != nil || OpenAPIMediaType.isJSON(OpenAPIMediaType.concrete(content.type)) {
      return true
    }
    guard let schema = content.schema else { return true }
    let types = OpenAPIShape(schema, of: document.replySchemas).types
    return !types.isEmpty && types.isDisjoint(with: ["object", "array"])
  }

  /// The example, or a value that the schema allows; `nil` if there is neither.
  private static func value(
    _ example: Value?, _ schema: String?, _ call: OpenAPIOperations.Call, _ seed: UInt64
  ) throws(PatternError) -> Value? {
    if let example { return example }
    guard let schema else { return nil }
    var sample = SchemaSample(
      schema: call.document.replySchemas, definition: schema, for: .illustration,
      random: SplitMix64(seed: seed))
    do throws(PatternError) {
      return try sample.value()
    } catch {
      throw PatternError(
        "\(error.message), for \(call.operation.title) (\(call.operation.range.description))",
        help: Self.help)
    }
  }

  private static let help = "add an example to the document, or an entry to \"responses\""

  private static func text(of value: Value) -> String {
    if case .list(let elements) = value {
      return elements.map { text(of: $0) }.joined(separator: ",")
    }
    return value.textForm ?? value.jsonText()
  }
}
