internal import Glibc
package import ScenarioEvents
package import ScenarioPlan
internal import ScenarioSyntax
internal import Synchronization

/// The expected texts that a run writes.
package enum SnapshotUpdate: String, Sendable, CaseIterable {
  /// Snapshots that are not there.
  case missing
  /// These, and what no longer holds: snapshots, whose elisions stay, and texts in scenario files.
  case changed
  /// These, and snapshots that hold because of their elisions: written as the program says it.
  case all
}

/// The expected texts that the cases of a run write; cases may do so at once.
package final class SnapshotStore: Sendable {
  /// The suffix of a file that waits for a review.
  package static let pendingSuffix = ".new"

  /// Counts what was written, and what waits for a review.
  package struct Account: Sendable, Hashable {
    /// Snapshots that were written.
    package var written: Set<String> = []
    /// The files that wait for a review.
    package var pending: Set<String> = []
    /// Scenario files in which expected texts were updated.
    package var rewritten: [String] = []
  }

  private struct State {
    var account = Account()
    var texts: [String: String] = [:]
    /// The case that keeps a text for a review: of those that are repeated the first one.
    var keepers: [String: Int] = [:]
    var rewriting = TextRewriting()
  }

  /// The texts that are written; `nil` for none.
  package let update: SnapshotUpdate?
  /// True if what differs is kept for a review.
  let keepsPending: Bool
  /// Returns all cases that a scenario file plans, whether they run or not.
  private let casesOf: @Sendable (_ file: String) -> [PlannedCase]
  private let state = Mutex(State())

  /// Creates a store; without anything to write it only compares.
  ///
  /// - Parameter casesOf: plans all cases of a scenario file: a text that others share is written for all of
  ///   them or not at all.
  package init(
    update: SnapshotUpdate? = nil, keepsPending: Bool = false,
    casesOf: @escaping @Sendable (_ file: String) -> [PlannedCase] = { _ in [] }
  ) {
    self.update = update
    self.keepsPending = keepsPending
    self.casesOf = casesOf
  }

  /// The files that were written and kept so far.
  package var account: Account { state.withLock(\.account) }

  /// Writes a snapshot at one moment, with the folders that lead to it.
  func write(_ text: String, to path: String) throws(Failure) {
    let isFirst = state.withLock { state in
      let known = state.texts[path]
      state.texts[path] = known ?? text
      return known == nil || known == text
    }
    guard isFirst else {
      throw Failure(
        category: .expectation, type: "expect.snapshot",
        message: "the snapshot \"\(path)\" was already written in this run, with another text",
        help: "make the program's output deterministic, or write [..] where it differs")
    }
    try Self.replace(path, with: text)
    unlink(path + Self.pendingSuffix)
    state.withLock { state in
      state.account.written.insert(path)
      state.account.pending.remove(path + Self.pendingSuffix)
    }
  }

  /// Keeps a text for a review beside the snapshot that it may become.
  ///
  /// - Parameter number: the case's place in the run: what is kept must not depend on which one
  ///   ends first.
  func keep(_ text: String, for path: String, by number: Int) {
    guard keepsPending else { return }
    let isFirst = state.withLock { state in
      guard state.keepers[path, default: number] >= number else { return false }
      state.keepers[path] = number
      return true
    }
    guard isFirst else { return }
    let pending = path + Self.pendingSuffix
    // The failure itself is reported; that it cannot be reviewed changes nothing about it.
    guard (try? Self.replace(pending, with: text)) != nil else { return }
    _ = state.withLock { $0.account.pending.insert(pending) }
  }

  /// Removes a text that waited for a review and need no longer.
  func dropPending(of path: String, by number: Int) {
    guard keepsPending else { return }
    let isOwn = state.withLock { state in
      guard state.keepers[path, default: number] == number else { return false }
      state.keepers[path] = nil
      state.account.pending.remove(path + Self.pendingSuffix)
      return true
    }
    if isOwn { unlink(path + Self.pendingSuffix) }
  }

  // MARK: - Texts in scenario files

  /// True if expected texts in scenario files are updated.
  var writesTexts: Bool { update == .changed || update == .all }

  /// Keeps the edits of scenario files that a case which has passed requests, until the run is
  /// over.
  func add(_ edits: [LiteralEdit], of identifier: String) {
    guard !edits.isEmpty else { return }
    state.withLock { $0.rewriting.add(edits, of: identifier) }
  }

  /// Returns whether a case wants a text to say something else.
  func awaitsRewriting(_ identifier: String) -> Bool {
    state.withLock { $0.rewriting.changes(for: identifier) }
  }

  /// Rewrites scenario files, once no case runs any more.
  ///
  /// - Returns: Why texts stay as they are, for each case that wants them to change.
  func rewriteFiles() -> [String: [Failure]] {
    let rewriting = state.withLock(\.rewriting)
    let (files, failures) = rewriting.perform(casesOf: casesOf)
    state.withLock { $0.account.rewritten = files }
    return failures
  }

  /// Writes a file's content at one moment, whether it existed or not.
  static func replace(_ path: String, with text: String) throws(Failure) {
    let partial = "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
    do throws(Failure) {
      try FileTree.write(Array(text.utf8), to: partial, mode: 0o644, for: .user)
    } catch {
      unlink(partial)
      throw error
    }
    guard rename(partial, path) != 0 else { return }
    let failure = Failure.system("cannot write \"\(path)\"")
    unlink(partial)
    throw failure
  }
}

extension SnapshotStore {
  /// Makes a text that waited the snapshot.
  package static func accept(_ pending: String) throws(Failure) {
    guard rename(pending, String(pending.dropLast(pendingSuffix.utf8.count))) == 0 else {
      throw Failure.system("cannot rename \"\(pending)\"")
    }
  }

  /// Removes a file.
  package static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 else { throw Failure.system("cannot remove \"\(path)\"") }
  }
}
