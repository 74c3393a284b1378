internal import FaultEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension ChaosConditions {
  /// The conditions under which no call can meet both these and others.
  ///
  /// - Parameter hasOnePath: whether the calls have one path at most; of two paths each may meet one.
  func contradictions(
    with other: ChaosConditions, hasOnePath: Bool
  ) -> [ChaosCondition] {
    asked.filter { condition, own in
      guard let others = other[condition], hasOnePath || condition != .path else { return false }
      return own.excludes(others, as: condition.declaration.question)
    }.map(\.condition)
  }

  /// Returns whether every call that meets `other` meets these as well, as far as that shows.
  func include(_ other: ChaosConditions) -> Bool {
    asked.allSatisfy { condition, own in other[condition].map { own.includes($0) } ?? false }
  }
}

extension ChaosTest {
  /// Returns whether what meets `other` meets this as well, as far as that shows.
  fileprivate func includes(_ other: ChaosTest) -> Bool {
    switch (self, other) {
    case (.kinds(let own), .kinds(let others)): others.allSatisfy(own.contains)
    case (.flags(let own), .flags(let others)): own.allSatisfy(others.contains)
    case (.arguments(let own), .arguments(let others)): own.allSatisfy(others.contains)
    default: self == other
    }
  }

  /// Returns whether nothing can meet both this and `other`.
  fileprivate func excludes(_ other: ChaosTest, as question: ChaosCondition.Question) -> Bool {
    switch (self, other) {
    case (.pattern(let own), .pattern(let others)):
      // A program has several names: one may meet this, and another one the other.
      guard question != .process else { return false }
      return Self.areApart(GlobPattern(own), GlobPattern(others), question.textKind)
    case (.number(let own), .number(let others)):
      guard case .number(let range) = question else { return false }
      return Self.areApart(own, others, within: range)
    case (.kinds(let own), .kinds(let others)): return Set(own).isDisjoint(with: others)
    case (.arguments(let own), .arguments(let others)):
      return own.contains { own in
        others.contains { own.index == $0.index && Self.areApart(own.condition, $0.condition) }
      }
    case (.ordinal(let own), .ordinal(let others)): return own != others
    default: return false
    }
  }

  private static func areApart(
    _ own: IntegerCondition, _ other: IntegerCondition, within range: ClosedRange<Int64>
  ) -> Bool {
    !IntegerCondition.allOf([own, other]).mayHold(within: range)
  }

  /// A negative C int is read with its upper half and without, so that two numbers can be one.
  private static func areApart(_ own: IntegerCondition, _ other: IntegerCondition) -> Bool {
    let negative = Int64.min ... -1
    return !own.mayHold(within: negative) && !other.mayHold(within: negative)
      && areApart(own, other, within: 0...Int64.max)
  }

  private static func areApart(
    _ own: GlobPattern, _ other: GlobPattern, _ kind: ChaosCondition.TextKind?
  ) -> Bool {
    switch kind {
    case .name:
      // A pattern with a slash is about the path, and one without about the name.
      guard own.text.contains("/") == other.text.contains("/") else { return false }
    case .path:
      // Patterns that begin neither with `/` nor with `**` count from the case's directory.
      func isRelative(_ pattern: GlobPattern) -> Bool {
        !pattern.text.hasPrefix("/") && !pattern.text.hasPrefix("**")
      }
      let unusual = [own, other].contains { $0.text.contains("./") || $0.text.contains("//") }
      guard !unusual, isRelative(own) == isRelative(other) else { return false }
    case .text, .host, nil: break
    }
    return own.isDisjoint(from: other)
  }
}
