package import Foundations
internal import OrderedCollections
internal import ScenarioModel

/// The names of another scope, with `clock` at an instant: `clock.now`, `clock.today` and
/// `clock.unix`.
package struct ClockScope<Base: RunScope>: RunScope {
  private let base: Base
  private let instant: WallInstant?

  /// Creates a scope; without an instant, `clock` is what the base knows of it.
  package init(_ base: Base, at instant: WallInstant?) {
    self.base = base
    self.instant = instant
  }

  /// The clock as the root `clock`, and everything that the base knows.
  package func value(of root: String) -> Value? {
    guard root == ExpressionRoot.clock.rawValue, let instant else { return base.value(of: root) }
    return instant.clockValue
  }
}

extension ClockScope: Sendable where Base: Sendable {}

/// A run of which only the time is known.
package struct ClockAlone: RunScope {
  /// Creates a scope.
  package init() {}

  /// Returns `nil`: no name is known.
  package func value(of root: String) -> Value? { nil }
}

extension WallInstant {
  /// The value of `clock` at the instant: RFC 3339, the date of it, and whole seconds since 1970,
  /// in UTC.
  package var clockValue: Value {
    .map([
      "now": .string(description), "today": .string(String(description.prefix { $0 != "T" })),
      "unix": .integer(seconds),
    ])
  }
}

// MARK: - Who asks

extension PlannedText {
  /// True if the text depends on what the clock shows while the scenario runs.
  package var asksClock: Bool {
    segments.contains { segment in
      guard case .run(let question) = segment else { return false }
      return question.wholeExpression.roots.contains(ExpressionRoot.clock.rawValue)
    }
  }
}

extension PlannedData {
  /// True if the data depends on what the clock shows while the scenario runs.
  package var asksClock: Bool {
    switch self {
    case .value: false
    case .text(let text): text.asksClock
    case .list(let elements): elements.contains(where: \.asksClock)
    case .map(let members): members.values.contains(where: \.asksClock)
    }
  }
}

extension PlannedPiece {
  /// True if the piece depends on what the clock shows while the scenario runs.
  package var asksClock: Bool {
    switch self {
    case .text(let text): text.asksClock
    case .json(let data), .message(let data, _): data.asksClock
    case .bytes, .file: false
    case .computedFile(let file): file.name.asksClock
    }
  }
}
