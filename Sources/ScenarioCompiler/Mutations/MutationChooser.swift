internal import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// Chooses where and how data is changed, by random numbers alone.
struct MutationChooser {
  /// The ways of changing.
  let kinds: [MutationKind]
  private var places: [MutablePlace]

  /// Chooses those of all places that may be changed.
  init(
    _ all: [MutablePlace], kinds: [MutationKind], only: [MutationPath], except: [MutationPath]
  ) {
    self.kinds = kinds
    places = all.filter { place in
      let isWanted = only.isEmpty || only.contains { $0.covers(place.path) }
      return isWanted && !except.contains { $0.covers(place.path) }
    }
    // What holds a part that is to stay must stay as well.
    guard !except.isEmpty || !only.isEmpty else { return }
    let wanted = Set(places.map(\.path))
    var around: Set<[PathStep]> = []
    for place in all where !wanted.contains(place.path) {
      var path = place.path
      while around.insert(path).inserted, !path.isEmpty { path.removeLast() }
    }
    places.removeAll { around.contains($0.path) }
  }

  /// The next change, which touches nothing that an earlier one has touched; `nil` if nothing is left.
  mutating func next(_ random: inout SplitMix64) -> ValueMutation? {
    while !places.isEmpty {
      let index = Int(random.next(below: UInt64(places.count)))
      let place = places[index]
      let kinds = kinds.filter { $0.suits(place) }
      guard !kinds.isEmpty else {
        places.remove(at: index)
        continue
      }
      let kind = kinds[Int(random.next(below: UInt64(kinds.count)))]
      let effect = kind.effect(on: place, &random)
      places.removeAll { other in
        other.path.starts(with: place.path) || place.path.starts(with: other.path)
      }
      return ValueMutation(
        path: place.path, ordinal: place.ordinal, kind: kind, original: place.value, effect: effect)
    }
    return nil
  }
}

extension MutationKind {
  /// Returns whether the mutation can change the value at a place.
  fileprivate func suits(_ place: MutablePlace) -> Bool {
    switch self {
    case .nothing: place.value != .null && !place.path.isEmpty
    case .omit, .deep: !place.path.isEmpty
    case .type: !place.path.isEmpty && place.value != .null
    case .empty:
      switch place.value {
      case .string(let text): !text.isEmpty
      case .list(let elements): !elements.isEmpty
      case .map(let members): !members.isEmpty
      default: false
      }
    case .long, .text: if case .string = place.value { true } else { false }
    case .boundary:
      switch place.value {
      case .integer, .number: true
      default: false
      }
    case .duplicate: if case .list(let elements) = place.value { !elements.isEmpty } else { false }
    case .extra: if case .map = place.value { true } else { false }
    }
  }

  fileprivate func effect(
    on place: MutablePlace, _ random: inout SplitMix64
  ) -> ValueMutation.Effect {
    switch self {
    case .nothing: return .replaced(.null)
    case .omit: return .removed
    case .type: return .replaced(place.value.ofOtherType(&random))
    case .empty: return .replaced(place.value.emptied)
    case .long: return .replaced(.string(String(repeating: "a", count: 10_000)))
    case .boundary: return .replaced(.pick(Self.boundaries, but: place.value, &random))
    case .text: return .replaced(.pick(Self.texts, but: place.value, &random))
    case .duplicate: return .replaced(place.value.withDuplicate(&random))
    case .deep: return .replaced((0..<100).reduce(place.value) { value, _ in .list([value]) })
    case .extra: return .replaced(place.value.withUnknownKey)
    }
  }

  /// Numbers at the edges: of signs, of 8, 16, 32, 53 and 64 bits.
  private static let boundaries: [Value] = [
    .integer(0), .integer(-1), .integer(1), .integer(127), .integer(128), .integer(255),
    .integer(256), .integer(32_767), .integer(32_768), .integer(65_535), .integer(65_536),
    .integer(2_147_483_647), .integer(2_147_483_648), .integer(-2_147_483_648),
    .integer(-2_147_483_649), .integer(4_294_967_295), .integer(4_294_967_296),
    .integer(9_007_199_254_740_991), .integer(9_007_199_254_740_993), .integer(.max),
    .integer(.min), .number(-0.0), .number(0.1), .number(.leastNonzeroMagnitude),
    .number(.greatestFiniteMagnitude),
  ]

  /// Texts that programs stumble over; none holds a zero byte, which arguments cannot carry.
  private static let texts: [Value] = [
    " ", " both ends ", "two\nlines", "tab\there", "\r\n", "null", "true", "NaN", "-Infinity", "0",
    "-1", "1e309", "undefined", "é", "e\u{301}", "ß", "İ", "Привет", "日本語", "עברית",
    "\u{202e}reversed", "zero\u{200b}width", "\u{feff}mark", "👩‍👩‍👧‍👦", "\u{10ffff}", "\u{1b}[31m",
    "\"quoted\"", "it's", "back\\slash", "`uname`", "$(id)", "${HOME}", "%s%n%d", "{{7*7}}",
    "'; DROP TABLE users; --", "<script>alert(1)</script>", "]]>", "&amp;", "../../etc/passwd",
    "C:\\nul", "-rf", "a,b;c", "#comment", "http://[::1]:0/", "2024-02-30T25:61:61Z",
  ].map { .string($0) }
}

extension Value {
  fileprivate static func pick(
    _ values: [Value], but unwanted: Value, _ random: inout SplitMix64
  ) -> Value {
    let others = values.filter { $0 != unwanted }
    return others[Int(random.next(below: UInt64(others.count)))]
  }

  fileprivate func ofOtherType(_ random: inout SplitMix64) -> Value {
    let others: [Value] = [
      .string(textForm ?? "text"), .integer(42), .bool(true), .list([self]), .map(["value": self]),
    ]
    let kind = kindWithArticle
    let fitting = others.filter { $0.kindWithArticle != kind }
    return fitting[Int(random.next(below: UInt64(fitting.count)))]
  }

  fileprivate var emptied: Value {
    switch self {
    case .list: .list([])
    case .map: .map([:])
    default: .string("")
    }
  }

  fileprivate func withDuplicate(_ random: inout SplitMix64) -> Value {
    guard case .list(var elements) = self, !elements.isEmpty else { return self }
    let index = Int(random.next(below: UInt64(elements.count)))
    elements.insert(elements[index], at: index)
    return .list(elements)
  }

  fileprivate var withUnknownKey: Value {
    guard case .map(var members) = self else { return self }
    var key = "unexpected"
    while members[key] != nil { key += "_" }
    members[key] = .string(key)
    return .map(members)
  }
}
