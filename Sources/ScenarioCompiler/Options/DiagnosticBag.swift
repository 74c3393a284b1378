internal import Foundations
internal import Patterns

/// Findings in the order in which they were made, each reported once.
struct DiagnosticBag: Sendable {
  private struct Key: Hashable {
    var message: String
    var range: SourceRange?
  }

  private(set) var list: [Diagnostic] = []
  private var seen: Set<Key> = []
  /// The indexes of the findings that begin at a place.
  private var places: [SourceRange: [Int]] = [:]

  /// True if anything forbids to run.
  var hasErrors: Bool { errorCount > 0 }
  /// The number of errors.
  private(set) var errorCount = 0

  /// The findings in the order of the files and of the lines within them; those without a place
  /// first.
  func sorted(byFiles files: [String]) -> [Diagnostic] {
    list.sorted(byFiles: files)
  }

  /// The findings at a place, in the order in which they were made.
  func findings(at range: SourceRange) -> [Diagnostic] {
    places[range, default: []].map { list[$0] }
  }

  mutating func report(_ diagnostic: Diagnostic) {
    let key = Key(message: diagnostic.message, range: diagnostic.range)
    guard seen.insert(key).inserted else { return }
    if let range = diagnostic.range { places[range, default: []].append(list.count) }
    list.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  mutating func report(
    _ message: String, code: DiagnosticCode, at range: SourceRange?, help: String? = nil
  ) {
    report(Diagnostic(message, code: code, at: range, help: help))
  }

  /// Runs a check; what it throws is reported at `range`, and the answer is `nil`.
  mutating func catching<Result>(
    as code: DiagnosticCode, at range: SourceRange, _ work: () throws(PatternError) -> Result
  ) -> Result? {
    do throws(PatternError) {
      return try work()
    } catch {
      report(error.message, code: code, at: range, help: error.help)
      return nil
    }
  }
}
