/// The mistakes that a run reports: all of them, up to a number that a person can still read.
package struct DiagnosticList: Sendable {
  /// The largest number that is shown; more are counted.
  package static let limit = 100

  /// The mistakes that are shown, each with its exact fix, if there is one.
  package private(set) var shown: [Diagnostic]
  /// The number of further errors.
  package private(set) var omittedErrors = 0
  /// The number of further warnings.
  package private(set) var omittedWarnings = 0

  /// The number of all errors.
  package var errors: Int { shown.count { $0.severity == .error } + omittedErrors }
  /// The number of all warnings.
  package var warnings: Int { shown.count { $0.severity == .warning } + omittedWarnings }
  /// The number of mistakes that are not shown.
  package var omitted: Int { omittedErrors + omittedWarnings }

  /// The changes among what is shown that leave nothing to decide.
  package var certainFixes: [DiagnosticFix] {
    shown.compactMap(\.fix).filter { $0.confidence == .certain }
  }

  /// Cuts a list short; warnings give way to errors, and the order stays.
  ///
  /// `source` has the text of a file, for fixes; `nil` where it cannot be read.
  package init(
    _ diagnostics: [Diagnostic], limit: Int = limit, source: (String) -> SourceText?
  ) {
    let errors = diagnostics.count { $0.severity == .error }
    let room = max(0, limit - errors)
    var counts = (errors: 0, warnings: 0)
    var kept: [Diagnostic] = []
    for diagnostic in diagnostics {
      let isError = diagnostic.severity == .error
      let place = isError ? counts.errors : counts.warnings
      if isError { counts.errors += 1 } else { counts.warnings += 1 }
      if place < (isError ? limit : room) {
        kept.append(diagnostic)
      } else if isError {
        omittedErrors += 1
      } else {
        omittedWarnings += 1
      }
    }
    var sources: [String: SourceText] = [:]
    shown = kept.map { diagnostic in
      guard diagnostic.fix == nil, let file = diagnostic.range?.file else { return diagnostic }
      if sources[file] == nil { sources[file] = source(file) }
      return sources[file].map { diagnostic.withExactFix(in: $0) } ?? diagnostic
    }
  }
}
