package import Foundations
internal import Patterns

/// Finds conditions that hold for everything, or for nothing, before there is anything to check.
package struct MatcherReview: Sendable {
  /// The domain of a matcher's subjects.
  package enum Domain: Sendable, Hashable {
    /// An output, or a file.
    case text
    /// The exit codes that exit(3) lets through.
    case exitCode
    /// A number of things.
    case count
    /// Data of any shape.
    case data
    /// A length of time, up to a longest one if one is known.
    case duration(upTo: Nanoseconds?)
  }

  /// The verdict on a condition.
  package enum Verdict: Sendable, Hashable {
    /// The condition holds for every subject.
    case always
    /// The condition holds for no subject.
    case never
    /// The condition depends on the subject.
    case open
  }

  /// A condition that says nothing, or too much.
  package struct Finding: Sendable, Hashable {
    /// The verdict.
    package var verdict: Verdict
    /// The condition.
    package var matcher: PlannedMatcher
    /// The domain of its subjects; of data, what always holds does so only for texts.
    package var domain: Domain
  }

  /// The domain of the subjects.
  package let domain: Domain

  /// Creates a review of conditions on one kind of value.
  package init(domain: Domain) {
    self.domain = domain
  }

  /// The conditions within a matcher that are not open, the smallest ones that are to blame.
  package func findings(in matcher: PlannedMatcher) -> [Finding] {
    let verdict = verdict(on: matcher)
    let own =
      verdict == .open ? [] : [Finding(verdict: verdict, matcher: matcher, domain: domain)]
    if case .yaml(let inner) = matcher.condition { return findings(in: inner) }
    if case .xmlPaths(let paths, _) = matcher.condition {
      return paths.flatMap { MatcherReview(domain: .data).findings(in: $0.matcher) }
    }
    if case .jsonPaths(let paths) = matcher.condition {
      return paths.flatMap { MatcherReview(domain: .data).findings(in: $0.matcher) }
    }
    guard case .allOf(let parts) = matcher.condition else { return own }
    let inner = parts.flatMap { findings(in: $0) }
    let isExplained = verdict != .never || inner.contains { $0.verdict == .never }
    return isExplained ? inner : own + inner
  }

  /// Returns the verdict on a matcher.
  package func verdict(on matcher: PlannedMatcher) -> Verdict {
    switch domain {
    case .text: verdictOnText(matcher)
    case .data: verdictOnData(matcher)
    case .exitCode:
      verdict(on: matcher, among: integers(near: matcher, in: 0...255).map { .integer($0) })
    case .count:
      verdict(on: matcher, among: integers(near: matcher, in: 0...Int64.max).map { .integer($0) })
    case .duration(let longest):
      verdict(on: matcher, among: lengths(near: matcher, upTo: longest))
    }
  }

  // MARK: - Numbers

  /// Returns the verdict on a condition on numbers, which changes only at the numbers that it
  /// names.
  private func verdict(on matcher: PlannedMatcher, among subjects: [MatchSubject]) -> Verdict {
    guard matcher.isLiteral else { return .open }
    let count = subjects.count { matcher.check($0, scope: EmptyPathScope()) == nil }
    return count == 0 ? .never : count == subjects.count ? .always : .open
  }

  private func integers(near matcher: PlannedMatcher, in range: ClosedRange<Int64>) -> [Int64] {
    let named = matcher.literals.flatMap { value -> [Int64] in
      switch value {
      case .integer(let number): [number, number &- 1, number &+ 1]
      case .number(let number):
        Int64(exactly: number.rounded(.down)).map { [$0, $0 &+ 1] } ?? []
      default: []
      }
    }
    return (named + [range.lowerBound, range.upperBound]).filter { range.contains($0) }
  }

  private func lengths(near matcher: PlannedMatcher, upTo longest: Nanoseconds?) -> [MatchSubject] {
    let last = longest ?? Nanoseconds(Int64.max)
    let nanosecond = Nanoseconds(1)
    let named = matcher.literals.flatMap { value -> [Nanoseconds] in
      guard case .string(let text) = value, let length = try? Nanoseconds(text: text) else {
        return []
      }
      return [length, length - nanosecond, length + nanosecond]
    }
    return (named + [.zero, last]).filter { $0 >= .zero && $0 <= last }
      .map { .value(.string($0.description)) }
  }

  // MARK: - Text

  private func verdictOnText(_ matcher: PlannedMatcher) -> Verdict {
    switch matcher.condition {
    case .contains(let data), .startsWith(let data), .endsWith(let data):
      return data.literal == .string("") ? .always : .open
    case .length(let length): return MatcherReview(domain: .count).verdict(on: length)
    case .matches(let expression): return expression.isFoundEverywhere ? .always : .open
    case .lineCount(let count): return MatcherReview(domain: .count).verdict(on: count)
    case .not(let inner):
      switch verdictOnText(inner) {
      case .always: return .never
      case .never: return .always
      case .open: return .open
      }
    case .allOf(let parts):
      let verdicts = parts.map { verdictOnText($0) }
      if verdicts.contains(.never) || Self.contradict(parts) { return .never }
      return verdicts.allSatisfy { $0 == .always } ? .always : .open
    case .anyOf(let parts):
      let verdicts = parts.map { verdictOnText($0) }
      if verdicts.contains(.always) { return .always }
      return verdicts.allSatisfy { $0 == .never } ? .never : .open
    default: return .open
    }
  }

  // MARK: - Data

  /// Returns the verdict on a condition on data, from what its parts say of each other.
  private func verdictOnData(_ matcher: PlannedMatcher) -> Verdict {
    switch matcher.condition {
    case .contains(let data): return data.literal == .string("") ? .always : .open
    case .allOf(let parts): return verdictOnData(parts)
    default: return .open
    }
  }

  private func verdictOnData(_ parts: [PlannedMatcher]) -> Verdict {
    if parts.contains(where: { verdictOnData($0) == .never }) || Self.exclude(parts)
      || Self.areApart(parts.filter(\.isOrder))
    {
      return .never
    }
    let known = parts.filter(\.isLiteral)
    let isRefuted = parts.contains { part in
      guard case .equals(let data) = part.condition, let value = data.literal else { return false }
      return known.contains { $0.check(.value(value), scope: EmptyPathScope()) != nil }
    }
    return isRefuted ? .never : .open
  }

  /// Returns whether one of several conditions is the negation of another.
  private static func exclude(_ parts: [PlannedMatcher]) -> Bool {
    parts.contains { part in
      guard case .not(let inner) = part.condition else { return false }
      return parts.contains { $0.condition == inner.condition }
    }
  }

  /// Returns whether no text meets all of several conditions, as far as that shows.
  private static func contradict(_ parts: [PlannedMatcher]) -> Bool {
    if exclude(parts) { return true }
    for (index, part) in parts.enumerated() {
      let others = parts[..<index] + parts[(index + 1)...]
      guard let texts = part.onlyTexts else { continue }
      let known = others.filter(\.isLiteral)
      let mayHold = texts.contains { text in
        known.allSatisfy { $0.check(.text(text), scope: EmptyPathScope()) == nil }
      }
      if !mayHold { return true }
    }
    return areApart(parts.filter(\.isOrder))
  }

  /// Returns whether no number meets several bounds.
  private static func areApart(_ bounds: [PlannedMatcher]) -> Bool {
    let numbers = bounds.flatMap(\.literals).compactMap { value -> Double? in
      switch value {
      case .integer(let number): Double(number)
      case .number(let number): number
      default: nil
      }
    }
    guard bounds.count > 1, bounds.allSatisfy(\.isLiteral),
      numbers.count == bounds.flatMap(\.literals).count
    else { return false }
    // Between two numbers that are named lies their middle.
    let sorted = numbers.sorted()
    let middles = zip(sorted, sorted.dropFirst()).map { ($0 + $1) / 2 }
    let candidates = numbers.flatMap { [$0, $0 - 1, $0 + 1] } + middles
    return !candidates.contains { number in
      bounds.allSatisfy { $0.check(.value(.number(number)), scope: EmptyPathScope()) == nil }
    }
  }
}

