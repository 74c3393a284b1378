internal import Patterns
internal import ScenarioPlan

/// The address of an entry, ready to be asked often.
struct EntryAddress: Sendable {
  private let methods: [String]?
  private let url: URLPattern?
  private let path: URLPathMatcher?
  private let store: PlannedStore?
  /// The host, if it is one and no pattern.
  let host: String?
  let place: URLPathMatcher.Place

  init(_ response: PlannedResponse) {
    switch response.match {
    case .http(let request):
      methods = request.methods
      url = request.url
    case .graphQL(let match):
      methods = nil
      url = match.url
    }
    store = response.store
    path = url.flatMap { try? URLPathMatcher($0.path) }
    host = url?.host.flatMap { $0.contains("*") ? nil : $0 }
    place = path?.place(of: url?.path ?? "") ?? .anywhere
  }

  /// Returns the captures of the URL's templates, if method and URL fit; the entry's other
  /// conditions are not evaluated.
  func captures(of request: IncomingRequest) -> [String: String]? {
    if let methods, !methods.contains(request.method) { return nil }
    if let store { return store.address(of: request.target) == nil ? nil : [:] }
    guard let url else { return [:] }
    guard
      url.matchesScheme(request.target) && url.matchesHost(request.target)
        && url.matchesPort(request.target)
        && url.query.allSatisfy({ url.matches($0, in: request.target) })
    else { return nil }
    // Whose path says nothing but itself was found by it.
    if case .path(let literal) = place { return literal == request.target.path ? [:] : nil }
    return path?.match(request.target.path)
  }
}

/// Finds the entries that may answer a request, in file order, without testing the others.
struct ResponseIndex: Sendable {
  private struct Key: Hashable {
    /// `nil` for entries whose host is a pattern or not said.
    var host: String?
    var place: URLPathMatcher.Place
  }

  private let keys: [Key]
  private let lists: [Key: [Int]]
  /// The number of stubs at the beginning of each list that will never answer again.
  private var starts: [Key: Int] = [:]
  private var isRetired: [Bool]
  /// True if some entry is not found by its whole path.
  private let hasPatterns: Bool

  init(_ addresses: [EntryAddress]) {
    keys = addresses.map { Key(host: $0.host, place: $0.place) }
    lists = Dictionary(grouping: keys.indices) { [keys] in keys[$0] }
    hasPatterns = addresses.contains { if case .path = $0.place { false } else { true } }
    isRetired = [Bool](repeating: false, count: addresses.count)
  }

  /// Records that an entry will never answer again.
  mutating func retire(_ entry: Int) {
    isRetired[entry] = true
    let key = keys[entry]
    guard let list = lists[key] else { return }
    var start = starts[key] ?? 0
    while start < list.count, isRetired[list[start]] { start += 1 }
    starts[key] = start
  }

  /// The first entry in order that answers; `answers` is asked in order.
  func first(for target: RequestTarget, where answers: (Int) -> Bool) -> Int? {
    var heads: [(list: [Int], next: Int)] = []
    func look(at place: URLPathMatcher.Place) {
      for host in [target.host, nil] {
        let key = Key(host: host, place: place)
        guard let list = lists[key] else { continue }
        let start = starts[key] ?? 0
        if start < list.count { heads.append((list, start)) }
      }
    }
    look(at: .path(target.path))
    if hasPatterns {
      look(at: .segment(URLPathMatcher.firstSegment(of: target.path)))
      look(at: .anywhere)
    }
    while let nearest = heads.indices.min(by: { left, right in
      heads[left].list[heads[left].next] < heads[right].list[heads[right].next]
    }) {
      let index = heads[nearest].list[heads[nearest].next]
      if !isRetired[index], answers(index) { return index }
      heads[nearest].next += 1
      if heads[nearest].next == heads[nearest].list.count { heads.remove(at: nearest) }
    }
    return nil
  }

}
