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
  /// The names of items of the query whose values are secrets.
  private let secretItems: [String]
  /// The condition on the body.
  private let condition: RecordedCondition?
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
    let secretItems = target.query.filter { redaction.hides($0.name) }.map(\.name).sorted()
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
      self.secretItems = []
      condition = nil
      conditionText = Value.map(operationConditions).jsonText()
      return
    }
    operationConditions = [:]
    method = exchange.method
    queryCount = target.query.count + secretItems.count
    self.secretItems = secretItems
    name = Self.operation(of: exchange)
    let condition = RecordedCondition(on: exchange, redaction)
    self.condition = condition
    conditionText = Value.map(condition.members).jsonText()
  }

  static func == (left: RecordedRequestKey, right: RecordedRequestKey) -> Bool {
    left.method == right.method && left.place == right.place && left.operation == right.operation
      && (left.operation != nil
        || left.url == right.url && left.secretItems == right.secretItems
          && left.condition == right.condition)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(place)
    hasher.combine(operation)
    if operation == nil {
      hasher.combine(url)
      hasher.combine(secretItems)
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
    if left.secretItems != right.secretItems {
      return left.secretItems.lexicographicallyPrecedes(right.secretItems)
    }
    let (leftOmits, rightOmits) = (
      left.condition?.omission != nil, right.condition?.omission != nil
    )
    // One that takes any body would take those that others are for.
    if leftOmits != rightOmits { return rightOmits }
    let (leftLength, rightLength) = (left.conditionText.utf8.count, right.conditionText.utf8.count)
    if leftLength != rightLength { return leftLength > rightLength }
    return left.conditionText < right.conditionText
  }

  /// The request, and the reason why its body is not compared; `nil` if it is.
  var omission: String? {
    condition?.omission.map { "\(method) \(url), as \($0)" }
  }

  /// The entry in the language's words.
  func entry(replies: [RecordedExchange.Outcome], _ writer: inout ReplyWriter) -> Value {
    if operation != nil {
      var entry = operationConditions
      entry["reply"] = writer.results(replies)
      return .map(entry)
    }
    var request: OrderedDictionary<String, Value> = [
      "method": .string(method), "url": .string(url),
    ]
    var query: OrderedDictionary<String, Value> = [:]
    for item in secretItems { query[item] = .map(["exists": .bool(true)]) }
    if !query.isEmpty { request["query"] = .map(query) }
    // How often a secret stands in the query cannot be said without its values.
    if query.count == secretItems.count { request["exact"] = .bool(true) }
    request.merge(condition?.members(&writer) ?? [:]) { $1 }
    var entry: OrderedDictionary<String, Value> = [:]
    if let name { entry["name"] = .string(name) }
    entry["request"] = .map(request)
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
}
