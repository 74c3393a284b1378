internal import Foundations
internal import OrderedCollections
internal import Patterns
internal import ScenarioModel

extension PlannedMatcher {
  /// Checks what `json:` asks for; text is read as JSON first.
  func json(
    _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    let value: Value
    switch subject {
    case .text(let text):
      do throws(JSONParseError) {
        value = try JSONText.parse(text)
      } catch {
        return [
          unfit(
            "expected JSON, but line \(error.line), column \(error.column): \(error.message)",
            subject)
        ]
      }
    case .value(let data): value = data
    case .integer(let integer): value = .integer(integer)
    case .node, .nodes: value = subject.asValue ?? .null
    case .absent: return [mismatch("expected JSON", subject)]
    }
    return try data(value, "JSON", scope, limit)
  }

  /// Checks what `yaml:` asks for; the text is read first.
  func yaml(
    _ matcher: PlannedMatcher, _ subject: MatchSubject, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    guard let text = subject.asText else { return [mismatch("expected YAML", subject)] }
    let value: Value?
    do throws(YAMLDocuments.Problem) {
      value = try YAMLDocuments.parse(text)
    } catch {
      return [
        unfit(
          "expected YAML, but line \(error.line), column \(error.column): \(error.message)",
          subject)
      ]
    }
    if let value { return try matcher.data(value, "YAML", scope, limit) }
    // Who expects null means what holds nothing.
    if matcher.asksForNull, try matcher.data(.null, "YAML", scope, 1).isEmpty { return [] }
    var nothing = unfit("expected YAML, and there is no document", subject)
    nothing.help = "if there may be none, write any_of: [{ empty: true }, { yaml: … }]"
    return [nothing]
  }

  private func data(
    _ value: Value, _ language: String, _ scope: some RunScope, _ limit: Int
  ) throws(RunScopeError) -> [Mismatch] {
    switch condition {
    case .json(let data): return document(try data.resolve(in: scope), value, language).list
    case .jsonSubset(let data): return subset(try data.resolve(in: scope), of: value).list
    case .jsonPaths(let paths): return self.paths(paths, in: value, scope, limit)
    case .schema(let schema):
      return schema.firstViolation(in: value, searchLimit: scope.searchLimit).map { violation in
        if let error = violation.givenUp {
          return Mismatch(givenUp: error, violation.actual.excerpt(), at: range)
        }
        return Mismatch(
          message: "expected \(violation.expected)"
            + (violation.path == "$" ? "" : " at \(violation.path)"),
          actual: violation.actual.excerpt(), range: range)
      }.list
    default: return []
    }
  }

  private func document(_ expected: Value, _ value: Value, _ language: String) -> Mismatch? {
    guard !expected.isEqual(to: value) else { return nil }
    let old = expected.withSortedKeys.jsonText(pretty: true)
    let new = value.withSortedKeys.jsonText(pretty: true)
    let diff = LineDiff.lines(expected: old, actual: new)
    var mismatch = Mismatch(
      verb: "expected \(language) equal to", expected: expected.excerpt(), actual: value.excerpt(),
      diff: diff.count > 2 ? diff : [], range: range)
    mismatch.comparison = TextComparison(expected: old, actual: new)
    mismatch.mark(alike: MatchSubject.value(value).kindHelp(ifAlike: expected))
    return mismatch
  }

  private func paths(
    _ paths: [PlannedFieldMatcher], in value: Value, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    .gathered(of: paths, limit: limit) { path, limit in
      guard let query = try? JSONPathQuery(path.name) else {
        return [mismatch("expected something at the malformed path \(path.name)", .value(value))]
      }
      return Self.mismatches(path.matcher, at: query, in: value, scope, limit: limit)
        .of(path.name)
    }
  }

  /// Returns the mismatches of a condition with the values at a path.
  static func mismatches(
    _ matcher: PlannedMatcher, at query: JSONPathQuery, in value: Value, _ scope: some RunScope,
    limit: Int
  ) -> [Mismatch] {
    guard query.isSingular else {
      guard let values = query.values(in: value) else {
        return [
          matcher.mismatch(
            "the path leads to more than \(JSONPathQuery.stepLimit) places", .value(value))
        ]
      }
      return mismatches(matcher, of: PathSelection(values, of: query, in: value), scope, limit)
    }
    guard let steps = query.steps else {
      guard let found = query.values(in: value)?.first else {
        return matcher.mismatches(
          ofNothing: "the path leads nowhere", mayBeEmpty: false, scope, limit)
      }
      return matcher.mismatches(of: .value(found), scope: scope, limit: limit)
    }
    do throws(ValueLookup.Missing) {
      let found = try ValueLookup.find(steps, in: value, named: "$")
      return matcher.mismatches(of: .value(found), scope: scope, limit: limit)
    } catch {
      return matcher.mismatches(ofNothing: error.message, mayBeEmpty: false, scope, limit)
    }
  }

  /// True if a part of it asks whether something is there, be it by asking whether it is empty.
  package var asksForPresence: Bool { asks(orWhetherEmpty: true) }

  /// True if a part of it asks whether something is there.
  package var asksForExistence: Bool { asks(orWhetherEmpty: false) }

  private func asks(orWhetherEmpty countsEmpty: Bool) -> Bool {
    switch condition {
    case .exists: true
    case .empty: countsEmpty
    case .not(let inner): inner.asks(orWhetherEmpty: countsEmpty)
    case .allOf(let parts), .anyOf(let parts):
      parts.contains { $0.asks(orWhetherEmpty: countsEmpty) }
    default: false
    }
  }

  /// True if it says that null is what is wanted.
  private var asksForNull: Bool {
    switch condition {
    case .equals(let data), .json(let data): data.literal == .null
    case .oneOf(let choices): choices.contains { $0.literal == .null }
    case .type(let types): types.contains(.null)
    case .jsonPaths(let paths): paths.contains { $0.name == "$" && $0.matcher.asksForNull }
    case .allOf(let parts), .anyOf(let parts): parts.contains(where: \.asksForNull)
    default: false
    }
  }
}

extension Value {
  /// The value with the keys of all maps in order, so that a diff shows values and not places.
  fileprivate var withSortedKeys: Value {
    switch self {
    case .list(let elements): return .list(elements.map(\.withSortedKeys))
    case .map(let members):
      var sorted: OrderedDictionary<String, Value> = [:]
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        sorted[key] = value.withSortedKeys
      }
      return .map(sorted)
    case .null, .bool, .integer, .number, .string: return self
    }
  }
}
