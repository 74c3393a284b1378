internal import Supervisor

extension OutsideAccount {
  /// The maximum number of changes that are named.
  private static let namedLimit = 3

  /// The changes outside of the case's folders, in one line; `nil` if there are none.
  func warning(isRefused: Bool) -> String? {
    guard !changes.isEmpty else { return nil }
    return isRefused
      ? "changes of files outside of the case's folders were refused: \(list); let the target write only below"
        + " its working directory, $HOME or $TMPDIR, or set `files: { outside: report }`"
      : "files outside of the case's folders were changed: \(list); `files: { outside: allow }` accepts that,"
        + " `refuse` prevents it"
  }

  /// The same of a command that runs in its own folder and is recorded; `nil` if nothing was changed.
  var recordingNote: String? {
    changes.isEmpty
      ? nil
      : "the command changed files outside of the current folder: \(list); the scenario does not expect them"
  }

  /// The first changes, and how many more there are.
  private var list: String {
    let named = changes.prefix(Self.namedLimit).map {
      "\"\($0.path)\" (\($0.systemCall) by \($0.program))"
    }
    let more = changes.count - named.count
    let rest = more > 0 ? [unlisted > 0 ? "more than \(more) more" : "\(more) more"] : []
    let parts = named + rest
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
