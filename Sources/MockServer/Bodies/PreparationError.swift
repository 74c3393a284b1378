internal import Foundations
internal import ScenarioPlan

/// The reason why a planned reply cannot be prepared.
struct PreparationError: Error {
  let message: String
}

extension PreparationError {
  /// Creates the error of an expression that cannot be evaluated, with its place.
  init(_ error: RunScopeError) {
    message = error.message + (error.range.map { " (\($0.description))" } ?? "")
  }
}
