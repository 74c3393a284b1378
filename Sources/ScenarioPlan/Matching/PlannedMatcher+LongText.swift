internal import Foundations
internal import Glibc
package import Patterns

extension PlannedMatcher {
  /// Checks a text piece by piece, with the verdict that `check` has for all of it at once; `nil` means that
  /// it satisfies the matcher.
  ///
  /// - Throws: where the matcher needs all of it at once and it is too long for that.
  package func check(
    long text: some LongText, scope: some RunScope
  ) throws(LongTextError) -> Mismatch? {
    try mismatches(ofLong: text, scope: scope, limit: 1).first
  }

  /// Checks a text piece by piece; each condition that does not hold is reported.
  ///
  /// - Throws: where one of the conditions needs all of it at once and it is too long for that.
  package func mismatches(
    ofLong text: some LongText, scope: some RunScope, limit: Int = Mismatch.limit
  ) throws(LongTextError) -> [Mismatch] {
    let beginning = MatchSubject.bytes(try text.read(0..<min(text.count, 4096)))
    do {
      return try LongCheck(text: text, beginning: beginning, scope: scope).mismatches(self, limit)
    } catch let error as LongTextError {
      throw error
    } catch {
      throw LongTextError("cannot be judged")
    }
  }

  /// The conditions that must all hold, each of which can be judged by itself.
  package var conjuncts: [PlannedMatcher] {
    guard case .allOf(let matchers) = condition else { return [self] }
    return matchers.flatMap(\.conjuncts)
  }
}

/// One text that is being checked.
private struct LongCheck<Text: LongText, Scope: RunScope> {
  let text: Text
  /// Its beginning, for messages.
  let beginning: MatchSubject
  let scope: Scope

  /// Returns the mismatches; a value that cannot be made makes its own condition undecided, not the
  /// others.
  func mismatches(_ matcher: PlannedMatcher, _ limit: Int) throws -> [Mismatch] {
    do {
      return try found(matcher, limit)
    } catch let error as RunScopeError {
      return [Mismatch(undecided: error, beginning, at: matcher.range)]
    }
  }

  private func found(_ matcher: PlannedMatcher, _ limit: Int) throws -> [Mismatch] {
    if let misencoded = try matcher.misencoding(of: beginning, scope) { return [misencoded] }
    switch matcher.condition {
    case .equals(let data):
      return try equality(try data.resolve(in: scope), matcher).list
    case .not(let inner):
      var found = try mismatches(inner, 1)
      if found.first?.isOfOtherKind ?? false { found = try mismatches(inner, Mismatch.limit) }
      let decisive = found.first { !$0.isOfOtherKind } ?? found.first
      return matcher.opposite(of: inner, decisive, beginning).list
    case .contains(let data):
      let expected = try data.resolve(in: scope)
      return try
        (matcher.emptiness(of: expected, from: data, beginning)
        ?? containment(expected, matcher, tellsNearest: limit > 1)).list
    case .matches(let expression):
      guard try !isFound(expression) else { return [] }
      var missing = matcher.mismatch("expected a match of /\(expression.text)/", beginning)
      if limit > 1 {
        missing.tell(NearestLine.miss(ofMatchOf: expression, in: text))
        missing.help = expression.helpForLines { expression in
          var search = GrowingSearch(expression, stepLimit: scope.searchLimit)
          return (try? search.isFound(in: text)) ?? false
        }
      }
      return [missing]
    case .empty(let expected):
      guard (text.count == 0) != expected else { return [] }
      return [matcher.mismatch(expected ? "expected nothing" : "expected something", beginning)]
    case .lines(let matchers):
      return try lines(matchers, matcher, limit)
    case .oneOf(let choices):
      for choice in choices where try difference(try choice.resolve(in: scope)) == nil {
        return []
      }
      let list = choices.map(\.sourceText).joined(separator: ", ")
      return [matcher.mismatch("expected one of \(list.excerpt(limit: 120))", beginning)]
    case .allOf(let matchers):
      return try .gathered(of: matchers, limit: limit, mismatches)
    case .anyOf(let matchers):
      var found: [Mismatch] = []
      for matcher in matchers {
        guard let mismatch = try mismatches(matcher, 1).first else { return [] }
        if mismatch.isUndecided { return [mismatch] }
        found.append(mismatch)
      }
      return [matcher.noneHolds(of: matchers, found, beginning)]
    case .json, .jsonSubset, .jsonPaths, .schema:
      return matcher.mismatches(
        of: .text(try text.whole(for: "JSON")), scope: scope, limit: limit)
    case .startsWith(let data):
      let expected = try data.resolve(in: scope)
      return try
        (matcher.emptiness(of: expected, from: data, beginning)
        ?? edge(.start, expected, matcher, shows: limit > 1)).list
    case .endsWith(let data):
      let expected = try data.resolve(in: scope)
      return try
        (matcher.emptiness(of: expected, from: data, beginning)
        ?? edge(.end, expected, matcher, shows: limit > 1)).list
    case .matchesComputed(let data):
      let expected = try data.resolve(in: scope)
      if let empty = matcher.emptiness(of: expected, from: data, beginning) {
        return [empty]
      }
      switch matcher.computedExpression(expected, beginning) {
      case .success(let expression):
        return try found(PlannedMatcher(.matches(expression), at: matcher.range), limit)
      case .failure(let mismatch): return [mismatch]
      }
    case .length, .exists, .type, .each, .any, .near, .atLeast, .atMost, .lessThan, .greaterThan,
      .between:
      return matcher.mismatches(
        of: .text(try text.whole(for: "a comparison")), scope: scope, limit: limit)
    case .lineCount(let inner):
      let count = try lineRanges(limit: 0).count
      return inner.mismatches(ofLineCount: count, scope: scope, limit: limit)
    case .snapshot:
      let whole = try text.whole(for: "a snapshot")
      guard !whole.unicodeScalars.contains("\u{fffd}") else {
        throw LongTextError("is not UTF-8, and a snapshot holds text")
      }
      return matcher.mismatches(of: .text(whole), scope: scope, limit: limit)
    case .xml, .xmlPaths:
      return matcher.mismatches(
        of: .text(try text.whole(for: "XML")), scope: scope, limit: limit)
    case .yaml:
      return matcher.mismatches(
        of: .text(try text.whole(for: "YAML")), scope: scope, limit: limit)
    }
  }

