internal import Foundations
internal import OrderedCollections
internal import Patterns

/// The URL of a recorded request as a replay compares it: all of it but its secrets.
struct RecordedAddress: Hashable {
  /// The pattern of the URL, with the items of the query that need no conditions.
  let url: String
  /// The pattern of the URL without its query.
  let place: String
  /// The conditions on the items of the query whose values are secrets, by name.
  let query: OrderedDictionary<String, Value>
  /// The number of items of the query.
  let itemCount: Int
  /// True if the query has nothing but what is named.
  let isExact: Bool
  /// True if there are others, recorded without secrets, that it may match as well.
  let hasGaps: Bool

  /// Reads the URL of a request.
  init(_ target: RequestTarget, _ redaction: Redaction) {
    var shown = target
    let path = Self.pattern(target.path, redaction)
    shown.path = path.text
    var hasGaps = path.hasGaps
    var query: OrderedDictionary<String, Value> = [:]
    var plain: [URLPattern.QueryItem] = []
    // A name with a secret is not said, and so not that there is nothing else.
    let items = target.query.filter { !redaction.holdsSecret($0.name) }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    for (name, values) in OrderedDictionary(grouping: items, by: \.name) {
      let conditions = values.map { Self.condition(on: $0, redaction) }
      guard conditions.contains(where: { $0 != nil }) else {
        plain += values
        continue
      }
      if !redaction.hides(name) { hasGaps = true }
      query[name] =
        conditions.count == 1
        ? redaction.hides(name) ? .map(["exists": .bool(true)]) : conditions[0]
        : .list(zip(values, conditions).map { $1 ?? Self.exactly($0.value) })
    }
    shown.query = plain
    url = shown.text
    shown.query = []
    place = shown.text
    self.query = query
    itemCount = items.count
    isExact = items.count == target.query.count
    self.hasGaps = hasGaps || !isExact
  }

  /// The conditions on the query, for an order.
  var queryText: String { Value.map(query).jsonText() }

  /// The condition on an item whose value is a secret; `nil` if it is none.
  private static func condition(on item: URLPattern.QueryItem, _ redaction: Redaction) -> Value? {
    let parts =
      redaction.hides(item.name) ? ["", ""] : redaction.partsBetweenSecrets(of: item.value)
    guard let parts else { return nil }
    return .map(Redaction.condition(parts))
  }

  private static func exactly(_ text: String) -> Value {
    .map(text.isEmpty ? ["empty": .bool(true)] : text.asExactCondition)
  }

  /// The pattern of a path, in which a star stands for each segment of a secret, and nothing else is a template.
  private static func pattern(_ path: String, _ redaction: Redaction) -> (
    text: String, hasGaps: Bool
  ) {
    // RFC 9112, section 3.2.4: the target of OPTIONS alone; a pattern begins with a slash.
    if path == "*" { return ("/" + PercentEncoding.shieldedPattern(path), false) }
    let bytes = Array(path.utf8)
    let secrets = redaction.secrets(in: path)
    var pattern = ""
    var position = 0
    for secret in secrets {
      pattern += literal(bytes[position..<secret.lowerBound])
      for segment in bytes[secret].split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
      ).enumerated() {
        if segment.offset > 0 { pattern += "/" }
        if !segment.element.isEmpty, !pattern.hasSuffix("*") { pattern += "*" }
      }
      position = secret.upperBound
    }
    return (pattern + literal(bytes[position...]), !secrets.isEmpty)
  }

  private static func literal(_ path: ArraySlice<UInt8>) -> String {
    PercentEncoding.shieldedPattern(String(decoding: path, as: UTF8.self))
  }
}
