internal import Foundations
internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import ScenarioSyntax
internal import Synchronization

/// Compares what one case shows with snapshots, and keeps what is to be written until its end.
///
/// Only a case that passes writes: what a program says that fails is not what is expected of it.
final class SnapshotSession: SnapshotComparing {
  private struct State {
    var proposals: [(path: String, text: String, range: SourceRange)] = []
    var differing: [(path: String, text: String)] = []
    /// Texts in the scenario file: what they are to say, be it what they say.
    var edits: [LiteralEdit] = []
  }

  private let store: SnapshotStore
  /// The case's place in the run, from 1.
  private let number: Int
  /// The case's identifier.
  private let identifier: String
  private let places: PlaceNames
  private let secrets: SecretRedactor
  private let state = Mutex(State())

  init(
    _ store: SnapshotStore, number: Int, identifier: String, directory: CaseDirectory,
    secrets: SecretRedactor
  ) {
    self.store = store
    self.number = number
    self.identifier = identifier
    self.secrets = secrets
    places = PlaceNames(directory)
  }

  /// The text without what is different in each run, and without secrets.
  private func steady(_ text: String) -> String {
    secrets.redacted(places.named(text))
  }

  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    mismatch(of: text, with: snapshot, at: range, isTree: false)
  }

  /// Returns the difference between a text and a snapshot; `nil` if there is none.
  ///
  /// - Parameter isTree: whether it is the text of a folder, of which the files that differ are
  ///   listed.
  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange, isTree: Bool
  ) -> Mismatch? {
    let path = snapshot.path
    let actual = steady(text)
    let held: SnapshotText
    do throws(FileReadError) {
      guard let text = String(validating: try FileTree.read(path), as: UTF8.self) else {
        return .unreadableSnapshot("\"\(path)\" is not UTF-8, but a snapshot must be", at: range)
      }
      held = SnapshotText(text)
    } catch {
      guard error == .system(errorNumber: ENOENT) else {
        return .unreadableSnapshot(error.message(path: path), at: range)
      }
      guard store.update == nil else {
        propose(SnapshotText.written(actual), to: path, at: range)
        return nil
      }
      keep(SnapshotText.written(actual), for: path)
      return .missing(snapshot, actual: actual, at: range)
    }
    guard held.matches(actual) else {
      guard store.update == .changed || store.update == .all else {
        let updated = held.updated(to: actual)
        keep(updated, for: path)
        var mismatch = Mismatch.snapshot(
          snapshot, holding: held, updated: updated, actual: actual, at: range)
        if isTree {
          let differences = TreeDifferences(held: held.text, updated: updated)
          mismatch.actual = differences.summary
          mismatch.diff = differences.lines + mismatch.diff
        }
        return mismatch
      }
      let isWhole = store.update == .all
      propose(
        isWhole ? SnapshotText.written(actual) : held.updated(to: actual), to: path, at: range)
      return nil
    }
    if store.update == .all, !held.isExactly(actual) {
      propose(SnapshotText.written(actual), to: path, at: range)
    } else {
      store.dropPending(of: path, by: number)
    }
    return nil
  }

  private func propose(_ text: String, to path: String, at range: SourceRange) {
    state.withLock { $0.proposals.append((path, text, range)) }
  }

  private func keep(_ text: String, for path: String) {
    state.withLock { $0.differing.append((path, text)) }
  }

  // MARK: - Tries

  /// A moment: what was said up to it.
  struct Mark {
    fileprivate let proposals: Int
    fileprivate let differing: Int
    fileprivate let edits: Int
  }

  /// The present moment.
  var mark: Mark {
    state.withLock { state in
      Mark(
        proposals: state.proposals.count, differing: state.differing.count,
        edits: state.edits.count)
    }
  }

  /// Forgets what was said since a moment, in a try that counts no more.
  func forget(since mark: Mark) {
    state.withLock { state in
      state.proposals.removeSubrange(mark.proposals...)
      state.differing.removeSubrange(mark.differing...)
      state.edits.removeSubrange(mark.edits...)
    }
  }

  // MARK: - Texts in the scenario file

  /// Returns whether a text that is not as a matcher says is to be written into the scenario file instead.
  func takes(_ text: String, insteadOf matcher: PlannedMatcher, scope: CaseScope) -> Bool {
    guard store.writesTexts,
      // A scenario file names no secret, and no folder that another run has not.
      !places.occur(in: text), secrets.redacted(text) == text,
      let edits = Self.edits(text, matcher, scope)
    else { return false }
    state.withLock { $0.edits += edits }
    return true
  }

  /// Records that a text satisfies a matcher: others that share it cannot require another one.
  func record(_ matcher: PlannedMatcher) {
    guard store.writesTexts else { return }
    let edits = matcher.writtenTexts.map {
      LiteralEdit(range: $0.range, old: $0.text, new: $0.text)
    }
    state.withLock { $0.edits += edits }
  }

  /// Returns the edits that make a matcher hold; `nil` if it compares no literal texts.
  private static func edits(
    _ text: String, _ matcher: PlannedMatcher, _ scope: CaseScope
  ) -> [LiteralEdit]? {
    guard matcher.check(.text(text), scope: scope) != nil else {
      return matcher.writtenTexts.map { LiteralEdit(range: $0.range, old: $0.text, new: $0.text) }
    }
    switch matcher.condition {
    case .equals(let data):
      // What looks like an expression would not be what was said.
      guard case .string(let old)? = data.literal, !text.contains("${{") else { return nil }
      return [LiteralEdit(range: matcher.range, old: old, new: text)]
    case .lines(let matchers):
      let lines = PlannedMatcher.lines(of: text)
      guard lines.count == matchers.count else { return nil }
      var edits: [LiteralEdit] = []
      for (line, matcher) in zip(lines, matchers) {
        guard let more = Self.edits(line, matcher, scope) else { return nil }
        edits += more
      }
      return edits
    case .allOf(let parts):
      var edits: [LiteralEdit] = []
      for part in parts {
        guard let more = Self.edits(text, part, scope) else { return nil }
        edits += more
      }
      return edits
    default: return nil
    }
  }

  // MARK: - The end

  /// Writes what the case has said if it passed, and keeps it for a review otherwise; what went wrong.
  func conclude(hasPassed: Bool) -> [Failure] {
    let (proposals, differing, edits) = state.withLock {
      ($0.proposals, $0.differing, $0.edits)
    }
    for (path, text) in differing { store.keep(text, for: path, by: number) }
    guard hasPassed else {
      for (path, text, _) in proposals { store.keep(text, for: path, by: number) }
      return []
    }
    store.add(edits, of: identifier)
    return proposals.compactMap { path, text, range in
      do throws(Failure) {
        try store.write(text, to: path)
        return nil
      } catch {
        return error.at(range)
      }
    }
  }
}
