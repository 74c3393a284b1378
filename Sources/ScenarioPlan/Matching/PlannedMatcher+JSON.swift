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
  ///
  /// Of a path that may lead to several places it must hold for the list of what is there, or for
  /// one of them; `not`, accordingly, for none. Where the path selects nothing, it holds only if it asks for that.
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
      if values.isEmpty,
        matcher.asksForPresence || query.leadsNowhere(in: value)
          || matcher.isMetByNothing(at: query, in: value)
      {
        return matcher.mismatches(
          ofNothing: "the path leads nowhere", mayBeEmpty: query.start(isThereIn: value), scope,
          limit)
      }
      let found = matcher.mismatches(of: .value(.list(values)), scope: scope, limit: limit)
      switch matcher.condition {
      case .not(let inner):
        guard mismatches(inner, at: query, in: value, scope, limit: 1).isEmpty else {
          return inner.ofOtherKind(than: values, scope)
            .flatMap { matcher.opposite(of: inner, $0.mismatch, $0.subject) }.list
        }
        guard found.isEmpty else { return found }
        let each = values.lazy.map {
          matcher.mismatches(of: .value($0), scope: scope, limit: limit)
        }
        return each.first { !$0.isEmpty }
          ?? [matcher.mismatch("expected the opposite of each", .value(.list(values)))]
      case .allOf(let parts) where parts.contains(where: \.holdsOpposite):
        // What is said of none is said beside what is said of one.
        let others = parts.filter { !$0.holdsOpposite }
        let groups =
          parts.filter(\.holdsOpposite)
          + (others.isEmpty ? [] : [PlannedMatcher(.allOf(others), at: matcher.range)])
        return groups.flatMap { mismatches($0, at: query, in: value, scope, limit: limit) }
      case .anyOf(let parts) where parts.contains(where: \.holdsOpposite):
        let each = parts.map { mismatches($0, at: query, in: value, scope, limit: limit) }
        return each.contains(where: \.isEmpty) ? [] : each.first ?? []
      default: break
      }
      guard !found.isEmpty,
        !values.contains(where: { matcher.check(.value($0), scope: scope) == nil })
      else {
        return []
      }
      guard values.isEmpty else { return found }
      let nothing = found.ofNothing("the path leads nowhere")
      return scope.isExpectation ? nothing.map(\.undecidedByAbsence) : nothing
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

  /// Returns the mismatches with a value that is not there: what does not ask whether it is there does not hold, its
  /// opposite neither, as a misspelt path would satisfy it.
  ///
  /// - Parameters:
  ///   - reason: the reason why there is none.
  ///   - mayBeEmpty: whether what is not there counts as empty, as what a filter takes from a list does. In a request it
  ///     always does.
  private func mismatches(
    ofNothing reason: String, mayBeEmpty: Bool, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    let found = mismatches(of: .absent, scope: scope, limit: limit)
    let isAskedFor = mayBeEmpty || !scope.isExpectation ? asksForPresence : asksForExistence
    guard !isAskedFor, scope.isExpectation || found.isEmpty else { return found.ofNothing(reason) }
    guard found.isEmpty else { return found.ofNothing(reason).map(\.undecidedByAbsence) }
    var mismatch = mismatch(
      asksForPresence ? "expected something that is empty" : "expected something", .absent)
    // Neither empty nor not empty.
    mismatch.isOfOtherKind = asksForPresence
    mismatch.help =
      asksForPresence
      ? "if it is not to be there, write absent: true; if it may be missing, any_of: [{ absent: true }, { empty: true }]"
      : "if it may be missing, write any_of: [{ absent: true }, { … }] with the condition"
    return [mismatch].ofNothing(reason)
  }

  /// Returns the mismatch of values if neither their list nor any of them is of a kind that the condition is about, or
  /// one of them is written as it wants it and of another kind; with the value that it is about.
  private func ofOtherKind(
    than values: [Value], _ scope: some RunScope
  ) -> (mismatch: Mismatch, subject: MatchSubject)? {
    let subjects = ([.list(values)] + values).map { MatchSubject.value($0) }
    let found = subjects.map { decisiveMismatch(of: $0, scope) }
    if let index = found.firstIndex(where: { $0?.alikeHelp != nil }), let alike = found[index] {
      return (alike, subjects[index])
    }
    guard found.count > 1, found.allSatisfy({ $0?.isOfOtherKind ?? false }), let first = found[1]
    else { return nil }
    return (first, subjects[1])
  }

  /// Returns whether it would hold of nothing at a path that leads to several places, though it does not ask for that:
  /// the opposite of a condition, and a condition on each element where the path passes over all that there are.
  private func isMetByNothing(at query: JSONPathQuery, in value: Value) -> Bool {
    guard !asksForAmount else { return false }
    return holdsOpposite || holdsEach && query.passesOver(in: value)
  }

  /// True if a part of it asks how much there is, which may be nothing.
  private var asksForAmount: Bool {
    switch condition {
    case .length: true
    case .equals(let data): data.literal == .list([])
    case .not(let inner): inner.asksForAmount
    case .allOf(let parts), .anyOf(let parts): parts.contains(where: \.asksForAmount)
    default: false
    }
  }

  /// True if it is a condition on each element, or joins one to others.
  private var holdsEach: Bool {
    switch condition {
    case .each: true
    case .allOf(let parts), .anyOf(let parts): parts.contains(where: \.holdsEach)
    default: false
    }
  }

  /// True if a part of it asks whether something is there, be it by asking whether it is empty.
  package var asksForPresence: Bool { asks(orWhetherEmpty: true) }

  /// True if a part of it asks whether something is there.
  private var asksForExistence: Bool { asks(orWhetherEmpty: false) }

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

extension [Mismatch] {
  /// The mismatches of what is not there, with the reason.
  fileprivate func ofNothing(_ reason: String) -> [Mismatch] {
    map { mismatch in
      var mismatch = mismatch
      mismatch.actual = "nothing: " + reason
      return mismatch
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

extension PlannedMatcher {
  /// True if it is the opposite of a condition, or joins one to others.
  fileprivate var holdsOpposite: Bool {
    switch condition {
    case .not: true
    case .allOf(let parts), .anyOf(let parts): parts.contains(where: \.holdsOpposite)
    default: false
    }
  }
}
