internal import Foundations
internal import ScenarioPlan

/// Why a planned reply cannot be made ready.
struct PreparationError: Error {
  let message: String
}

extension PreparationError {
  /// What an expression lacks, and where it stands.
  init(_ error: RunScopeError) {
    message = error.message + (error.range.map { " (\($0.description))" } ?? "")
  }
}