  /// Returns the mismatch of a text's beginning or end: as many bytes of it are read as that takes.
  private func edge(
    _ edge: PlannedMatcher.Edge, _ expected: Value, _ matcher: PlannedMatcher, shows: Bool
  ) throws -> Mismatch? {
    let count = (expected.textForm?.utf8.count ?? 0) + 2
    let part =
      edge == .start ? 0..<min(text.count, count) : max(0, text.count - count)..<text.count
    guard
      let mismatch = matcher.edge(edge, expected, MatchSubject.bytes(try text.read(part)))
    else { return nil }
    var missing = matcher.mismatch(mismatch.message, beginning)
    if shows, let form = expected.textForm {
      missing.comparison = TextComparison(of: form, at: edge, of: text)
    }
    return missing
  }

  // MARK: - Equality

  private struct Difference {
    /// The number of the line in which it is, from 1.
    var line = 0
    /// The text that was expected from that line's beginning or a place behind it, and the text
    /// there.
    var expected = ""
    var actual = ""
  }

  private func equality(_ expected: Value, _ matcher: PlannedMatcher) throws -> Mismatch? {
    guard let difference = try difference(expected) else { return nil }
    var diff = LineDiff.lines(expected: difference.expected, actual: difference.actual)
    if difference.line > 0 {
      diff.insert("the first difference is in line \(difference.line):", at: 0)
    }
    var mismatch = matcher.mismatch("expected \(expected.excerpt())", beginning, diff: diff)
    mismatch.comparison = TextComparison(
      expected: difference.expected, actual: difference.actual, line: max(1, difference.line))
    return mismatch
  }

  /// Returns the difference of the text from an expected one, one final newline of each aside.
  private func difference(_ expected: Value) throws -> Difference? {
    guard let form = expected.textForm else { return Difference() }
    let wanted = Array(form.withoutFinalNewline.utf8)
    let body = try bodyRange()
    var pieces = TextPieces(LongTextPart(source: text, range: body))
    var position = 0
    while let piece = try pieces.next() {
      let bytes = Array(piece.utf8)
      let common = min(bytes.count, wanted.count - position)
      let isEqual = bytes[..<common].elementsEqual(wanted[position..<(position + common)])
      if isEqual, common == bytes.count {
        position += common
        continue
      }
      let offset = (0..<common).first { bytes[$0] != wanted[position + $0] } ?? common
      let rest = try pieces.next().map { Array($0.utf8.prefix(2_000)) } ?? []
      return place(wanted, bytes + rest, at: offset, before: position)
    }
    return position == wanted.count ? nil : place(wanted, [], at: 0, before: position)
  }

  /// - Parameters:
  ///   - bytes: what was there from `before` on.
  ///   - offset: where in `bytes` the difference is.
  private func place(
    _ wanted: [UInt8], _ bytes: [UInt8], at offset: Int, before: Int
  ) -> Difference {
    let feed = UInt8(ascii: "\n")
    let position = before + offset
    // What stands before the difference is the same in both.
    let line = wanted[..<position].lastIndex(of: feed).map { $0 + 1 } ?? 0
    let start = max(line, position - 200)
    // Marks tell those who redact what was cut off.
    let mark = Array("…".utf8)
    let common = (start > line ? mark : []) + wanted[start..<position]
    func shown(_ rest: ArraySlice<UInt8>) -> String {
      let limit = 2_000
      return Self.lines(common + rest.prefix(limit) + (rest.count > limit ? mark : []))
    }
    return Difference(
      line: wanted[..<position].count { $0 == feed } + 1,
      expected: shown(wanted[position...]), actual: shown(bytes[offset...]))
  }

