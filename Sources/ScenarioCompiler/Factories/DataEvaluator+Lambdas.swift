internal import Foundations
internal import Patterns
internal import ScenarioModel
internal import ScenarioPlan

extension DataEvaluator {
  /// Calls a function that has lambdas among its arguments: their bodies are made ready but for their own names, and
  /// the call is computed as the run would compute it, here if nothing else is left to know.
  mutating func call(
    _ function: ExpressionFunction, _ name: Located<String>, withLambdas arguments: [Expression],
    at range: SourceRange, in place: EvaluationSite
  ) -> DataOutcome {
    var parts: [Expression] = []
    var isKnown = true
    for argument in arguments {
      let part: Expression
      if case .lambda(let names, let body) = argument {
        var inner = place
        inner.lambdaNames.formUnion(names.map(\.value))
        guard let body = evaluate(body, at: range, in: inner).data?.expression else {
          return .failed
        }
        part = .lambda(names: names, body)
      } else {
        guard let data = evaluate(argument, at: range, in: place).data else { return .failed }
        part = data.expression
      }
      isKnown = isKnown && part.roots.isEmpty
      parts.append(part)
    }
    let call = Expression.call(function: name, arguments: parts)
    guard isKnown else { return waitingOutcome(call, at: name.range) }
    return catching(as: .failedExpression, at: name.range) { () throws(PatternError) in
      do throws(RunScopeError) {
        return try RunExpression(call, at: name.range).resolve(in: CaseScope(directory: ""))
      } catch {
        throw PatternError(error.message, help: error.help ?? "write \(function.usage)")
      }
    }
  }

  /// Returns the random stream of a call at a place: calls at one place draw one behind the other.
  mutating func draw(for name: Located<String>, in place: EvaluationSite) -> SplitMix64? {
    guard place.lambdaNames.isEmpty, !context.isListing else {
      diagnostics.report(
        "\(name.value)() draws when the scenario is planned,"
          + (context.isListing
            ? " but names and numbers must be known before"
            : " but a lambda is evaluated for every element"),
        code: .notKnownHere, at: name.range,
        help: context.isListing
          ? "write a fixed value, or use a variable"
          : "generate a list with $list, and draw in \"of\"")
      return nil
    }
    let address = place.address.text
    let number = drawnCalls[address, default: 0]
    drawnCalls[address] = number + 1
    return random(at: place.part(.key("\(name.value)()#\(number)")).address)
  }
}
