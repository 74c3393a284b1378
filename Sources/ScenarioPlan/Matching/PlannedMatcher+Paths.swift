internal import Foundations
internal import Patterns
internal import ScenarioModel

/// What a path finds that may lead to several places.
struct PathSelection {
  /// The value at each place.
  var each: [MatchSubject]
  /// All of them, as one list.
  var all: MatchSubject
  /// True if nothing is found because what the path names is not there.
  var leadsNowhere = false
  /// True if nothing is found because the path takes nothing from what there is.
  var passesOver = false
  /// True if what is not found counts as empty.
  var mayBeEmpty = false
  /// The reason why nothing is found.
  var absence = "the path leads nowhere"

  /// The values at a path into data.
  init(_ values: [Value], of query: JSONPathQuery, in root: Value) {
    each = values.map { .value($0) }
    all = .value(.list(values))
    guard values.isEmpty else { return }
    leadsNowhere = query.leadsNowhere(in: root)
    passesOver = query.passesOver(in: root)
    mayBeEmpty = query.start(isThereIn: root)
  }

  /// The texts of the nodes that a path into XML finds.
  init(nodes texts: [String], absence: String) {
    each = texts.map { .node($0) }
    all = .nodes(texts)
    passesOver = true
    self.absence = absence
  }
}

/// Conditions on what a path finds, be it several values or nothing.
extension PlannedMatcher {
  /// Returns the mismatches of a condition with what a path finds that may lead to several places.
  ///
  /// It must hold for the list of what is there, or for one of them; `not`, accordingly, for none. Where the path selects
  /// nothing, it holds only if it asks for that.
  static func mismatches(
    _ matcher: PlannedMatcher, of selection: PathSelection, _ scope: some RunScope, _ limit: Int
  ) -> [Mismatch] {
    if selection.each.isEmpty,
      matcher.asksForPresence || selection.leadsNowhere || matcher.isMetByNothing(selection)
    {
      return matcher.mismatches(
        ofNothing: selection.absence, mayBeEmpty: selection.mayBeEmpty, scope, limit)
    }
    let found = matcher.mismatches(of: selection.all, scope: scope, limit: limit)
    switch matcher.condition {
    case .not(let inner):
      guard mismatches(inner, of: selection, scope, 1).isEmpty else {
        return inner.ofOtherKind(than: selection, scope)
          .flatMap { matcher.opposite(of: inner, $0.mismatch, $0.subject) }.list
      }
      guard found.isEmpty else { return found }
      let each = selection.each.lazy.map {
        matcher.mismatches(of: $0, scope: scope, limit: limit)
      }
      return each.first { !$0.isEmpty }
        ?? [matcher.mismatch("expected the opposite of each", selection.all)]
    case .allOf(let parts) where parts.contains(where: \.holdsOpposite):
      // What is said of none is said beside what is said of one.
      let others = parts.filter { !$0.holdsOpposite }
      let groups =
        parts.filter(\.holdsOpposite)
        + (others.isEmpty ? [] : [PlannedMatcher(.allOf(others), at: matcher.range)])
      return groups.flatMap { mismatches($0, of: selection, scope, limit) }
    case .anyOf(let parts) where parts.contains(where: \.holdsOpposite):
      let each = parts.map { mismatches($0, of: selection, scope, limit) }
      return each.contains(where: \.isEmpty) ? [] : each.first ?? []
    default: break
    }
    guard !found.isEmpty,
      !selection.each.contains(where: { matcher.check($0, scope: scope) == nil })
    else {
      return []
    }
    guard selection.each.isEmpty else { return found }
    let nothing = found.ofNothing(selection.absence)
    return scope.isExpectation ? nothing.map(\.undecidedByAbsence) : nothing
  }

  /// Returns the mismatches with a value that is not there: what does not ask whether it is there does not hold, its
  /// opposite neither, as a misspelt path would satisfy it.
  ///
  /// - Parameters:
  ///   - reason: the reason why there is none.
  ///   - mayBeEmpty: whether what is not there counts as empty, as what a filter takes from a list does. In a request it
  ///     always does.
  func mismatches(
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
    than selection: PathSelection, _ scope: some RunScope
  ) -> (mismatch: Mismatch, subject: MatchSubject)? {
    let subjects = [selection.all] + selection.each
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
  private func isMetByNothing(_ selection: PathSelection) -> Bool {
    guard !asksForAmount else { return false }
    return holdsOpposite || holdsEach && selection.passesOver
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
