internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// The parts of a request that an entry does not name.
extension RequestAssessment {
  /// Assesses that query, form and parts have nothing but what is named.
  mutating func assessRest(_ wanted: PlannedRequest, _ request: IncomingRequest) {
    // A condition on the whole URL is one on its query, unless "query" says what that has.
    if wanted.address == nil || !wanted.query.isEmpty {
      assess(
        request.target.query, named: wanted.url?.query ?? [], wanted.query, as: "query",
        "no other item")
    }
    // Of what is cut nobody knows what it has; the condition on it does not hold anyway.
    guard request.truncation == nil else { return }
    if !wanted.form.isEmpty {
      assess(request.form ?? [], named: [], wanted.form, as: "form", "no other field")
    }
    guard !wanted.parts.isEmpty else { return }
    var named = wanted.parts.map(\.name)
    let rest = (request.parts ?? []).map(\.name).filter { name in
      guard let index = named.firstIndex(of: name) else { return true }
      named.remove(at: index)
      return false
    }
    add("parts", "no other part", Self.list(rest))
  }

  private mutating func assess(
    _ items: [URLPattern.QueryItem], named: [URLPattern.QueryItem],
    _ conditions: [PlannedNamedCondition], as kind: String, _ expected: String
  ) {
    var named = named
    var counts: [String: Int] = [:]
    for condition in conditions {
      let count =
        switch condition.condition {
        case .absent: 0
        case .exists, .some: 1
        case .each(let matchers): matchers.count
        }
      counts[condition.name, default: 0] += count
    }
    // A value that no condition allows has been reported with its name.
    let reported = Set(predicates.filter { !$0.isSatisfied }.map(\.name))
    let rest = items.filter { item in
      if let index = named.firstIndex(of: item) {
        named.remove(at: index)
        return false
      }
      guard let count = counts[item.name], count > 0 else { return true }
      counts[item.name] = count - 1
      return false
    }.filter { !reported.contains("\(kind) \"\($0.name)\"") }
    add(kind, expected, Self.list(rest.map { "\($0.name)=\($0.value)" }))
  }

  /// The names of what is too much, for a report; `nil` if nothing is.
  private static func list(_ rest: [String]) -> String? {
    guard !rest.isEmpty else { return nil }
    let shown = rest.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return rest.count > 10 ? shown + ", …" : shown
  }
}
