internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns

/// Identifies recorded requests that are the same to a replay: secrets do not count.
struct RecordedRequestKey: Hashable, Comparable {
  let method: String
  let url: String
  private let place: String
  private let queryCount: Int
  /// The condition on the body: the key and its value.
  private let condition: [String: Value]
  private let conditionText: String
  /// The name of an entry whose request line says little: the GraphQL operation.
  private let name: String?
  /// The GraphQL operation, where the entry is one for it.
  private let operation: RecordedOperation?
  private let operationConditions: OrderedDictionary<String, Value>

  init(
    _ exchange: RecordedExchange, _ redaction: Redaction, _ operations: RecordedOperations
  ) {
    var target = exchange.target
    target.query.removeAll { redaction.hides($0.name) }
    target.query.sort { ($0.name, $0.value) < ($1.name, $1.value) }
    let literal = Self.literal(target.text)
    let operation = operations.operation(of: exchange, redaction)
    self.operation = operation
    url = literal
    var place = target
    place.query = []
    self.place = place.text
    if let operation {
      // The same operation may come by GET and by POST.
      method = ""
      queryCount = 0
      self.operationConditions = operations.conditions(on: operation, at: Self.literal(place.text))
      name = nil
      condition = [:]
      conditionText = Value.map(operationConditions).jsonText()
      return
    }
    operationConditions = [:]
    method = exchange.method
    queryCount = target.query.count
    name = Self.operation(of: exchange)
    let condition = Self.condition(on: exchange, redaction)
    self.condition = condition.map { [$0.key: $0.value] } ?? [:]
    conditionText = condition.map { "\($0.key) \($0.value.jsonText())" } ?? ""
  }

  static func == (left: RecordedRequestKey, right: RecordedRequestKey) -> Bool {
    left.method == right.method && left.place == right.place && left.operation == right.operation
      && (left.operation != nil || left.url == right.url && left.condition == right.condition)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(place)
    hasher.combine(operation)
    if operation == nil {
      hasher.combine(url)
      hasher.combine(condition)
    }
  }

  /// Orders entries, which are tried in order: as an entry's query allows more than it names, one
  /// with more conditions comes earlier.
  static func < (left: RecordedRequestKey, right: RecordedRequestKey) -> Bool {
    if left.place != right.place { return left.place < right.place }
    if left.method != right.method { return left.method < right.method }
    if left.queryCount != right.queryCount { return left.queryCount > right.queryCount }
    if left.operation == nil, left.url != right.url { return left.url < right.url }
    let (leftLength, rightLength) = (left.conditionText.utf8.count, right.conditionText.utf8.count)
    if leftLength != rightLength { return leftLength > rightLength }
    return left.conditionText < right.conditionText
  }

  /// The entry in the language's words.
  func entry(replies: [RecordedExchange.Outcome], _ writer: inout ReplyWriter) -> Value {
    if operation != nil {
      var entry = operationConditions
      entry["reply"] = writer.results(replies)
      return .map(entry)
    }
    var request = Value.string("\(method) \(url)")
    if !condition.isEmpty {
      var members: OrderedDictionary<String, Value> = [
        "method": .string(method), "url": .string(url),
      ]
      for (key, value) in condition { members[key] = value }
      request = .map(members)
    }
    var entry: OrderedDictionary<String, Value> = [:]
    if let name { entry["name"] = .string(name) }
    entry["request"] = request
    entry["reply"] = writer.queue(replies)
    return .map(entry)
  }

  /// A URL in which nothing is a template.
  private static func literal(_ url: String) -> String {
    url.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("*", with: "%2A")
  }

  // MARK: - Bodies

  /// The GraphQL operation that a request names.
  private static func operation(of exchange: RecordedExchange) -> String? {
    let request = IncomingRequest(
      method: exchange.method, target: exchange.target, headers: exchange.headers,
      body: exchange.body)
    guard let found = request.graphQL?.operation, let name = found.name else { return nil }
    return "\(found.kind.rawValue) \(name.text)"
  }

  private static func condition(
    on exchange: RecordedExchange, _ redaction: Redaction
  ) -> (key: String, value: Value)? {
    guard exchange.body.count <= Recording.largestCondition else { return nil }
    let field = exchange.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    let type = field.split(separator: ";").first.map { $0.lowercased() } ?? ""
    // The boundary of multipart bodies is another each time.
    guard !type.hasPrefix("multipart/") else { return nil }
    let isForm = type == "application/x-www-form-urlencoded"
    switch RecordableBody(exchange.body, mediaType: type.isEmpty || isForm ? nil : type) {
    case .bytes(let bytes) where exchange.isPlainCall:
      return ("body", .map(["base64": .string(Base64.encoded(bytes))]))
    case .empty, .bytes: return nil
    case .json(let value):
      if let rest = redaction.withoutSecrets(value) { return ("json", .map(["contains": rest])) }
      return ("json", .map(["equals": value]))
    case .text(let text):
      if isForm { return form(text, redaction) }
      guard let parts = redaction.partsBetweenSecrets(of: text) else {
        return ("body", .map(["equals": .string(text)]))
      }
      guard text.utf8.count <= longestExpression else { return nil }
      // What is secret may be anything, over several lines too.
      let expression = parts.map { escaped($0) }.joined(separator: "[\\s\\S]*")
      return ("body", .map(["matches": .string("^\(expression)$")]))
    }
  }

  /// Texts beyond this many bytes make no regular expression.
  private static let longestExpression = 4096

  /// A form whose secrets may be anything.
  private static func form(
    _ text: String, _ redaction: Redaction
  ) -> (key: String, value: Value) {
    let fields = text.split(separator: "&", omittingEmptySubsequences: false)
    let names = fields.map { field in
      PercentEncoding.decoded(field.prefix { $0 != "=" }, plusIsSpace: true)
    }
    guard names.contains(where: { redaction.hides($0) }) else {
      return ("body", .map(["equals": .string(text)]))
    }
    let parts = zip(fields, names).map { field, name in
      redaction.hides(name)
        ? escaped(field.prefix { $0 != "=" }) + "=[^&]*" : escaped(field)
    }
    return ("body", .map(["matches": .string("^\(parts.joined(separator: "&"))$")]))
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    text.map { "\\.+*?()[]{}|^$/-".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
