internal import Foundations

/// The names of another scope, and the values of a lambda's names, which hide all others.
struct BoundScope: RunScope {
  let base: any RunScope
  let values: [String: Value]

  func value(of root: String) -> Value? { values[root] ?? base.value(of: root) }

  func mismatch(
    of text: String, with snapshot: PlannedSnapshot, at range: SourceRange
  ) -> Mismatch? {
    base.mismatch(of: text, with: snapshot, at: range)
  }

  var searchLimit: Int { base.searchLimit }
}
