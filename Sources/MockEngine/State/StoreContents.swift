internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioPlan

/// The items of a store, and what requests make of them.
///
/// The answers keep the conventions of json-server: a list is a bare array with `X-Total-Count` and, where it is paged,
/// `Link` (RFC 8288); an item has its identifier behind the collection's path.
struct StoreContents: Sendable {
  /// The way in which items get identifiers that have none.
  private enum Naming {
    case numbers
    /// Numbers as texts, where all identifiers are texts.
    case texts
    case uuids
  }

  private let store: PlannedStore
  private let naming: Naming
  private var items: OrderedDictionary<String, Value> = [:]
  /// The largest number that was ever an identifier.
  private var lastNumber: Int64 = 0
  private var random: SplitMix64

  init(_ store: PlannedStore) {
    self.store = store
    random = SplitMix64(seed: UInt64(bitPattern: store.seed))
    let identifiers = store.items.compactMap { $0.member(store.identifier) }
    naming =
      identifiers.isEmpty || !identifiers.allSatisfy(\.isText)
      ? .numbers : identifiers.allSatisfy(\.isUUID) ? .uuids : .texts
    for item in store.items {
      guard let identifier = item.member(store.identifier) else { continue }
      insert(item, as: identifier)
    }
  }

  /// The items in the order in which they came.
  var list: [Value] { items.values.elements }

  /// Answers a request, and changes the items as it says.
  mutating func answer(_ request: StoreRequest) -> StoreReply {
    switch (request.address, request.method) {
    case (.collection, "GET"), (.collection, "HEAD"): list(request.target)
    case (.collection, "POST"): create(request)
    case (.collection, let method): refuse(method, allowing: "GET, HEAD, OPTIONS, POST")
    case (.item(let text), "GET"), (.item(let text), "HEAD"):
      items[text].map { StoreReply(status: 200, body: $0) } ?? missing(text)
    case (.item(let text), "PUT"): replace(text, request)
    case (.item(let text), "PATCH"): change(text, request)
    case (.item(let text), "DELETE"): delete(text)
    case (.item, let method): refuse(method, allowing: "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
    }
  }

  // MARK: - The collection

  private func list(_ target: RequestTarget) -> StoreReply {
    do throws(PatternError) {
      let query = try StoreQuery(target.query)
      let page = query.page(of: list)
      var reply = StoreReply(
        status: 200, headers: [("X-Total-Count", String(page.total))], body: .list(page.items))
      if let links = query.links(ofTotal: page.total, at: target) {
        reply.headers.append(("Link", links))
      }
      return reply
    } catch {
      return .mistake(400, "\(error.message): \(error.help)")
    }
  }

  private mutating func create(_ request: StoreRequest) -> StoreReply {
    switch fields(of: request) {
    case .failure(let reply): return reply
    case .success(let fields):
      let identifier: Value
      switch fields[store.identifier] {
      case nil, .null?: identifier = nextIdentifier()
      case let given?:
        guard let text = given.textForm, !text.isEmpty else {
          return .mistake(
            400,
            "\"\(store.identifier)\" is \(given.kindWithArticle), which is not an item's identifier"
          )
        }
        guard items[text] == nil else {
          return .mistake(409, "\"\(store.name)\" already has an item \"\(text)\"")
        }
        identifier = given
      }
      let item = Self.item(identifier, store.identifier, fields)
      let text = insert(item, as: identifier)
      var location = request.target
      location.query = []
      if location.path.hasSuffix("/") { location.path.removeLast() }
      location.path += "/" + PercentEncoding.encodedQuery(text)
      return StoreReply(
        status: 201, headers: [("Location", location.text)], body: item,
        change: "item \(text) is created")
    }
  }

  // MARK: - Items

  private mutating func replace(_ text: String, _ request: StoreRequest) -> StoreReply {
    guard let item = items[text] else { return missing(text) }
    switch fields(of: request) {
    case .failure(let reply): return reply
    case .success(let fields): return put(.map(fields), at: text, insteadOf: item, "replaced")
    }
  }

  /// RFC 7396: a patch is merged into the item.
  private mutating func change(_ text: String, _ request: StoreRequest) -> StoreReply {
    guard let item = items[text] else { return missing(text) }
    switch fields(of: request) {
    case .failure(let reply): return reply
    case .success(let fields):
      return put(item.merging(patch: .map(fields)), at: text, insteadOf: item, "changed")
    }
  }

  /// Stores an item, whose identifier stays what it was.
  private mutating func put(
    _ value: Value, at text: String, insteadOf old: Value, _ verb: String
  ) -> StoreReply {
    guard case .map(let fields) = value else { return StoreReply(status: 200, body: old) }
    let identifier = old.member(store.identifier) ?? .string(text)
    let item = Self.item(identifier, store.identifier, fields)
    items[text] = item
    return StoreReply(status: 200, body: item, change: "item \(text) is \(verb)")
  }

  private mutating func delete(_ text: String) -> StoreReply {
    guard items.removeValue(forKey: text) != nil else { return missing(text) }
    return StoreReply(status: 204, change: "item \(text) is deleted")
  }

  // MARK: - Parts

  /// An item, its identifier in front unless it has a place.
  private static func item(
    _ identifier: Value, _ key: String, _ fields: OrderedDictionary<String, Value>
  ) -> Value {
    var item: OrderedDictionary<String, Value> = [:]
    if fields[key] == nil { item[key] = identifier }
    for (name, value) in fields { item[name] = name == key ? identifier : value }
    return .map(item)
  }

  private func missing(_ text: String) -> StoreReply {
    .mistake(404, "\"\(store.name)\" has no item \"\(text)\"")
  }

  /// Refuses a method (RFC 9110, section 15.5.6); `OPTIONS` returns only the methods.
  private func refuse(_ method: String, allowing methods: String) -> StoreReply {
    var reply =
      method == "OPTIONS"
      ? StoreReply(status: 204)
      : StoreReply.mistake(405, "\(method) is none of: \(methods)")
    reply.headers.append(("Allow", methods))
    return reply
  }

  /// The fields of a body, or the reply that reports why there are none.
  private enum Fields {
    case success(OrderedDictionary<String, Value>)
    case failure(StoreReply)
  }

  private func fields(of request: StoreRequest) -> Fields {
    switch request.body {
    case .json(.map(let fields)): .success(fields)
    case .json(let value):
      .failure(.mistake(400, "the body is \(value.kindWithArticle), but an item is a map"))
    case .unreadable(let reason): .failure(.mistake(400, reason))
    case .tooLong: .failure(.mistake(413, "the body is longer than the limit"))
    }
  }

  private mutating func nextIdentifier() -> Value {
    switch naming {
    case .numbers, .texts:
      repeat { lastNumber &+= 1 } while items[String(lastNumber)] != nil
      return naming == .texts ? .string(String(lastNumber)) : .integer(lastNumber)
    case .uuids:
      // RFC 9562, section 5.4.
      var bytes: [UInt8] = []
      for _ in 0..<2 { withUnsafeBytes(of: random.next().bigEndian) { bytes += $0 } }
      bytes[6] = bytes[6] & 0x0f | 0x40
      bytes[8] = bytes[8] & 0x3f | 0x80
      return .string(UUIDText.text(of: bytes))
    }
  }

  @discardableResult
  private mutating func insert(_ item: Value, as identifier: Value) -> String {
    let text = identifier.textForm ?? ""
    items[text] = item
    if let number = Int64(text), number > lastNumber { lastNumber = number }
    return text
  }
}

extension Value {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }

  fileprivate var isUUID: Bool {
    guard case .string(let text) = self else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(\.isHexDigit)
  }
}
