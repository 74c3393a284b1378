internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// The query of a request for a list: filters, order and page, in the words of json-server.
struct StoreQuery {
  /// A comparison of a member with the texts of a query.
  fileprivate enum Comparison: String, CaseIterable {
    case notEqual = "_ne"
    case atLeast = "_gte"
    case atMost = "_lte"
    case like = "_like"
  }

  /// A condition on the items of a list.
  fileprivate struct Filter {
    /// The keys that lead to the member.
    var path: [String]
    /// `nil` if it is to be equal to one of the texts.
    var comparison: Comparison?
    var texts: [String]
  }

  /// One key of the order.
  private struct Order {
    var path: [String]
    var isDescending: Bool
  }

  private static let words = [
    "_end", "_limit", "_order", "_page", "_per_page", "_sort", "_start",
  ]
  /// The number of items of a page that says nothing else.
  private static let usualLimit = 10

  private var filters: [Filter] = []
  private var searched: String?
  private var orders: [Order] = []
  private var page: Int?
  private var limit: Int?
  private var start: Int?
  private var end: Int?

  /// Reads a query.
  ///
  /// - Throws: `PatternError` for a word or number that means nothing.
  init(_ items: [URLPattern.QueryItem]) throws(PatternError) {
    var sorts: [String] = []
    var directions: [String] = []
    for item in items {
      switch item.name {
      case "_page": page = try Self.count(item, from: 1)
      case "_limit", "_per_page": limit = try Self.count(item, from: 1)
      case "_start": start = try Self.count(item, from: 0)
      case "_end": end = try Self.count(item, from: 0)
      case "_sort": sorts = item.value.split(separator: ",").map(String.init)
      case "_order": directions = item.value.split(separator: ",").map { $0.lowercased() }
      case "q": searched = item.value.lowercased()
      case let name where name.hasPrefix("_"):
        throw PatternError(
          "unknown parameter \"\(name)\" in the query",
          help: Suggestion.help(for: name, in: Self.words, label: "words of a query"))
      case let name: add(item.value, to: name)
      }
    }
    for direction in directions where direction != "asc" && direction != "desc" {
      throw PatternError("\"_order\" is \"\(direction)\"", help: "write asc or desc")
    }
    orders = sorts.enumerated().map { place, text in
      let isReversed = text.hasPrefix("-")
      let isDescending = directions.indices.contains(place) && directions[place] == "desc"
      return Order(
        path: Self.path(isReversed ? String(text.dropFirst()) : text),
        isDescending: isReversed != isDescending)
    }
  }

  private mutating func add(_ text: String, to name: String) {
    let comparison = Comparison.allCases.first { name.hasSuffix($0.rawValue) }
    let path = Self.path(String(name.dropLast(comparison?.rawValue.count ?? 0)))
    let index = filters.firstIndex { $0.path == path && $0.comparison == comparison }
    guard let index else {
      return filters.append(Filter(path: path, comparison: comparison, texts: [text]))
    }
    filters[index].texts.append(text)
  }

  private static func count(
    _ item: URLPattern.QueryItem, from least: Int
  ) throws(PatternError) -> Int {
    guard let number = Int(item.value), number >= least else {
      throw PatternError(
        "\"\(item.name)\" is \"\(item.value)\"", help: "write a number of at least \(least)")
    }
    return number
  }

  private static func path(_ name: String) -> [String] {
    name.split(separator: ".").map(String.init)
  }

  // MARK: - Lists

  /// Returns the requested items, and the number of items on all pages.
  func page(of list: [Value]) -> (items: [Value], total: Int) {
    var found = list.filter(matches)
    if !orders.isEmpty {
      found = found.enumerated().sorted { left, right in
        Self.isBefore(left.element, right.element, orders) ?? (left.offset < right.offset)
      }.map(\.element)
    }
    let total = found.count
    let length = limit ?? (page == nil ? nil : Self.usualLimit)
    var first = start ?? 0
    if let page, let length {
      let (before, overflow) = (page - 1).multipliedReportingOverflow(by: length)
      first = overflow ? total : before
    }
    first = min(first, total)
    var last = min(page == nil ? end ?? total : total, total)
    if let length { last = min(last, first + min(length, total - first)) }
    return (first < last ? Array(found[first..<last]) : [], total)
  }

