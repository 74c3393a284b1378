internal import FaultEngine
internal import ScenarioPlan

/// Values in place of the results of functions.
extension FunctionInjector {
  /// The results of a called function of Go; `nil` where its program does not say what they are.
  func goResults(of call: FunctionCall, by tracee: Tracee) -> GoResults? {
    tracee.process.program.functions?.goResults[call.function]
  }

  /// An integer as the called function returns it.
  ///
  /// Of a function of Go whose results are not known, the first is taken for an integer, and that is told.
  func result(_ number: Int64, of call: FunctionCall, by tracee: Tracee) -> FunctionResult {
    let results = goResults(of: call, by: tracee)
    if results == nil, number != 0, FunctionConvention.of(call.function) == .go {
      kernel.notice(
        "\"\(call.function)\" is assumed to return an integer first, because no debugging information shows its type:"
          + " a program whose function returns something else first may crash", of: tracee.process)
    }
    return FunctionResult(number, of: call.function, results: results)
  }

  /// Returns the reason, in a sentence, why a called function cannot return what a deed gives; `nil` if it can, or if
  /// the deed gives nothing.
  func obstacle(to deed: ChaosAction.Deed, of call: FunctionCall, by tracee: Tracee) -> String? {
    let replacement: FunctionConvention.Replacement
    switch deed {
    case .result(let number): replacement = number == 0 ? .zero : .integer
    case .failure: replacement = .integerAndErrno
    case .fraction: replacement = .fraction
    case .text: replacement = .text
    case .fail: replacement = .error
    default: return nil
    }
    return FunctionConvention.obstacle(to: replacement, of: call.function)
      ?? goResults(of: call, by: tracee)?.obstacle(to: replacement, of: call.function)
  }
}
