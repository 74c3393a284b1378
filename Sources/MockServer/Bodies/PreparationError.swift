internal import Foundations
internal import ScenarioPlan

/// The reason why a planned reply cannot be prepared.
struct PreparationError: Error {
  let message: String
  /// The status that the client gets in place of the reply's.
  var status = 500
}

extension PreparationError {
  /// Creates the error of an expression that cannot be evaluated, with its place.
  init(_ error: RunScopeError, status: Int = 500) {
    self.status = status
    message = error.message + (error.range.map { " (\($0.description))" } ?? "")
  }
}
