internal import Foundations
package import Patterns
package import ScenarioPlan

extension PlannedExploration {
  /// Returns the reason why a word of `points:` names no calls; `nil` if it does.
  package static func mistake(inPoint word: String) -> PatternError? {
    do throws(PatternError) {
      _ = try PlannedCall.named(word)
      return nil
    } catch {
      if PlannedFunctions.allocations.names.contains(word) {
        let help = "write \"@alloc\" for all allocations, or { function: \(word) } in the file"
        return PatternError(error.message, help: help)
      }
      guard !word.hasPrefix("@"), !error.help.contains("did you mean") else { return error }
      return PatternError(
        error.message, help: "write a function as { function: \(word) }; \(error.help)")
    }
  }

  /// The entry by which it shows that a file is opened or read to prepare something, and when something else is done:
  /// what it takes are no points.
  package static let openings: PlannedChaos = {
    var calls: [PlannedCall] = []
    for group in ["@open", "@read", "@write", "@net", "mmap"] {
      for call in (try? PlannedCall.named(group)) ?? [] where !calls.contains(call) {
        calls.append(call)
      }
    }
    return PlannedChaos(
      name: "what programs prepare themselves with", target: .calls(calls),
      provider: .original,
      range: SourceRange(file: "", line: 1, column: 1))
  }()
}

extension PlannedCall {
  /// True if the call can transfer less than requested.
  package var canBeShortened: Bool { SystemCallTraits.of(name).canBeShortened }
}
