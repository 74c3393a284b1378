internal import FaultEngine
internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension CasePlanner {
  /// `compute:`; `nil` if something is wrong with it.
  mutating func planComputation(
    _ computation: FaultAction.Computation, of scope: ChaosScope
  ) -> PlannedProvider? {
    var planned = PlannedComputation(result: nil, arguments: [], bytes: nil)
    if let text = computation.result {
      guard let result = computedNumber(text) else { return nil }
      check(result, at: text.range, of: scope)
      planned.result = result
    }
    for (index, text) in computation.arguments {
      checkArgument(index, of: scope)
      guard let value = computedNumber(text, isBefore: true) else { return nil }
      check(value, at: text.range, of: scope)
      planned.arguments.append(PlannedComputedArgument(index: index.value, value: value))
    }
    if let text = computation.bytes {
      guard scope.functions == nil, scope.traits.contains(where: \.canBeCorrupted) else {
        report(
          "\"\(scope.word)\" transfers no bytes to compute", code: .impossibleProvider,
          at: text.range,
          help: "name calls such as read, write, send or recv")
        return nil
      }
      guard let value = computedNumber(text, isOfBytes: true) else { return nil }
      check(value, at: text.range, of: scope)
      planned.bytes = value
    }
    return .compute(planned)
  }

  private mutating func computedNumber(
    _ text: Located<String>, isBefore: Bool = false, isOfBytes: Bool = false
  ) -> ComputedNumber? {
    data.diagnostics.catching(as: .badExpression, at: text.range) { () throws(PatternError) in
      let value = try ComputedNumberParser.parse(text.value)
      if value.needsResult, isBefore || isOfBytes {
        throw PatternError(
          isBefore
            ? "an argument cannot depend on the result" : "a byte cannot depend on the result",
          help: isBefore
            ? "remove \"result\": arguments are computed before the call"
            : "use only byte and index")
      }
      if value.needsByte, !isOfBytes {
        throw PatternError(
          "\"byte\" and \"index\" are defined only in \"bytes\"",
          help: "write byte(ADDRESS), such as byte(args[1])")
      }
      return value
    }
  }
}