  /// The first lines of what follows a difference.
  private static func lines(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return TextLines.split(text).prefix(3).joined(separator: "\n")
  }

  /// The text without one newline at its end.
  private func bodyRange() throws -> Range<Int> {
    let end = try text.read(max(0, text.count - 1)..<text.count)
    return 0..<(text.count - (end.last == UInt8(ascii: "\n") ? 1 : 0))
  }

  // MARK: - Containment

  private func isFound(_ expression: RegularExpression) throws -> Bool {
    var search = GrowingSearch(expression, stepLimit: scope.searchLimit)
    if try search.isFound(in: text) { return true }
    let body = try bodyRange()
    guard expression.mindsEnd, body.count < text.count else { return false }
    search = GrowingSearch(expression, stepLimit: scope.searchLimit)
    return try search.isFound(in: LongTextPart(source: text, range: body))
  }

  private func containment(
    _ expected: Value, _ matcher: PlannedMatcher, tellsNearest: Bool
  ) throws -> Mismatch? {
    guard let form = expected.textForm else {
      return matcher.mismatch(
        "expected text that contains \(expected.excerpt()), which is \(expected.kindWithArticle)",
        beginning)
    }
    let needle = Array(form.utf8)
    guard !needle.isEmpty else { return nil }
    var pieces = TextPieces(text)
    var window: [UInt8] = []
    while let piece = try pieces.next() {
      // A match may lie across two pieces.
      window = Array(window.suffix(needle.count - 1)) + Array(piece.utf8)
      if window.contains(part: needle) { return nil }
    }
    var missing = matcher.mismatch("expected text that contains \(expected.excerpt())", beginning)
    if tellsNearest { missing.tell(NearestLine.miss(of: form, in: text)) }
    return missing
  }

  // MARK: - Lines

  private func lines(
    _ matchers: [PlannedMatcher], _ matcher: PlannedMatcher, _ limit: Int
  ) throws -> [Mismatch] {
    let (ranges, count) = try lineRanges(
      limit: max(matchers.count, PlannedMatcher.comparedLineLimit))
    let found = try [Mismatch].gathered(of: zip(ranges, matchers).enumerated(), limit: limit) {
      numbered, limit in
      let (range, inner) = numbered.element
      let line = LongTextPart(source: text, range: range)
      let isLong = range.count > TextPieces<Text>.size
      let found =
        isLong
        ? try inner.mismatches(ofLong: line, scope: scope, limit: limit)
        : inner.mismatches(
          of: .bytes(try line.read(0..<line.count)), scope: scope, limit: limit)
      return found.of("line \(numbered.offset + 1)")
    }
    guard count != matchers.count, found.count < limit else { return found }
    let lines = try ranges.prefix(PlannedMatcher.comparedLineLimit).map { range in
      let part = range.lowerBound..<min(range.upperBound, range.lowerBound + 1_600)
      return String(decoding: try text.read(part), as: UTF8.self)
    }
    let diff = PlannedMatcher.difference(of: lines, from: matchers, scope)
    let mismatch = Mismatch(
      message: "expected \(Self.counted(matchers.count))", actual: Self.counted(count),
      diff: diff, range: matcher.range)
    return found + [mismatch]
  }

  private static func counted(_ count: Int) -> String { "\(count) line\(count == 1 ? "" : "s")" }

  /// Returns the ranges of the first lines, without their ends, and the number of lines.
  private func lineRanges(limit: Int) throws -> (ranges: [Range<Int>], count: Int) {
    guard text.count > 0 else { return ([], 0) }
    let body = try bodyRange()
    var ranges: [Range<Int>] = []
    var count = 0
    var start = 0
    var last: UInt8 = 0
    func add(upTo end: Int, endsWithReturn: Bool) {
      count += 1
      if ranges.count < limit { ranges.append(start..<(endsWithReturn ? end - 1 : end)) }
    }
    var position = 0
    while position < body.upperBound {
      let end = min(body.upperBound, position + TextPieces<Text>.size)
      let bytes = try text.read(position..<end)
      bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        var offset = 0
        while offset < bytes.count,
          let found = memchr(base + offset, 10, bytes.count - offset)
        {
          let feed = base.distance(to: UnsafeRawPointer(found))
          let before = feed > 0 ? bytes[feed - 1] : last
          let lineEnd = position + feed
          add(upTo: lineEnd, endsWithReturn: before == 13 && lineEnd > start)
          start = lineEnd + 1
          offset = feed + 1
        }
        last = bytes.last ?? last
      }
      position = end
    }
    add(upTo: body.upperBound, endsWithReturn: last == 13 && body.upperBound > start)
    return (ranges, count)
  }
}