  /// The links to other pages (RFC 8288); `nil` of a list without pages.
  func links(ofTotal total: Int, at target: RequestTarget) -> String? {
    guard let page else { return nil }
    let length = limit ?? Self.usualLimit
    let count = max(1, total / length + (total % length > 0 ? 1 : 0))
    var pages = [("first", 1)]
    if page > 1 { pages.append(("prev", min(page - 1, count))) }
    if page < count { pages.append(("next", page + 1)) }
    pages.append(("last", count))
    return pages.map { relation, number in
      var other = target
      for index in other.query.indices where other.query[index].name == "_page" {
        other.query[index].value = String(number)
      }
      return "<\(other.text)>; rel=\"\(relation)\""
    }.joined(separator: ", ")
  }

  // MARK: - Filters

  private func matches(_ item: Value) -> Bool {
    if let searched, !item.holds(searched) { return false }
    return filters.allSatisfy { $0.matches(item) }
  }

  /// Returns whether an item stands before another one; `nil` if they are level.
  ///
  /// Missing values are sorted last.
  private static func isBefore(_ left: Value, _ right: Value, _ orders: [Order]) -> Bool? {
    for order in orders {
      let (first, second) = (left.member(at: order.path), right.member(at: order.path))
      switch (first?.sortKey, second?.sortKey) {
      case (nil, nil): continue
      case (nil, _?): return false
      case (_?, nil): return true
      case (let first?, let second?):
        if first < second { return !order.isDescending }
        if second < first { return order.isDescending }
      }
    }
    return nil
  }
}

extension StoreQuery.Filter {
  fileprivate func matches(_ item: Value) -> Bool {
    let value = item.member(at: path)
    switch comparison {
    case nil: return texts.contains { text in value?.isWritten(text) ?? false }
    case .notEqual: return !texts.contains { text in value?.isWritten(text) ?? false }
    case .atLeast: return texts.allSatisfy { value?.compares(with: $0, { !($0 < $1) }) ?? false }
    case .atMost: return texts.allSatisfy { value?.compares(with: $0, { !($1 < $0) }) ?? false }
    case .like:
      let text = value?.textForm?.lowercased()
      return texts.contains { text?.contains($0.lowercased()) ?? false }
    }
  }
}

/// The place of a plain value in an order: false before true, numbers before texts.
private enum SortKey {
  case bool(Bool)
  case number(Double)
  case text(String)

  private var rank: Int {
    switch self {
    case .bool: 0
    case .number: 1
    case .text: 2
    }
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.number(let left), .number(let right)): left < right
    // By code points, the same on every machine.
    case (.text(let left), .text(let right)):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: left.rank < right.rank
    }
  }
}

extension Value {
  /// The member at the end of a path of keys; `nil` if the path leads nowhere.
  fileprivate func member(at path: [String]) -> Value? {
    var current = self
    for key in path {
      guard let next = current.member(key) else { return nil }
      current = next
    }
    return current
  }

  /// Returns whether the value, or one of a list, is written so.
  fileprivate func isWritten(_ text: String) -> Bool {
    if case .list(let elements) = self { return elements.contains { $0.isWritten(text) } }
    return textForm == text
  }

  fileprivate func compares(with text: String, _ holds: (SortKey, SortKey) -> Bool) -> Bool {
    guard let own = sortKey else { return false }
    if case .number = own {
      return Double(text).map { holds(own, .number($0)) } ?? false
    }
    return holds(own, .text(text))
  }

  /// Returns whether a text, in small letters, is somewhere in the value.
  fileprivate func holds(_ searched: String) -> Bool {
    switch self {
    case .list(let elements): elements.contains { $0.holds(searched) }
    case .map(let members): members.values.contains { $0.holds(searched) }
    case .null: false
    case .bool, .integer, .number, .string:
      textForm?.lowercased().contains(searched) ?? false
    }
  }

  fileprivate var sortKey: SortKey? {
    switch self {
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .number(Double(integer))
    case .number(let number): .number(number)
    case .string(let text): .text(text)
    case .null, .list, .map: nil
    }
  }
}
