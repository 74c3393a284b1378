internal import Foundations
internal import GraphQL
internal import OrderedCollections
internal import Patterns

/// Identifies recorded requests that are the same to a replay: secrets do not count.
struct RecordedRequestKey: Hashable, Comparable {
  let method: String
  private let address: RecordedAddress
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
    address = RecordedAddress(exchange.target, redaction)
    let operation = operations.operation(of: exchange, redaction)
    self.operation = operation
    if let operation {
      // The same operation may come by GET and by POST.
      method = ""
      self.operationConditions = operations.conditions(on: operation, at: address.place)
      name = nil
      condition = nil
      conditionText = Value.map(operationConditions).jsonText()
      return
    }
    operationConditions = [:]
    method = exchange.method
    name = Self.operation(of: exchange)
    let condition = RecordedCondition(on: exchange, redaction)
    self.condition = condition
    conditionText = Value.map(condition.members).jsonText()
  }

  static func == (left: RecordedRequestKey, right: RecordedRequestKey) -> Bool {
    left.method == right.method && left.address.place == right.address.place
      && left.operation == right.operation
      && (left.operation != nil
        || left.address == right.address && left.condition == right.condition)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(address.place)
    hasher.combine(operation)
    if operation == nil {
      hasher.combine(address)
      hasher.combine(condition)
    }
  }

  /// The number of items of the query that are compared.
  private var queryCount: Int { operation == nil ? address.itemCount : 0 }

  /// Orders entries, which are tried in order: as an entry's query allows more than it names, one
  /// with more conditions comes earlier.
  static func < (left: RecordedRequestKey, right: RecordedRequestKey) -> Bool {
    let (one, other) = (left.address, right.address)
    // One with a gap would take those that others are for, and the wider the gap the more.
    if one.hasGaps != other.hasGaps { return other.hasGaps }
    let (oneLength, otherLength) = (one.place.utf8.count, other.place.utf8.count)
    if one.hasGaps, oneLength != otherLength { return oneLength > otherLength }
    if one.place != other.place { return one.place < other.place }
    if left.method != right.method { return left.method < right.method }
    if left.queryCount != right.queryCount { return left.queryCount > right.queryCount }
    if left.operation == nil {
      if one.query != other.query {
        let (text, otherText) = (one.queryText, other.queryText)
        return text.utf8.count != otherText.utf8.count
          ? text.utf8.count > otherText.utf8.count : text < otherText
      }
      if one.url != other.url { return one.url < other.url }
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
    condition?.omission.map { "\(method) \(address.url), as \($0)" }
  }

  /// The entry in the language's words.
  func entry(replies: [RecordedExchange.Outcome], _ writer: inout ReplyWriter) -> Value {
    if operation != nil {
      var entry = operationConditions
      entry["reply"] = writer.results(replies)
      return .map(entry)
    }
    var request: OrderedDictionary<String, Value> = [
      "method": .string(method), "url": .string(address.url),
    ]
    if !address.query.isEmpty { request["query"] = .map(address.query) }
    if address.isExact { request["exact"] = .bool(true) }
    request.merge(condition?.members(&writer) ?? [:]) { $1 }
    var entry: OrderedDictionary<String, Value> = [:]
    if let name { entry["name"] = .string(name) }
    entry["request"] = .map(request)
    entry["reply"] = writer.queue(replies)
    return .map(entry)
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
