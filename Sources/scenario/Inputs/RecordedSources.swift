internal import Cryptography
internal import Foundations
internal import ScenarioEvents
internal import ScenarioReport
internal import Synchronization

/// The files of a run that is reported once more, as far as they are what the run has read.
///
/// A line of a file that was changed since would be the wrong one. What a stream says nothing of is taken as it is.
final class RecordedSources: Sendable {
  private let digests: [String: String]
  private let changed = Mutex<Set<String>>([])

  init(_ run: RunDescription) {
    digests = Dictionary((run.sources ?? []).map { ($0.file, $0.sha256) }) { first, _ in first }
  }

  /// The text of a file; `nil` if it cannot be read, or is another one now, of which the first call warns.
  func text(of path: String) -> String? {
    guard let text = ImportedSource.text(of: path) else { return nil }
    guard let digest = digests[path], digest != SecureDigest.sha256(Array(text.utf8)) else {
      return text
    }
    if changed.withLock({ $0.insert(path).inserted }) {
      Console.report(
        Diagnostic(
          "\"\(TerminalText.line(path))\" has changed since the run: its lines are not shown",
          code: .changedReport, at: nil))
    }
    return nil
  }
}