/// The scope before the run, which knows no names.
private struct EmptyPathScope: RunScope {
  func value(of root: String) -> Value? { nil }
}

extension PlannedMatcher {
  /// True if it needs nothing from the run.
  fileprivate var isLiteral: Bool {
    switch condition {
    case .equals(let data), .contains(let data), .json(let data), .jsonSubset(let data),
      .lessThan(let data), .greaterThan(let data), .atLeast(let data), .atMost(let data),
      .startsWith(let data), .endsWith(let data), .matchesComputed(let data):
      data.literal != nil
    case .near(let data, let tolerance): data.literal != nil && tolerance.literal != nil
    case .length(let inner), .each(let inner), .any(let inner): inner.isLiteral
    case .oneOf(let choices): choices.allSatisfy { $0.literal != nil }
    case .between(let lower, let upper): lower.literal != nil && upper.literal != nil
    case .not(let inner): inner.isLiteral
    case .allOf(let parts), .anyOf(let parts), .lines(let parts): parts.allSatisfy(\.isLiteral)
    case .jsonPaths(let paths), .xmlPaths(let paths, _): paths.allSatisfy(\.matcher.isLiteral)
    case .xml(let data): data.literal != nil
    case .lineCount(let inner): inner.isLiteral
    case .matches, .empty, .schema, .exists, .type: true
    case .snapshot: false
    case .yaml(let inner): inner.isLiteral
    }
  }

