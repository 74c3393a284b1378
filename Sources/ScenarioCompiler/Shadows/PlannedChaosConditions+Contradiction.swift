internal import FaultEngine
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension PlannedChaosConditions {
  /// The keys under which no call can meet both these conditions and others, in the language's words.
  ///
  /// - Parameter hasOnePath: whether the calls have one path at most; of two paths each may meet one.
  func contradictions(with other: PlannedChaosConditions, hasOnePath: Bool) -> [String] {
    var keys: [String] = []
    if hasOnePath, let own = path, let others = other.path, Self.areApart(paths: own, others) {
      keys.append("path")
    }
    if let own = host, let others = other.host, own.isDisjoint(from: others) { keys.append("host") }
    if !kinds.isEmpty, !other.kinds.isEmpty, Set(kinds).isDisjoint(with: other.kinds) {
      keys.append("fd")
    }
    let counts: ClosedRange<Int64> = 0...Int64.max
    if Self.areApart(port, other.port, within: 0...65_535) { keys.append("port") }
    if Self.areApart(size, other.size, within: counts) { keys.append("size") }
    if Self.areApart(offset, other.offset, within: counts) { keys.append("offset") }
    let arguments = arguments.contains { own in
      other.arguments.contains { others in
        own.index == others.index && Self.areApart(own.condition, others.condition)
      }
    }
    if arguments { keys.append("args") }
    if let own = process, let others = other.process, own != others { keys.append("process") }
    if Self.areApart(names: program, other.program) { keys.append("process") }
    if let own = thread, let others = other.thread, own.isDisjoint(from: others) {
      keys.append("thread")
    }
    if Self.areApart(names: caller, other.caller) { keys.append("caller") }
    return keys
  }

  private static func areApart(
    _ own: IntegerCondition?, _ other: IntegerCondition?, within range: ClosedRange<Int64>
  ) -> Bool {
    guard let own, let other else { return false }
    return !IntegerCondition.allOf([own, other]).mayHold(within: range)
  }

  /// A negative C int is read with its upper half and without, so that two numbers can be one.
  private static func areApart(_ own: IntegerCondition, _ other: IntegerCondition) -> Bool {
    let negative = Int64.min ... -1
    return !own.mayHold(within: negative) && !other.mayHold(within: negative)
      && areApart(own, other, within: 0...Int64.max)
  }

  /// A pattern with a slash is about the path, and one without about the name.
  private static func areApart(names own: GlobPattern?, _ other: GlobPattern?) -> Bool {
    guard let own, let other, own.text.contains("/") == other.text.contains("/") else {
      return false
    }
    return own.isDisjoint(from: other)
  }

  /// Patterns that begin neither with `/` nor with `**` count from the case's directory.
  private static func areApart(paths own: GlobPattern, _ other: GlobPattern) -> Bool {
    func isRelative(_ pattern: GlobPattern) -> Bool {
      !pattern.text.hasPrefix("/") && !pattern.text.hasPrefix("**")
    }
    let unusual = [own, other].contains { $0.text.contains("./") || $0.text.contains("//") }
    return !unusual && isRelative(own) == isRelative(other) && own.isDisjoint(from: other)
  }
}