  /// True if it is a bound on numbers.
  fileprivate var isOrder: Bool {
    switch condition {
    case .lessThan, .greaterThan, .between, .atLeast, .atMost, .near: true
    default: false
    }
  }

  /// The values that it names.
  fileprivate var literals: [Value] {
    switch condition {
    case .equals(let data), .contains(let data), .json(let data), .jsonSubset(let data),
      .lessThan(let data), .greaterThan(let data), .atLeast(let data), .atMost(let data):
      [data.literal].compactMap(\.self)
    case .near(let data, let tolerance): Self.ends(of: data.literal, tolerance.literal)
    case .oneOf(let choices): choices.compactMap(\.literal)
    case .between(let lower, let upper): [lower.literal, upper.literal].compactMap(\.self)
    case .not(let inner): inner.literals
    case .allOf(let parts), .anyOf(let parts): parts.flatMap(\.literals)
    case .lines, .jsonPaths, .matches, .matchesComputed, .empty, .schema, .lineCount, .snapshot,
      .yaml, .xml, .xmlPaths, .exists, .type, .length, .each, .any, .startsWith, .endsWith:
      []
    }
  }

  /// The numbers, or durations, at which a value begins and ceases to be near to another one.
  private static func ends(of value: Value?, _ tolerance: Value?) -> [Value] {
    switch (value, tolerance) {
    case (.integer(let value)?, .integer(let most)?):
      [.integer(value &- most), .integer(value), .integer(value &+ most)]
    case (.string(let value)?, .string(let most)?):
      if let value = try? Nanoseconds(text: value), let most = try? Nanoseconds(text: most) {
        [value - most, value, value + most].map { .string($0.description) }
      } else {
        []
      }
    default: [value].compactMap(\.self)
    }
  }

  /// The texts that it allows, where there are few: one final newline aside.
  fileprivate var onlyTexts: [String]? {
    switch condition {
    case .empty(true): [""]
    case .equals(let data): data.literal.flatMap { Self.texts(of: $0) }
    case .oneOf(let choices):
      choices.allSatisfy { $0.literal != nil }
        ? choices.compactMap(\.literal).flatMap { Self.texts(of: $0) ?? [] } : nil
    default: nil
    }
  }

  private static func texts(of value: Value) -> [String]? {
    guard let text = value.textForm else { return nil }
    return text.hasSuffix("\n") ? [text, String(text.dropLast())] : [text, text + "\n"]
  }
}
